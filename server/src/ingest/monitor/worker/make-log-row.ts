/** Builds the row of one log; counts tokens and computes the cost where the client sent none. */
import { recordedLogFields, recordedValues } from '@plumbline/contract/recorded-values'
import { renderPrompt, type TemplateCache } from '@plumbline/contract/templates'
import type { LogRow } from '@plumbline/storage/traces/rows'
import { durationOf } from '../../../json/timestamp.ts'
import { bucketsOf, otherBucketsOf } from '../../usage/buckets.ts'
import { countTokens } from '../../usage/count-tokens.ts'
import { priceUsage, withReport } from '../../usage/price.ts'
import type { PriceOverride } from '../../usage/price-override.ts'
import { textOf } from '../../usage/text-of.ts'
import { jsonOf } from '../json-of.ts'
import type { ServedPrompt } from '../record.ts'
import type { LogFacts, UsageFacts } from './log-facts.ts'

/** The context for building rows, besides the record itself. */
export interface RowContext {
  /** The price overrides of the record's workspace. */
  readonly overrides: readonly PriceOverride[]
  readonly templates: TemplateCache
}

/** The fields that a log takes over from its trace. */
export type TraceOfLog = Pick<
  LogRow,
  'workspaceId' | 'traceId' | 'traceStartUs' | 'featureSlug' | 'experimentId' | 'userId' | 'organizationId'
>

type Usage = Pick<
  LogRow,
  | 'input'
  | 'variables'
  | 'prompt'
  | 'promptSlug'
  | 'promptVersion'
  | 'model'
  | 'provider'
  | 'inputTokens'
  | 'outputTokens'
  | 'tokensEstimated'
  | 'freshInputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'textOutputTokens'
  | 'reasoningTokens'
  | 'otherTokens'
  | 'serviceTier'
  | 'cost'
  | 'costEstimate'
  | 'costDetail'
>

/** The row of the log at `position`. `makeTraceRows` sets `countsInTotals` and `costInTotals`, which depend on all logs. */
export function makeLogRow(trace: TraceOfLog, log: LogFacts, position: number, context: RowContext): LogRow {
  const { startUs, endUs } = log
  // Named properties come first: the engine copies them by shape, while it copies a later spread one by one.
  return {
    ...(log.usage === null
      ? { ...noUsage, input: jsonOf(log.input) }
      : usageOf(log, log.usage, startUs ?? trace.traceStartUs, context)),
    workspaceId: trace.workspaceId,
    traceId: trace.traceId,
    traceStartUs: trace.traceStartUs,
    featureSlug: trace.featureSlug,
    experimentId: trace.experimentId,
    userId: trace.userId,
    organizationId: trace.organizationId,
    position,
    logId: log.id,
    parentId: log.parentId,
    type: log.type,
    name: log.name,
    startUs,
    endUs,
    durationUs: durationOf(startUs, endUs),
    output: log.output?.json ?? null,
    idealOutput: jsonOf(log.idealOutput),
    metadata: jsonOf(log.metadata),
    evaluators: jsonOf(log.evaluators?.map(({ slug }) => ({ slug }))),
    countsInTotals: true,
    costInTotals: null,
    hasError: log.hasError,
    sent: null,
    ...recordedValues(recordedLogFields, (field) => log[field]),
  }
}

const noUsage: Omit<Usage, 'input'> = {
  variables: null,
  prompt: null,
  promptSlug: null,
  promptVersion: null,
  model: null,
  provider: null,
  inputTokens: null,
  outputTokens: null,
  tokensEstimated: false,
  freshInputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  textOutputTokens: null,
  reasoningTokens: null,
  otherTokens: {},
  serviceTier: null,
  cost: null,
  costEstimate: null,
  costDetail: null,
}

function usageOf(log: LogFacts, usage: UsageFacts, startUs: bigint, context: RowContext): Usage {
  const { servedPrompt, variables, model, provider, serviceTier } = usage
  const input = log.input ?? renderInput(servedPrompt, variables ?? [], context.templates)
  const hasContent = input != null || log.output?.value != null
  const countOf = (value: unknown) => {
    if (!usage.countsAbsentTokens || !hasContent) return null
    return value == null ? usage.tokensWithoutContent : countTokens(textOf(value), model).tokens
  }
  const inputTokens = usage.inputTokens ?? countOf(input)
  const outputTokens = usage.outputTokens ?? countOf(log.output?.value)
  const isKnown = inputTokens !== null || outputTokens !== null
  const { buckets } = bucketsOf({ inputTokens, outputTokens, details: usage.details })
  const detail = isKnown
    ? priceUsage({
        ...{ provider, model, buckets, serviceTier, overrides: context.overrides },
        time: new Date(Number(startUs / 1000n)),
      })
    : null
  return {
    input: jsonOf(input),
    variables: jsonOf(
      variables?.map(({ label, value }) => (value === undefined ? { label } : { label, value })),
    ),
    prompt: usage.prompt === null ? null : JSON.stringify(referenceOf(usage.prompt)),
    promptSlug: servedPrompt?.slug ?? usage.prompt?.slug ?? null,
    promptVersion: servedPrompt?.version ?? null,
    model,
    provider,
    inputTokens,
    outputTokens,
    // Tokens that were neither sent nor counted are no estimate.
    tokensEstimated:
      (usage.inputTokens === null && inputTokens !== null) ||
      (usage.outputTokens === null && outputTokens !== null),
    freshInputTokens: isKnown ? buckets.freshInput : null,
    cacheReadTokens: isKnown ? buckets.cacheRead : null,
    cacheWriteTokens: isKnown ? buckets.cacheWrite : null,
    textOutputTokens: isKnown ? buckets.textOutput : null,
    reasoningTokens: isKnown ? buckets.reasoning : null,
    otherTokens: isKnown ? otherBucketsOf(buckets) : {},
    serviceTier,
    cost: usage.cost ?? detail?.total ?? null,
    costEstimate: detail?.total ?? null,
    costDetail: jsonOf(detail === null ? null : withReport(detail, usage.cost)),
  }
}

/** The reference without unknown fields. */
const referenceOf = ({ slug, version, tag }: NonNullable<UsageFacts['prompt']>) => ({ slug, version, tag })

/** The messages that the prompt renders to; null if its template fails to render. */
function renderInput(
  prompt: ServedPrompt | undefined,
  variables: readonly { label: string; value?: unknown }[],
  templates: TemplateCache,
) {
  if (prompt?.template === undefined) return null
  const result = renderPrompt(prompt.template, variables, templates)
  return result.type === 'rendered' ? result.messages : null
}
