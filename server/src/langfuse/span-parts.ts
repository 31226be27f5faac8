/** Parts of spans as OpenTelemetry exports in JSON. */
import { spanUpdateEvent } from '../ingest/otlp/assembly/span-updates.ts'

type AttributeValue = string | number | boolean | readonly string[]

export interface SpanPart {
  /** OpenTelemetry's ids. */
  readonly traceId: string
  readonly spanId: string
  readonly timeNs: bigint
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

const scope = { name: 'langfuse-ingestion' }

/** Each part as a log record of its span. */
export const logsExport = (parts: readonly SpanPart[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              scope,
              logRecords: parts.map(({ traceId, spanId, timeNs, attributes }) => ({
                ...{ traceId, spanId, timeUnixNano: String(timeNs), eventName: spanUpdateEvent },
                attributes: wireAttributes(attributes),
              })),
            },
          ],
        },
      ],
    }),
  )

/**
 * Parts that refer to a prompt, as spans too, since references are resolved when a span is accepted. Undefined if there
 * are none.
 */
export function tracesExport(parts: readonly SpanPart[]): Buffer | undefined {
  const promptParts = parts.filter(({ attributes }) => promptKeys.some((key) => key in attributes))
  if (promptParts.length === 0) return undefined
  const spans = promptParts.map(({ traceId, spanId, timeNs, attributes }) => ({
    ...{ traceId, spanId, startTimeUnixNano: String(timeNs) },
    attributes: wireAttributes(
      Object.fromEntries(promptKeys.flatMap((key) => (key in attributes ? [[key, attributes[key]!]] : []))),
    ),
  }))
  return Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] }))
}

const promptKeys = ['langfuse.observation.prompt.name', 'langfuse.observation.prompt.version']

const wireAttributes = (attributes: SpanPart['attributes']): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: wireValue(value) }))

function wireValue(value: SpanPart['attributes'][string]): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { doubleValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
}
