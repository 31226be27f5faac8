import { derivedId } from '../id.ts'

/** The id of an evaluation and of its score: whoever asks for the same judgement asks for the same id. */
export function evaluationId(of: {
  readonly workspaceId: string
  readonly traceId: string
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  readonly evaluatorVersion: number
  readonly digest: string
}): string {
  const key = [of.workspaceId, of.traceId, of.logId ?? null, of.evaluatorSlug, of.evaluatorVersion, of.digest]
  return derivedId(of.traceId, key)
}
