/** Scores that an application's own evaluators set on spans. */
import { hash } from 'node:crypto'
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { SpanScore } from './facts.ts'
import type { LogOfSpan } from './log-of-span.ts'

/**
 * Rows of the scores of a span. Their ids derive from the span and from the event itself, so that each assembly gives the
 * same rows, even after an earlier event has arrived: a score is stored once under its id, and never replaced.
 */
export function scoresOf(
  { span, read, facts }: LogOfSpan,
  trace: { readonly workspaceId: string; readonly traceId: string; readonly hasLog: (id: string) => boolean },
): ScoreRow[] {
  const { workspaceId, traceId } = trace
  const occurrences = new Map<string, number>()
  return (read.facts.scores ?? []).map(({ name, value, comment, atMs, subject }) => ({
    workspaceId,
    scoreId: idOf(
      `${span.traceId}/${span.spanId}/${nextOccurrence(occurrences, atMs === null ? name : `${name}/${atMs}/${JSON.stringify(value)}`)}`,
    ),
    traceId,
    ...subjectOf(subject, { ownId: facts.id, session: read.facts.sessionId, hasLog: trace.hasLog }),
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

/** The log or the session that a score applies to; neither for the trace. Without a session, it applies to the trace. */
function subjectOf(
  subject: SpanScore['subject'],
  { ownId, session, hasLog }: { ownId: string; session: string | undefined; hasLog: (id: string) => boolean },
): Pick<ScoreRow, 'logId' | 'sessionId'> {
  if (subject === 'trace' || subject === 'session')
    return { logId: null, sessionId: subject === 'session' ? (session ?? null) : null }
  const isInTrace = subject !== undefined && hasLog(subject.spanId)
  return { logId: isInTrace ? subject.spanId : ownId, sessionId: null }
}

/** The text with the number of its earlier occurrences. */
function nextOccurrence(occurrences: Map<string, number>, text: string): string {
  const count = occurrences.get(text) ?? 0
  occurrences.set(text, count + 1)
  return `${count}/${text}`
}

/** A UUIDv8, the version for application-defined ids. */
function idOf(text: string): string {
  const hex = hash('sha256', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
