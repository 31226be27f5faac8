import type { AuditEntry } from '@plumbline/sdk'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { nameIn } from './audit-changes.ts'

const tones: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  done: 'neutral',
  refused: 'warn',
  failed: 'bad',
  interrupted: 'bad',
}

export function OutcomeBadge({ outcome }: Pick<AuditEntry, 'outcome'>) {
  return <Badge tone={tones[outcome]}>{outcome}</Badge>
}

/** The actor as a text; the type if there is no name. */
export const actorOf = ({ actor: { type, name } }: Pick<AuditEntry, 'actor'>): string =>
  type === 'nobody' ? 'Not signed in' : name

/** Names of people, by id. */
export type PeopleNames = ReadonlyMap<string, string>

/** The subject of an entry, by name if known, otherwise by id. */
export function targetOf(entry: AuditEntry, names: PeopleNames): string {
  const { actor, resourceId } = entry
  const ownName = resourceId === actor.id && actor.name !== '' ? actor.name : undefined
  return names.get(resourceId) ?? nameIn(entry) ?? ownName ?? resourceId
}

export const auditColumns = (names: PeopleNames): readonly Column<AuditEntry>[] => [
  { id: 'time', header: 'Time', width: 120, cell: ({ time }) => <RelativeTime time={time} /> },
  {
    id: 'actor',
    header: 'Who',
    width: 130,
    grow: 2,
    cell: (entry) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 truncate" title={actorOf(entry)}>
          {actorOf(entry)}
        </span>
        {entry.actor.type === 'key' && <Badge>API key</Badge>}
      </span>
    ),
  },
  {
    id: 'operation',
    header: 'Operation',
    width: 160,
    grow: 2,
    cell: ({ operation }) => (
      <code className="font-mono text-xs" title={operation}>
        {operation}
      </code>
    ),
  },
  {
    id: 'about',
    header: 'Target',
    width: 140,
    grow: 2,
    cell: (entry) => <span title={entry.resourceId}>{targetOf(entry, names)}</span>,
  },
  { id: 'outcome', header: 'Outcome', width: 100, cell: (entry) => <OutcomeBadge {...entry} /> },
  {
    id: 'address',
    header: 'IP address',
    width: 130,
    cell: ({ address }) => <span title={address}>{address}</span>,
  },
]
