/** The row of one log, with its tokens counted and its cost priced where the client gave none. */
import type { Log } from '@plumbline/contract'
import type { LogRow } from '@plumbline/storage/traces/rows'
import type { TemplateCache } from '../prompts/parse-template.ts'
import { renderPrompt } from '../prompts/render.ts'
import { bucketsOf } from '../usage/buckets.ts'
import { countTokens } from '../usage/count-tokens.ts'
import { priceUsage } from '../usage/price.ts'
import type { PriceOverride } from '../usage/price-override.ts'
import { textOf } from '../usage/text-of.ts'
import { jsonOf, textIn } from './json-of.ts'
import type { ServedPrompt } from './record.ts'
import { readTimestamp } from './timestamp.ts'

/** What rows are made with, beside the record itself. */
export interface Means {
  /** Of the record's workspace. */
  readonly overrides: readonly PriceOverride[]
  readonly templates: TemplateCache
}

/** What every log has from its trace. */
export type TraceOfLog = Pick<
  LogRow,
  'workspaceId' | 'traceId' | 'traceStartUs' | 'featureSlug' | 'experimentId' | 'userId' | 'organizationId'
>

type Generation = Extract<Log, { type: 'generation' }>
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
  | 'cost'
  | 'costEstimate'
  | 'costDetail'
>

/** The row of the log at `position`; `countsInTotals` and `costInTotals` are settled by the trace, which knows the others. */
export function makeLogRow(
  of: TraceOfLog,
  log: Log,
  position: number,
  served: ServedPrompt | undefined,
  means: Means,
): LogRow {
  const startUs = log.startTime == null ? null : (readTimestamp(log.startTime) ?? null)
  const endUs = log.endTime == null ? null : (readTimestamp(log.endTime) ?? null)
  const at = new Date(Number((startUs ?? of.traceStartUs) / 1000n))
  return {
    ...of,
    position,
    logId: log.id,
    parentId: log.parentId ?? null,
    type: log.type,
    name: log.name ?? null,
    startUs,
    endUs,
    durationUs: startUs === null || endUs === null ? null : endUs - startUs,
    // Not `jsonOf`: null is a value as the output of POST /monitor/log.
    output: log.output === undefined ? null : JSON.stringify(log.output),
    idealOutput: jsonOf(log.idealOutput),
    metadata: jsonOf(log.metadata),
    evaluators: jsonOf(log.evaluators?.map(({ slug }) => ({ slug }))),
    countsInTotals: true,
    costInTotals: null,
    hasError: isError(log.metadata?.error),
    sent: null,
    ...(log.type === 'generation'
      ? usageOf(log, served, at, means)
      : { ...noUsage, input: jsonOf(log.input) }),
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
  cost: null,
  costEstimate: null,
  costDetail: null,
}

function usageOf(log: Generation, served: ServedPrompt | undefined, at: Date, means: Means): Usage {
  const variables = log.variables?.map((variable) =>
    typeof variable === 'string' ? { label: variable } : variable,
  )
  const input = log.input ?? rendered(served, variables, means.templates)
  const model = served?.model || textIn(log.metadata, 'model')
  const provider = served?.provider || textIn(log.metadata, 'provider')
  const inputTokens = log.inputTokens ?? countTokens(textOf(input), model).tokens
  const outputTokens = log.outputTokens ?? countTokens(textOf(log.output), model).tokens
  const { buckets } = bucketsOf({ inputTokens, outputTokens, details: log.metadata?.usage })
  const detail = priceUsage({ provider, model, at, buckets, overrides: means.overrides })
  return {
    input: jsonOf(input),
    variables: jsonOf(
      variables?.map(({ label, value }) => (value === undefined ? { label } : { label, value })),
    ),
    prompt: log.prompt == null ? null : JSON.stringify(referenceOf(log.prompt)),
    promptSlug: served?.slug ?? log.prompt?.slug ?? null,
    promptVersion: served?.version ?? null,
    model,
    provider,
    inputTokens,
    outputTokens,
    tokensEstimated: log.inputTokens == null || log.outputTokens == null,
    freshInputTokens: buckets.freshInput,
    cacheReadTokens: buckets.cacheRead,
    cacheWriteTokens: buckets.cacheWrite,
    textOutputTokens: buckets.textOutput,
    reasoningTokens: buckets.reasoning,
    cost: log.cost ?? detail?.total ?? null,
    costEstimate: detail?.total ?? null,
    costDetail: jsonOf(detail),
  }
}

/** The reference as it was sent, without fields that the interface does not know. */
const referenceOf = ({ slug, version, tag }: NonNullable<Generation['prompt']>) => ({ slug, version, tag })

/** The messages that the prompt makes; none where its template cannot render. */
function rendered(
  served: ServedPrompt | undefined,
  variables: readonly { label: string; value?: unknown }[] | undefined,
  templates: TemplateCache,
) {
  if (served?.template === undefined) return null
  const result = renderPrompt(served.template, variables ?? [], templates)
  return result.type === 'rendered' ? result.messages : null
}

/** `metadata.error` marks a failed log: a text or an object that says something. */
const isError = (error: unknown): boolean =>
  typeof error === 'string' ? error !== '' : typeof error === 'object' && error !== null
