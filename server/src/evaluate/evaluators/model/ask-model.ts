/** Asks a model for a verdict: renders the prompt, parses the response, and retries once if it is malformed. */
import type { ModelJudge } from '@plumbline/contract'
import { renderPrompt } from '@plumbline/contract/templates'
import type { LanguageModel, ModelMessage } from 'ai'
import { type CallUsage, priceCall } from '../../../ingest/usage/price-call.ts'
import type { PriceOverride } from '../../../ingest/usage/price-override.ts'
import type { Subject } from '../rules/subject.ts'
import { type CallProblem, callProblem } from './call-problem.ts'
import type { JudgeCall } from './judge-call.ts'
import { describeForm, type ReadVerdict, readVerdict, verdictSchema } from './verdict-schema.ts'

/** The cost of a call, whether or not the response was usable. */
export interface Spend {
  /** US dollars; undefined if the price is unknown. */
  readonly cost?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export type ModelResult =
  | {
      readonly type: 'verdict'
      readonly value: boolean | number | string
      readonly comment: string
      readonly spend: Spend
    }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly spend: Spend }

export interface ModelCall {
  readonly judge: ModelJudge
  readonly languageModel: LanguageModel
  readonly provider: string
  readonly overrides: readonly PriceOverride[]
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Called with each model call, whatever its outcome. */
  readonly onCall: (call: JudgeCall) => void
}

const defaults = { timeoutMs: 60_000, maxOutputTokens: 4096 }
/** Malformed responses before giving up. */
const malformedMax = 2
/** Providers that reject a schema with bounds for numbers. */
const providersWithoutBounds: ReadonlySet<string> = new Set(['anthropic', 'bedrock'])

/** Never rejects for failures of the model or the network: those are results. */
export async function askModel(subject: Subject, options: ModelCall): Promise<ModelResult> {
  const { judge } = options
  const rendered = renderJudge(judge, subject)
  if (rendered.type === 'failed')
    return { type: 'problem', problem: { type: 'permanent', problem: rendered.reason }, spend: {} }
  const messages: ModelMessage[] = [...rendered.messages]
  let spend: Spend = {}
  for (let attempt = 1; ; attempt++) {
    const response = await callAndReport([...messages], options)
    spend = sum(spend, response.spend)
    if (response.type === 'problem' && response.problem.type !== 'malformed') return { ...response, spend }
    const parsed: ReadVerdict =
      response.type === 'text'
        ? readVerdict(response.text, judge.verdict)
        : { type: 'malformed', problem: response.problem.problem }
    if (parsed.type === 'read')
      return { type: 'verdict', value: parsed.value, comment: parsed.comment, spend }
    if (attempt === malformedMax) {
      const problem = `The model's answer was malformed ${malformedMax} times. ${parsed.problem}`
      return { type: 'problem', problem: { type: 'malformed', problem }, spend }
    }
    if (response.type === 'text' && response.text !== '')
      messages.push(
        { role: 'assistant', content: response.text },
        { role: 'user', content: `That cannot be read. ${parsed.problem} ${describeForm(judge.verdict)}` },
      )
  }
}

interface JudgeMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** The prompt of a judge: the description of the form, and its template rendered for the subject. */
export function renderJudge(
  judge: ModelJudge,
  subject: Subject,
): { type: 'rendered'; messages: JudgeMessage[] } | { type: 'failed'; reason: string } {
  const rendered = renderPrompt(
    { text: judge.template, systemText: judge.systemTemplate ?? '' },
    variablesOf(subject),
  )
  if (rendered.type === 'failed') return { type: 'failed', reason: rendered.reason }
  const [system = '', user = ''] = (['system', 'user'] as const).map(
    (role) => rendered.messages.find((message) => message.role === role)?.content,
  )
  const content = [system, describeForm(judge.verdict)].filter((text) => text !== '').join('\n\n')
  return {
    type: 'rendered',
    messages: [
      { role: 'system', content },
      { role: 'user', content: user },
    ],
  }
}

type ModelResponse =
  | { readonly type: 'text'; readonly text: string; readonly spend: Spend }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly spend: Spend }

async function callAndReport(messages: ModelMessage[], options: ModelCall): Promise<ModelResponse> {
  const startedAt = options.now()
  const response = await call(messages, options)
  options.onCall({
    operation: 'chat',
    model: options.judge.model,
    provider: options.provider,
    input: messages,
    output: response.type === 'text' ? response.text : null,
    problem: response.type === 'text' ? undefined : response.problem.problem,
    spend: response.spend,
    startedAt,
    endedAt: options.now(),
  })
  return response
}

async function call(messages: ModelMessage[], options: ModelCall): Promise<ModelResponse> {
  const { judge, languageModel, provider, signal, now } = options
  const { generateText, jsonSchema, NoObjectGeneratedError, Output } = await import('ai')
  // Keeps the SDK from logging unsupported settings to the console.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const schema = verdictSchema(judge.verdict, !providersWithoutBounds.has(provider))
  try {
    const { text, totalUsage } = await generateText({
      model: languageModel,
      messages,
      allowSystemInMessages: true,
      output: Output.object({ schema: jsonSchema(schema), name: 'judgement' }),
      ...(judge.temperature == null ? {} : { temperature: judge.temperature }),
      ...(judge.seed == null ? {} : { seed: judge.seed }),
      maxOutputTokens: judge.maxOutputTokens ?? defaults.maxOutputTokens,
      // The queue retries, with backoff.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(judge.timeoutMs ?? defaults.timeoutMs)]),
    })
    return { type: 'text', text, spend: spendOf(totalUsage, options) }
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error))
      return { type: 'text', text: error.text ?? '', spend: spendOf(error.usage ?? {}, options) }
    return { type: 'problem', problem: callProblem(error, now()), spend: {} }
  }
}

function spendOf(usage: CallUsage, { judge, provider, overrides, now }: ModelCall): Spend {
  const priced = priceCall(usage, { provider, model: judge.model, time: now(), overrides })
  if (priced.usage === null) return {}
  const { inputTokens, outputTokens } = priced.usage
  return { inputTokens, outputTokens, ...(priced.cost === null ? {} : { cost: priced.cost }) }
}

const sum = (first: Spend, second: Spend): Spend => {
  const keys = ['cost', 'inputTokens', 'outputTokens'] as const
  return Object.fromEntries(
    keys.flatMap((key) =>
      first[key] === undefined && second[key] === undefined
        ? []
        : [[key, (first[key] ?? 0) + (second[key] ?? 0)]],
    ),
  )
}

const variablesOf = ({ input, output, idealOutput, variables, metadata, context, turns }: Subject) =>
  Object.entries({
    input,
    output,
    idealOutput,
    variables,
    metadata,
    context: context.map(textOf).join('\n\n') || undefined,
    turns,
  }).map(([label, value]) => ({ label, value }))

/** Retrievals record documents as texts, or as objects that contain one. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('\n\n')
  if (typeof value === 'object' && value !== null) {
    const { content, text, documents } = value as Readonly<Record<string, unknown>>
    const inner = content ?? text ?? documents
    if (inner !== undefined && inner !== null) return textOf(inner)
  }
  return JSON.stringify(value) ?? ''
}
