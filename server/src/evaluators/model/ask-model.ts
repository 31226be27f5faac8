/** Has a model judge: the question is rendered, the answer has to be of a form, and one that is not is asked for once more. */
import type { ModelJudge } from '@plumbline/contract'
import { renderPrompt } from '@plumbline/contract/templates'
import type { LanguageModel, ModelMessage } from 'ai'
import { type CallUsage, priceCall } from '../../usage/price-call.ts'
import type { PriceOverride } from '../../usage/price-override.ts'
import type { Subject } from '../rules/subject.ts'
import { type CallProblem, callProblem } from './call-problem.ts'
import { formInWords, type ReadVerdict, readVerdict, verdictSchema } from './verdict-schema.ts'

/** What is paid for an answer, however good it is. */
export interface Paid {
  /** US dollars; undefined where the price is not known. */
  readonly cost?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export type ModelAnswer =
  | {
      readonly type: 'verdict'
      readonly value: boolean | number | string
      readonly comment: string
      readonly paid: Paid
    }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly paid: Paid }

export interface Asking {
  readonly judge: ModelJudge
  readonly opened: LanguageModel
  readonly provider: string
  readonly overrides: readonly PriceOverride[]
  readonly signal: AbortSignal
  readonly now: () => Date
}

const defaults = { timeoutMs: 60_000, maxOutputTokens: 4096 }
/** Answers that are not of the form, before it is given up. */
const malformedMax = 2
/** Providers that refuse a schema with bounds for numbers. */
const withoutBounds: ReadonlySet<string> = new Set(['anthropic', 'bedrock'])

/** Never rejects for what the model, or the way to it, did wrong. */
export async function askModel(subject: Subject, asking: Asking): Promise<ModelAnswer> {
  const { judge } = asking
  const rendered = renderPrompt(
    { text: judge.template, systemText: judge.systemTemplate ?? '' },
    variablesOf(subject),
  )
  if (rendered.type === 'failed')
    return { type: 'problem', problem: { type: 'refused', problem: rendered.reason }, paid: {} }
  const [system = '', user = ''] = (['system', 'user'] as const).map(
    (role) => rendered.messages.find((message) => message.role === role)?.content,
  )
  const messages: ModelMessage[] = [
    {
      role: 'system',
      content: [system, formInWords(judge.verdict)].filter((text) => text !== '').join('\n\n'),
    },
    { role: 'user', content: user },
  ]
  let paid: Paid = {}
  for (let asked = 1; ; asked++) {
    const answer = await call(messages, asking)
    paid = sum(paid, answer.paid)
    if (answer.type === 'problem' && answer.problem.type !== 'malformed') return { ...answer, paid }
    const read: ReadVerdict =
      answer.type === 'text'
        ? readVerdict(answer.text, judge.verdict)
        : { type: 'malformed', problem: answer.problem.problem }
    if (read.type === 'read') return { type: 'verdict', value: read.value, comment: read.comment, paid }
    if (asked === malformedMax) {
      const problem = `The model's answer was malformed ${malformedMax} times. ${read.problem}`
      return { type: 'problem', problem: { type: 'malformed', problem }, paid }
    }
    if (answer.type === 'text' && answer.text !== '')
      messages.push(
        { role: 'assistant', content: answer.text },
        { role: 'user', content: `That cannot be read. ${read.problem} ${formInWords(judge.verdict)}` },
      )
  }
}

type Answered =
  | { readonly type: 'text'; readonly text: string; readonly paid: Paid }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly paid: Paid }

async function call(messages: ModelMessage[], asking: Asking): Promise<Answered> {
  const { judge, opened, provider, signal, now } = asking
  const { generateText, jsonSchema, NoObjectGeneratedError, Output } = await import('ai')
  // The SDK would write to the console of the service what a model does not take.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const schema = verdictSchema(judge.verdict, !withoutBounds.has(provider))
  try {
    const { text, totalUsage } = await generateText({
      model: opened,
      messages,
      allowSystemInMessages: true,
      output: Output.object({ schema: jsonSchema(schema), name: 'judgement' }),
      ...(judge.temperature == null ? {} : { temperature: judge.temperature }),
      ...(judge.seed == null ? {} : { seed: judge.seed }),
      maxOutputTokens: judge.maxOutputTokens ?? defaults.maxOutputTokens,
      // The queue tries again, and lets others go first.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(judge.timeoutMs ?? defaults.timeoutMs)]),
    })
    return { type: 'text', text, paid: paidFor(totalUsage, asking) }
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error))
      return { type: 'text', text: error.text ?? '', paid: paidFor(error.usage ?? {}, asking) }
    return { type: 'problem', problem: callProblem(error, now()), paid: {} }
  }
}

function paidFor(usage: CallUsage, { judge, provider, overrides, now }: Asking): Paid {
  const priced = priceCall(usage, { provider, model: judge.model, at: now(), overrides })
  if (priced.usage === null) return {}
  const { inputTokens, outputTokens } = priced.usage
  return { inputTokens, outputTokens, ...(priced.cost === null ? {} : { cost: priced.cost }) }
}

const sum = (one: Paid, other: Paid): Paid => {
  const keys = ['cost', 'inputTokens', 'outputTokens'] as const
  return Object.fromEntries(
    keys.flatMap((key) =>
      one[key] === undefined && other[key] === undefined ? [] : [[key, (one[key] ?? 0) + (other[key] ?? 0)]],
    ),
  )
}

const variablesOf = ({ input, output, idealOutput, variables, metadata, context }: Subject) =>
  Object.entries({
    input,
    output,
    idealOutput,
    variables,
    metadata,
    context: context.map(textOf).join('\n\n') || undefined,
  }).map(([label, value]) => ({ label, value }))

/** Retrievals tell of documents as texts, or as objects that have one. */
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
