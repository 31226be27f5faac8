/** The facts of a log before anything is computed, in one form for every protocol. */
import type { Log, LogType, Timestamp } from '@plumbline/contract'
import {
  type RecordedLogFields,
  recordedLogFields,
  recordedValues,
} from '@plumbline/contract/recorded-values'
import type { JsonText } from '@plumbline/storage/traces/rows'
import { readTimestamp } from '../../../json/timestamp.ts'
import { reportedTokens } from '../../usage/reported-tokens.ts'
import { serviceTierIn } from '../../usage/service-tier.ts'
import { textIn } from '../json-of.ts'
import type { ServedPrompt } from '../record.ts'

/** Fields that only generations record have no value for other logs. */
export interface LogFacts extends Readonly<RecordedLogFields> {
  readonly id: string
  readonly parentId: string | null
  readonly type: LogType
  readonly name: string | null
  readonly startUs: bigint | null
  readonly endUs: bigint | null
  readonly input: unknown
  /** As text too, since the JSON value null, which POST /monitor/log accepts, differs from no output. */
  readonly output: { readonly value: unknown; readonly json: JsonText } | null
  readonly idealOutput: unknown
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly evaluators: readonly { readonly slug: string }[] | null
  readonly hasError: boolean
  /** Present for a generation, and for any other log that reports tokens, a cost or a model. */
  readonly usage: UsageFacts | null
}

export interface UsageFacts {
  readonly variables: readonly { readonly label: string; readonly value?: unknown }[] | null
  readonly prompt: { readonly slug: string; readonly version?: unknown; readonly tag?: unknown } | null
  readonly servedPrompt: ServedPrompt | undefined
  readonly model: string | null
  readonly provider: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** A usage object as a model provider reports it. */
  readonly details: unknown
  /** How the provider processed the call, such as `batch`; null for the standard tier. */
  readonly serviceTier: string | null
  readonly cost: number | null
  /** Whether to count missing tokens: true for a generation. The tokens of an agent are in its generations. */
  readonly countsAbsentTokens: boolean
  /** The tokens of a side without content: 0 over REST; null for a span, which may leave its content out. */
  readonly tokensWithoutContent: 0 | null
  /** Whether another log of the trace reports the same call; then this one never counts in totals. */
  readonly isRepeated?: boolean
}

/** The facts of a log sent over REST. Null means no output, except where a log must have one. */
export function factsOfLog(
  log: Log,
  servedPrompt: ServedPrompt | undefined,
  { requiresOutput = false }: { readonly requiresOutput?: boolean } = {},
): LogFacts {
  const { metadata, output } = log
  const hasOutput = output != null || (requiresOutput && output === null)
  const reported = reportedTokens(metadata?.usage)
  return {
    id: log.id,
    parentId: log.parentId ?? null,
    type: log.type,
    name: log.name ?? null,
    startUs: microsIn(log.startTime),
    endUs: microsIn(log.endTime),
    input: log.input,
    output: hasOutput ? { value: output, json: JSON.stringify(output) } : null,
    idealOutput: log.idealOutput,
    metadata: metadata ?? null,
    evaluators: log.evaluators ?? null,
    hasError: isError(metadata?.error),
    ...recordedValues(recordedLogFields, (field) => (log.type === 'generation' ? log[field] : undefined)),
    usage:
      log.type === 'generation'
        ? {
            variables:
              log.variables?.map((variable) =>
                typeof variable === 'string' ? { label: variable } : variable,
              ) ?? null,
            prompt: log.prompt ?? null,
            servedPrompt,
            ...modelOfCall(metadata, servedPrompt),
            inputTokens: log.inputTokens ?? reported.inputTokens,
            outputTokens: log.outputTokens ?? reported.outputTokens,
            details: metadata?.usage,
            serviceTier: serviceTierIn(metadata),
            cost: log.cost ?? null,
            countsAbsentTokens: true,
            tokensWithoutContent: 0,
          }
        : null,
  }
}

/** A time that passed the checks of its trace. */
export const microsIn = (time: Timestamp | null | undefined): bigint | null =>
  time == null ? null : (readTimestamp(time) ?? null)

/** The model that the caller reports, else that of the prompt. The prompt's provider does not apply to another model. */
function modelOfCall(
  metadata: Log['metadata'],
  prompt: ServedPrompt | undefined,
): { model: string | null; provider: string | null } {
  const [model, provider] = [textIn(metadata, 'model'), textIn(metadata, 'provider')]
  const prompted = { model: prompt?.model || null, provider: prompt?.provider || null }
  if (model === null) return { model: prompted.model, provider: provider ?? prompted.provider }
  return { model, provider: provider ?? (model === prompted.model ? prompted.provider : null) }
}

/** `metadata.error` marks a failed log: a non-empty text, or an object. */
export const isError = (error: unknown): boolean =>
  typeof error === 'string' ? error !== '' : typeof error === 'object' && error !== null
