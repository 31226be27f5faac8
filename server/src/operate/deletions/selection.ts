/** Which traces a deletion is about, as stored with the deletion. */
import { type InputOf, invalid, type operations } from '@plumbline/contract'
import type { Deletion } from '@plumbline/storage/control'
import type { DataSubject, TraceFilters, TraceSelection } from '@plumbline/storage/traces'
import { readFilters } from '../../traces/filters.ts'
import { selectionsOfCopies, selectionsOfSubject } from '../erasures/subject.ts'
import { progressOf } from './progress.ts'

type DeletionRequest = InputOf<typeof operations.deletions.create>

/** The traces of `deletions.create`; a filter is stored as it was sent. */
export type StoredSelection =
  | { readonly ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, unknown>> }

/** Validates the request; throws `invalid_request`. */
export function readSelection({ ids, filter }: DeletionRequest): StoredSelection {
  if (ids != null && filter != null) throw invalid('filter', 'must not be combined with ids')
  if (ids != null) return { ids: [...new Set(ids.map((id) => id.toLowerCase()))] }
  if (filter == null) throw invalid('ids', 'is required, or a filter')
  const isEmpty = Object.values(filter).every((value) => value === '')
  if (isEmpty || !hasCondition(readFilters(filter)))
    throw invalid('filter', 'must have at least one condition; to delete everything, delete the workspace')
  return { filter }
}

/** Whether a trace has to meet any condition: an empty list of conditions and a search without words have none. */
function hasCondition({ where = [], q = '', fromUs, toUs, receivedFromMs }: TraceFilters): boolean {
  return (
    [fromUs, toUs, receivedFromMs].some((instant) => instant !== undefined) ||
    q.trim() !== '' ||
    where.some(
      ({ field: _field, isOfLog: _isOfLog, not = [], ...others }) =>
        not.length > 0 || Object.values(others).some((value) => value !== undefined),
    )
  )
}

/** The subject of an erasure. */
export function subjectOf({
  type,
  selection,
}: Pick<Deletion, 'type' | 'selection'>): DataSubject | undefined {
  if (type === 'traces' || selection === undefined) return undefined
  // Safe: `erasures.create` wrote it; earlier releases wrote only the id.
  const { id, hashes = [] } = JSON.parse(selection) as { id: string; hashes?: string[] }
  return { type, ids: [id, ...hashes] }
}

/** What the store deletes, in order, including copies that an erasure has found. */
export function selectionsToDelete(deletion: Deletion): TraceSelection[] {
  const subject = subjectOf(deletion)
  const { copies } = progressOf(deletion)
  return subject === undefined || copies === undefined
    ? selectionsOf(deletion)
    : [...selectionsOf(deletion), ...selectionsOfCopies(copies, { ...deletion, subject })]
}

/** The traces that a request names. */
export function selectionsOf(
  deletion: Pick<Deletion, 'workspaceId' | 'type' | 'selection' | 'requestedAt'>,
): TraceSelection[] {
  const { workspaceId, requestedAt, selection } = deletion
  const base = { workspaceId, untilMs: requestedAt.getTime() }
  const subject = subjectOf(deletion)
  if (subject !== undefined) return selectionsOfSubject(subject, base)
  // Safe: `readSelection` created it.
  return [toTraceSelection(JSON.parse(selection ?? '{"ids":[]}') as StoredSelection, base)]
}

export function toTraceSelection(
  row: StoredSelection,
  base: Pick<TraceSelection, 'workspaceId' | 'untilMs'>,
): TraceSelection {
  if ('ids' in row) return { ...base, type: 'ids', traceIds: row.ids }
  // Safe: the contract's schema accepts only filters.
  const filters = readFilters(row.filter as Parameters<typeof readFilters>[0])
  return { ...base, type: 'filters', filters }
}
