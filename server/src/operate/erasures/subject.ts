import { type InputOf, invalid, type operations } from '@plumbline/contract'
import type { DataSubject, TraceSelection } from '@plumbline/storage/traces'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Copies } from '../deletions/progress.ts'

/** By the id that the application uses. */
interface NamedSubject {
  readonly type: DataSubject['type']
  readonly id: string
}

/** The subject by its id, and by the forms that the workspace's masking rules turn the id into. */
export const findSubject = async (
  { type, id }: NamedSubject,
  { masking }: Pick<Workspace, 'masking'>,
): Promise<DataSubject> => ({ type, ids: [...new Set([id, ...(await masking.hashesOf(type, id))])] })

/** The subject that a request names; throws `invalid_request` unless it names exactly one. */
export function readSubject({
  userId,
  organizationId,
}: InputOf<typeof operations.erasures.create>): NamedSubject {
  if (userId != null && organizationId != null)
    throw invalid('organizationId', 'must not be combined with a userId')
  // Half a surrogate pair is stored as U+FFFD, since UTF-8 cannot encode it.
  if (userId != null) return { type: 'user', id: userId.toWellFormed() }
  if (organizationId != null) return { type: 'organization', id: organizationId.toWellFormed() }
  throw invalid('userId', 'is required, or an organizationId')
}

/** The subject's traces that have arrived by a given time. */
export function selectionsOfSubject(
  subject: DataSubject,
  base: Pick<TraceSelection, 'workspaceId' | 'untilMs'>,
): TraceSelection[] {
  const subjectSelection = { ...base, type: 'subject', subject } as const
  // Session traces are found through the user's traces, so they are deleted first.
  return subject.type === 'user'
    ? [{ ...base, type: 'sessions', userIds: subject.ids }, subjectSelection]
    : [subjectSelection]
}

const idsPerSelection = 2_000
/** The latest time that the trace store can compare: copies belong to the subject whenever they arrive. */
const endOfTimeMs = Date.UTC(2200, 0)

/** Traces that experiments recorded for the subject's rows. */
export function selectionsOfCopies(
  { rowIds, traceIds }: Copies,
  { subject, workspaceId }: { readonly subject: DataSubject; readonly workspaceId: string },
): TraceSelection[] {
  const base = { workspaceId, untilMs: endOfTimeMs }
  return [
    ...chunksOf(rowIds).map((ids) => ({ ...base, type: 'rows', rowIds: ids, subject }) as const),
    ...chunksOf(traceIds).map((ids) => ({ ...base, type: 'ids', traceIds: ids }) as const),
  ]
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / idsPerSelection) }, (_, index) =>
    ids.slice(index * idsPerSelection, (index + 1) * idsPerSelection),
  )
