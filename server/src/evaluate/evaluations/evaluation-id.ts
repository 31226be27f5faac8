import { derivedId } from '../../id.ts'

/** The id of an evaluation and of its score: the same request always has the same id. */
export function evaluationId(input: {
  readonly workspaceId: string
  readonly traceId: string
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  readonly evaluatorVersion: number
  readonly digest: string
}): string {
  const key = [
    input.workspaceId,
    input.traceId,
    input.logId ?? null,
    input.evaluatorSlug,
    input.evaluatorVersion,
    input.digest,
  ]
  return derivedId(input.traceId, key)
}
