/** Fields of traces and generations that several conventions and the resource of a process name, each in its own words. */

import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import { textOrUndefined } from '../json-value.ts'

export const recordedFields: Convention = {
  name: 'recorded-fields',
  read: (span) => ({
    environment:
      span.text('langfuse.environment') ??
      text(span, 'deployment.environment.name') ??
      text(span, 'deployment.environment'),
    release: span.text('langfuse.release') ?? text(span, 'service.version'),
    tags: tagsOf(span),
    timeToFirstTokenMs: timeToFirstTokenOf(span),
  }),
}

/** An attribute of the span, else of its resource. */
const text = (span: AttributeReader, name: string): string | undefined =>
  span.text(name) ?? textOrUndefined(span.span.resource[name])

/** A list of texts, or one text. */
function tagsOf(span: AttributeReader): SpanFacts['tags'] {
  const tags = span.structure('langfuse.trace.tags', 'tag.tags')
  if (typeof tags === 'string') return [tags]
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : undefined
}

/** OpenTelemetry counts seconds, the AI SDK milliseconds; Langfuse names the moment, as JSON text. */
function timeToFirstTokenOf(span: AttributeReader): number | undefined {
  const seconds = span.number(
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.client.operation.time_to_first_chunk',
    'llm.time_to_first_token',
  )
  const began = span.text('langfuse.observation.completion_start_time')
  const beganMs = Date.parse(began?.replaceAll('"', '') ?? '')
  const milliseconds = span.number('ai.response.msToFirstChunk')
  if (seconds !== undefined) return seconds * 1000
  if (milliseconds !== undefined) return milliseconds
  return Number.isNaN(beganMs) ? undefined : beganMs - Number(span.span.startNs / 1000n) / 1000
}
