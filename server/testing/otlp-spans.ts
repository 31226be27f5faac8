/** Spans for tests: built by hand, or read from the captures in `fixtures/otlp`. */
import { readdirSync, readFileSync } from 'node:fs'
import { makeSpanRows, type SpanRows } from '../src/ingest/otlp/make-span-rows.ts'
import { readSpans } from '../src/ingest/otlp/receive/read-export.ts'
import type { Attributes, ReceivedSpan, ResolvedReferences, Span } from '../src/ingest/otlp/span.ts'
import { createTemplateCache } from '../src/workspace/template-cache.ts'

export const nothingResolved: ResolvedReferences = {
  featureSlug: null,
  experimentId: null,
  prompt: null,
  evaluatorRates: {},
  warnings: [],
}

const startNs = 1_760_000_000_000_000_000n

/** A span of one second, with a unique id unless `fields` has one. */
export function spanOf(fields: Partial<ReceivedSpan> & { attributes?: Attributes } = {}): ReceivedSpan {
  idCount++
  return {
    traceId: 'a'.repeat(32),
    spanId: idCount.toString(16).padStart(16, '0'),
    parentSpanId: null,
    name: 'work',
    kind: 1,
    startNs: startNs + BigInt(idCount) * 1_000_000n,
    endNs: startNs + BigInt(idCount) * 1_000_000n + 1_000_000_000n,
    attributes: {},
    events: [],
    links: [],
    status: { code: 0, message: '' },
    resource: {},
    scope: { name: '', version: '', attributes: {} },
    apiKeyId: 'key',
    receivedAtMs: 1_760_000_100_000,
    references: nothingResolved,
    ...fields,
  }
}
let idCount = 0

/** One of our trace ids; it starts with a time, like those created on arrival. */
export const traceIdOf = (rootId: string | null): string =>
  `0199d8a1-8c00-7000-8000-${(rootId ?? '0').slice(-12).padStart(12, '0')}`

/** Rows of spans, priced by the price list without overrides. */
export const rowsOf = (...spans: readonly ReceivedSpan[]): SpanRows =>
  makeSpanRows(spans, { workspaceId: 'w', traceIdOf }, { overrides: [], templates: createTemplateCache() })

/** The only log of a span, with its JSON parsed. */
export function logOf(fields: Partial<ReceivedSpan>) {
  const { traces } = rowsOf(spanOf(fields))
  const log = traces[0]!.logs[0]!
  const parse = (json: string | null) => (json === null ? null : JSON.parse(json))
  return { ...log, input: parse(log.input), output: parse(log.output), metadata: parse(log.metadata) }
}

const folder = new URL('../../fixtures/otlp/', import.meta.url)

/** The values that another system read from a captured span; we must read at least these. */
export interface ExpectedSpan {
  readonly spanId: string
  readonly kind: string
  readonly name: string
  readonly model: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}

/** Captures of real frameworks. */
export const captures: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && !name.includes('.expected.'))
  .map((name) => name.slice(0, -'.json'.length))

export function readCapture(name: string): { spans: ReceivedSpan[]; expectedLogs: ExpectedSpan[] } {
  const receive = (span: Span): ReceivedSpan => ({
    ...span,
    apiKeyId: 'key',
    receivedAtMs: 1_760_000_100_000,
    references: nothingResolved,
  })
  return {
    spans: readSpans(readFileSync(new URL(`${name}.json`, folder)), 'json').parts.map(receive),
    expectedLogs: JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8')),
  }
}
