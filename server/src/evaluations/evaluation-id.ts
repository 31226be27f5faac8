import { hash } from 'node:crypto'

/**
 * The id of an evaluation and of its score: whoever asks for the same judgement asks for the same id. It begins as that
 * of the trace does, with the time of its arrival, and has the form of a UUIDv7.
 */
export function evaluationId(of: {
  readonly workspaceId: string
  readonly traceId: string
  readonly logId: string | undefined
  readonly evaluatorSlug: string
  readonly evaluatorVersion: number
  readonly digest: string
}): string {
  const key = [of.workspaceId, of.traceId, of.logId ?? null, of.evaluatorSlug, of.evaluatorVersion, of.digest]
  const hex = hash('sha256', JSON.stringify(key))
  return `${of.traceId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}
