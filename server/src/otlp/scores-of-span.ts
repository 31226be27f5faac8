/** Judgements that an application's own evaluators put on spans. */
import { hash } from 'node:crypto'
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { LogOfSpan } from './log-of-span.ts'

/** Rows of the scores a span carries; their ids follow from the span, so that making them again makes the same. */
export function scoresOf(
  { span, read, facts }: LogOfSpan,
  { workspaceId, traceId }: { workspaceId: string; traceId: string },
): ScoreRow[] {
  return (read.facts.scores ?? []).map(({ name, value, comment, atMs }, at) => ({
    workspaceId,
    scoreId: idOf(`${span.traceId}/${span.spanId}/${at}/${name}`),
    traceId,
    logId: facts.id,
    name,
    value,
    comment,
    createdAtMs: atMs ?? Number((span.endNs ?? span.startNs) / 1_000_000n),
    source: 'otlp',
    evaluatorSlug: null,
    evaluatorVersion: null,
    model: null,
    cost: null,
    inputTokens: null,
    outputTokens: null,
    apiKeyId: span.apiKeyId,
    author: null,
    userId: null,
    revision: 0,
  }))
}

/** A UUID of version 8, which is for ids that an application derives. */
function idOf(text: string): string {
  const hex = hash('sha256', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
