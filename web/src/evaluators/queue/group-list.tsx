/** Waiting evaluations by concurrency group: the reason, the next check, and the limits. */
import type { Connection } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Clock } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import { groupBounds } from './group-bounds.ts'
import { asSentence, type ConcurrencyGroup } from './waiting-reason.ts'

/** Spending changes with the queue, but is polled less often. */
const refreshMs = 10_000

export function GroupList({ groups }: { readonly groups: readonly ConcurrencyGroup[] }) {
  const connections = useRead('connections.list', {}, { refreshMs }).data?.connections
  if (groups.length === 0) return null
  return (
    <section aria-label="Waiting by connection" className="shrink-0 border-b border-line px-4 py-3">
      <h2 className="mb-1 text-xs text-ink-3">Waiting by connection</h2>
      <ul className="flex flex-col">
        {groups.map((group) => (
          <GroupRow
            key={`${group.judge} ${group.connectionId} ${group.model}`}
            group={group}
            connection={connections?.find(({ id }) => id === group.connectionId)}
          />
        ))}
      </ul>
    </section>
  )
}

interface GroupRowProps {
  readonly group: ConcurrencyGroup
  readonly connection: Connection | undefined
}

function GroupRow({
  group: { judge, model, connectionId, waiting, problem, until },
  connection,
}: GroupRowProps) {
  const name = judge === 'rule' ? 'Rules' : judge === 'code' ? 'Code' : (model ?? 'A model')
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line py-2 text-sm last:border-b-0">
      <span className="flex w-56 min-w-0 flex-col max-sm:w-full">
        <span dir="auto" className="truncate font-medium" title={name}>
          {name}
        </span>
        {connectionId !== null && (
          <Link
            to="/settings/connections"
            className="truncate text-xs text-ink-3 hover:text-ink hover:underline"
          >
            {connection?.name ?? 'a deleted connection'}
          </Link>
        )}
        {connection !== undefined && (
          <span className="truncate text-xs text-ink-3" title={groupBounds(connection)}>
            {groupBounds(connection)}
          </span>
        )}
      </span>
      <span className="w-24 shrink-0">
        <Count value={waiting} /> waiting
      </span>
      <span className="flex min-w-48 flex-1 items-start gap-2">
        {problem === null ? (
          <Clock aria-hidden size={14} className="mt-0.5 shrink-0 text-ink-3" />
        ) : (
          <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0 text-warn" />
        )}
        <span dir="auto" className={`min-w-0 break-words ${problem === null ? 'text-ink-2' : 'text-warn'}`}>
          {asSentence(problem ?? 'In queue')}
          {until !== null && (
            <span className="text-ink-2">
              {' '}
              Checked again <RelativeTime time={until} />.
            </span>
          )}
        </span>
      </span>
    </li>
  )
}
