/** Facts that every convention may have: environment and release of the application, tags, time to the first token. */
import { parseDateTime } from '@plumbline/contract/date-time'
import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import { numberOrUndefined, parseStructure, textOrUndefined } from '../json-value.ts'
import { fineUsageOf } from './fine-usage.ts'

export const generalFacts: Convention = {
  name: 'general',
  read(span) {
    const { resource } = span.span
    return {
      environment:
        span.text('langfuse.environment', 'deployment.environment.name', 'deployment.environment') ??
        textOrUndefined(resource['langfuse.environment']) ??
        textOrUndefined(resource['deployment.environment.name']) ??
        textOrUndefined(resource['deployment.environment']),
      release:
        span.text('langfuse.release') ??
        textOrUndefined(resource['langfuse.release']) ??
        versionOrNone(textOrUndefined(resource['service.version'])),
      tags: tagsOf(
        span.value('langfuse.trace.tags', 'langfuse.tags', 'tag.tags', 'langsmith.span.tags', 'logfire.tags'),
      ),
      timeToFirstTokenMs: timeToFirstTokenMs(span),
      ...fineUsageOf(span),
    }
  },
}

/** Some exporters send the word `unknown`. */
const versionOrNone = (version: string | undefined) => (version === 'unknown' ? undefined : version)

/** A list of texts, JSON text of one, or texts separated by commas. */
function tagsOf(value: unknown): SpanFacts['tags'] {
  const read = parseStructure(value)
  const tags = Array.isArray(read) ? read : typeof read === 'string' ? read.split(',') : []
  const texts = tags.flatMap((tag) => textOrUndefined(tag)?.trim() || [])
  return texts.length === 0 ? undefined : [...new Set(texts)]
}

/** In seconds, as in the metric of this name; Strands sends milliseconds. */
const serverTime = 'gen_ai.server.time_to_first_token'

function timeToFirstTokenMs(span: AttributeReader): number | undefined {
  const isOfStrands = span.span.scope.name.startsWith('strands.')
  const seconds = span.number(
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.client.operation.time_to_first_chunk',
    'lk.response.ttft',
    // Pipecat's name.
    'metrics.ttfb',
    ...(isOfStrands ? [] : [serverTime]),
  )
  const milliseconds =
    (seconds === undefined ? undefined : seconds * 1000) ??
    span.number('ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk', 'llm.time_to_first_token') ??
    (isOfStrands ? span.number(serverTime) : undefined) ??
    sinceStart(
      span,
      span.text('langfuse.observation.completion_start_time', 'mastra.completion_start_time'),
    ) ??
    sinceStartNs(span, span.events('First Token Stream Event', 'ai.stream.firstChunk')[0]?.timeNs)
  const { startNs, endNs } = span.span
  // LlamaIndex reports the first token of a stream after the end of the span.
  const durationMs = endNs === null ? Number.POSITIVE_INFINITY : Number(endNs - startNs) / 1e6
  return milliseconds !== undefined && milliseconds >= 0 && milliseconds <= durationMs
    ? milliseconds
    : undefined
}

/** A time in ISO 8601, which Langfuse sends as JSON text. */
function sinceStart(span: AttributeReader, time: string | undefined): number | undefined {
  const timeMs = time === undefined ? Number.NaN : parseDateTime(time.replaceAll('"', ''))
  return numberOrUndefined(timeMs - Number(span.span.startNs / 1000n) / 1000)
}

const sinceStartNs = (span: AttributeReader, timeNs: bigint | undefined): number | undefined =>
  timeNs === undefined || timeNs === 0n ? undefined : Number(timeNs - span.span.startNs) / 1e6
