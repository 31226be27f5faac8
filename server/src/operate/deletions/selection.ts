/** Which traces a deletion is about, as it is stored with the deletion. */
import { type InputOf, invalid, type operations } from '@plumbline/contract'
import type { Deletion } from '@plumbline/storage/control'
import type { DataSubject, TraceFilters, TraceSelection } from '@plumbline/storage/traces'
import { readFilters } from '../../traces/filters.ts'
import { selectionsOfCopies, selectionsOfSubject } from '../erasures/subject.ts'
import { progressOf } from './progress.ts'

type DeletionRequest = InputOf<typeof operations.deletions.create>

/** The traces of `deletions.create`; the filter is as it was sent. */
export type StoredSelection =
  | { readonly ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, unknown>> }

/** Checks what was sent; throws `invalid_request`. */
export function readSelection({ ids, filter }: DeletionRequest): StoredSelection {
  if (ids != null && filter != null) throw invalid('filter', 'must be absent where there are ids')
  if (ids != null) return { ids: [...new Set(ids.map((id) => id.toLowerCase()))] }
  if (filter == null) throw invalid('ids', 'must be there, or a filter')
  const isEmpty = Object.values(filter).every((value) => value === '')
  if (isEmpty || !hasCondition(readFilters(filter)))
    throw invalid(
      'filter',
      'must have at least one condition; whoever wants to delete everything deletes the workspace',
    )
  return { filter }
}

/** Whether there is anything that a trace has to meet: a list of no conditions and a search for no words have nothing. */
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
  // Safe: `erasures.create` wrote it; releases before wrote the id alone.
  const { id, hashes = [] } = JSON.parse(selection) as { id: string; hashes?: string[] }
  return { type, ids: [id, ...hashes] }
}

/** What the store deletes, in order: also the copies that an erasure has found. */
export function selectionsToDelete(deletion: Deletion): TraceSelection[] {
  const subject = subjectOf(deletion)
  const { copies } = progressOf(deletion)
  return subject === undefined || copies === undefined
    ? selectionsOf(deletion)
    : [...selectionsOf(deletion), ...selectionsOfCopies(copies, { ...deletion, subject })]
}

/** What a request names. */
export function selectionsOf(
  deletion: Pick<Deletion, 'workspaceId' | 'type' | 'selection' | 'requestedAt'>,
): TraceSelection[] {
  const { workspaceId, requestedAt, selection } = deletion
  const base = { workspaceId, untilMs: requestedAt.getTime() }
  const subject = subjectOf(deletion)
  if (subject !== undefined) return selectionsOfSubject(subject, base)
  // Safe: `readSelection` made it.
  return [toTraceSelection(JSON.parse(selection ?? '{"ids":[]}') as StoredSelection, base)]
}

export function toTraceSelection(
  row: StoredSelection,
  base: Pick<TraceSelection, 'workspaceId' | 'untilMs'>,
): TraceSelection {
  if ('ids' in row) return { ...base, type: 'ids', traceIds: row.ids }
  // Safe: the contract's schema let only filters in.
  const filters = readFilters(row.filter as Parameters<typeof readFilters>[0])
  return { ...base, type: 'filters', filters }
}
