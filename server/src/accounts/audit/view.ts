import type { AuditActorType, AuditEntry, AuditOutcome, Timestamp } from '@plumbline/contract'
import type { AuditFilters, StoredAuditEntry } from '@plumbline/storage/control'
import { readInstant } from '../../traces/filters.ts'

/** An entry as the interface returns it. */
export const toAuditEntry = ({
  workspaceId,
  time,
  actor,
  outcome,
  problem,
  requestHash,
  before,
  after,
  ...entry
}: StoredAuditEntry): AuditEntry => ({
  ...entry,
  time: time.toISOString(),
  workspaceId: workspaceId === '' ? null : workspaceId,
  // Safe: only values in the contract are ever stored.
  actor: { ...actor, type: actor.type as AuditActorType },
  outcome: outcome as AuditOutcome,
  ...(problem === '' ? {} : { problem }),
  ...(requestHash === '' ? {} : { requestHash }),
  ...(before === undefined ? {} : { before: readState(before) }),
  ...(after === undefined ? {} : { after: readState(after) }),
})

/** Safe: only objects are written there. */
const readState = (text: string) => JSON.parse(text) as Record<string, unknown>

interface FilterInput extends Omit<AuditFilters, 'from' | 'to'> {
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
}

/** The filters of a request. */
export const readAuditFilters = ({ from, to, ...filters }: FilterInput): AuditFilters => ({
  ...filters,
  from: readTime(from, 'from'),
  to: readTime(to, 'to'),
})

/** Entries have millisecond precision: a bound within a millisecond starts with the next one. */
function readTime(value: Timestamp | undefined, path: string): Date | undefined {
  const micros = readInstant(value, path)
  return micros === undefined ? undefined : new Date(Math.ceil(Number(micros) / 1000))
}
