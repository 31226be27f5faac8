/** Turns one span into a log. */
import { recordedLogFields, recordedValues } from '@plumbline/contract/recorded-values'
import { sharedJsonOf } from '../monitor/json-of.ts'
import type { LogFacts } from '../monitor/worker/log-facts.ts'
import { isError } from '../monitor/worker/log-facts.ts'
import { type InterpretedSpan, interpretSpan } from './interpret-span.ts'
import { otelMetadata } from './otel-metadata.ts'
import type { ReceivedSpan } from './span.ts'
import { type SpanFlag, usageOf } from './usage.ts'

export interface LogOfSpan {
  readonly span: ReceivedSpan
  readonly read: InterpretedSpan
  /** Without the raw span, which `factsWithSpan` adds. */
  readonly facts: LogFacts
  readonly flags: readonly SpanFlag[]
}

/** The log of a span: its id is the span's, and its parent is in the same trace. */
export function logOfSpan(
  span: ReceivedSpan,
  { parent, isRoot }: { parent: ReceivedSpan | undefined; isRoot: boolean },
): LogOfSpan {
  const read = interpretSpan(span)
  const { usage, flags } = usageOf(read, span)
  const { facts, input, output } = read
  const { parameters } = facts
  const metadata = { ...(parameters && { parameters }), ...facts.metadata, ...errorIn(read) }
  return {
    span,
    read,
    flags,
    facts: {
      id: span.spanId,
      parentId: parent?.spanId ?? null,
      type: read.type,
      name: read.name,
      startUs: span.startNs / 1000n,
      endUs: span.endNs === null ? null : span.endNs / 1000n,
      input,
      output: output === undefined ? null : { value: output, json: jsonTextOf(output) },
      idealOutput: isRoot ? undefined : facts.idealOutput,
      metadata,
      // Evaluators of a root belong to the trace.
      evaluators: isRoot ? null : (facts.evaluators?.map((slug) => ({ slug })) ?? null),
      hasError: isError(metadata.error),
      ...recordedValues(recordedLogFields, (field) =>
        read.type === 'generation' ? facts[field] : undefined,
      ),
      usage,
    },
  }
}

const jsonTextOf = (output: unknown): string =>
  typeof output === 'object' && output !== null ? sharedJsonOf(output) : JSON.stringify(output)

/** The final facts of a log, with the raw span and its flags in the metadata. */
export function factsWithSpan({ span, read, flags, facts }: LogOfSpan): LogFacts {
  const otel = otelMetadata(span, read, flags, read.notUnderstood)
  return { ...facts, metadata: { ...facts.metadata, otel } }
}

/** `metadata.error` marks a failed log; an error that the application set there is kept. */
function errorIn({ facts: { error, metadata } }: InterpretedSpan): { error?: unknown } {
  if (error === undefined || isError(metadata?.error)) return {}
  const { type, message } = error
  const description = {
    ...(type === undefined ? {} : { type }),
    ...(message === undefined ? {} : { message }),
  }
  return { error: Object.keys(description).length === 0 ? { message: 'The span failed.' } : description }
}
