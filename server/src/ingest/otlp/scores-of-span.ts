/** Scores that an application's own evaluators put on spans. */
import { hash } from 'node:crypto'
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { LogOfSpan } from './log-of-span.ts'

/** Rows of the scores of a span. Their ids derive from the span, so that each assembly gives the same rows. */
export function scoresOf(
  { span, read, facts }: LogOfSpan,
  { workspaceId, traceId }: { workspaceId: string; traceId: string },
): ScoreRow[] {
  return (read.facts.scores ?? []).map(({ name, value, comment, atMs }, index) => ({
    workspaceId,
    scoreId: idOf(`${span.traceId}/${span.spanId}/${index}/${name}`),
    traceId,
    logId: facts.id,
    sessionId: null,
    name,
    value,
    comment,
    createdAtMs: atMs ?? Number((span.endNs ?? span.startNs) / 1_000_000n),
    source: 'otlp',
    evaluatorSlug: null,
    evaluatorVersion: null,
    model: null,
    judgeTraceId: null,
    cost: null,
    inputTokens: null,
    outputTokens: null,
    apiKeyId: span.apiKeyId,
    author: null,
    userId: null,
    revision: 0,
  }))
}

/** A UUIDv8, the version for application-defined ids. */
function idOf(text: string): string {
  const hex = hash('sha256', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
