import type { AuditEntry } from '@plumbline/sdk'
import type { ReactNode } from 'react'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { ExactTime } from '../../ui/text/values.tsx'
import { type AuditChange, changesOf } from './audit-changes.ts'
import { actorOf, OutcomeBadge, type PeopleNames, targetOf } from './audit-columns.tsx'

interface AuditPanelProps {
  readonly entry: AuditEntry
  readonly names: PeopleNames
  readonly onClose: () => void
}

/** One entry: the actor, the origin, and the changes. */
export function AuditPanel({ entry, names, onClose }: AuditPanelProps) {
  const changes = changesOf(entry)
  const { actor, problem, requestHash, resourceId } = entry
  const target = targetOf(entry, names)
  return (
    <>
      <PanelHeader title={entry.operation} onClose={onClose} />
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        <dl className="text-sm">
          <Fact label="Time">
            <ExactTime time={entry.time} />
          </Fact>
          <Fact label="Who">{actorOf(entry)}</Fact>
          {actor.id !== '' && (
            <Fact label={actor.type === 'key' ? 'API key' : 'User account'}>{actor.id}</Fact>
          )}
          {resourceId !== '' && <Fact label="Target">{target}</Fact>}
          {target !== resourceId && resourceId !== actor.id && <Fact label="Target ID">{resourceId}</Fact>}
          <Fact label="Outcome">
            <OutcomeBadge {...entry} /> {entry.status > 0 && entry.status}{' '}
            {problem !== undefined && <code className="font-mono text-xs">{problem}</code>}
          </Fact>
          <Fact label="IP address">{entry.address}</Fact>
          <Fact label="User agent">{entry.userAgent === '' ? 'none' : entry.userAgent}</Fact>
          <Fact label="Workspace">{entry.workspaceId ?? 'none (the whole service)'}</Fact>
          <Fact label="Request">{entry.requestId}</Fact>
          {requestHash !== undefined && <Fact label="Body hash">{requestHash}</Fact>}
        </dl>
        <section aria-label="Changes" className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">Changes</h3>
          {changes.length === 0 ? (
            <p className="text-sm text-ink-3">
              Nothing to show: the log never holds secrets or end-user data.
            </p>
          ) : (
            <dl className="text-sm">{changes.map(Change)}</dl>
          )}
        </section>
      </div>
    </>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-start gap-4 border-b border-line py-1.5">
      <dt className="w-28 shrink-0 text-ink-2">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

function Change({ field, before, after }: AuditChange) {
  return (
    <div key={field} className="flex flex-col gap-1 border-b border-line py-1.5">
      <dt className="text-ink-2">{field}</dt>
      {before !== undefined && (
        <dd className="rounded-sm bg-bad-surface px-1 font-mono text-xs break-words whitespace-pre-wrap">
          <span className="sr-only">Before: </span>
          {before}
        </dd>
      )}
      {after !== undefined && (
        <dd className="rounded-sm bg-good-surface px-1 font-mono text-xs break-words whitespace-pre-wrap">
          <span className="sr-only">After: </span>
          {after}
        </dd>
      )}
    </div>
  )
}
