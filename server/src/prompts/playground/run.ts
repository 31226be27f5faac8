import { type InputOf, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { PromptTexts } from '@plumbline/contract/templates'
import type { LanguageModel, ModelMessage } from 'ai'
import { priceCall } from '../../ingest/usage/price-call.ts'
import type { OpenModel } from '../../outbound/connections/models.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import { EventStream } from '../../requests/responses.ts'
import type { Context, Verb } from '../../requests/verb.ts'
import { checkMessages, readExtras } from '../../workspace/extras.ts'
import { includeParts } from '../../workspace/include-parts.ts'
import { cutProblem, type Parameters, startCall, wasCut } from './call.ts'
import { findPrompt, renderDraft } from './draft.ts'
import { toModelMessages } from './messages.ts'
import { recordRun } from './record-run.ts'

type RunInput = InputOf<typeof operations.playground.run>

/** Checks everything before the first event, so that an invalid request is an error, not an event. */
export const makeRun =
  (openModel: OpenModel): Verb<typeof operations.playground.run> =>
  async (input, context) => {
    const { workspace } = context
    const connection = await workspace.connections.find(input.connectionId)
    if (connection === undefined) throw new ServiceError('connection_not_found', { id: input.connectionId })
    if (input.featureSlug != null && !(await workspace.cache.hasFeature(input.featureSlug)))
      throw new ServiceError('feature_not_found', { slug: input.featureSlug })
    const promptVersion = input.prompt == null ? undefined : await findPrompt(input.prompt, workspace)
    const draft = promptVersion ?? (await draftOf(input, workspace))
    const model = input.model ?? (promptVersion?.model.model || undefined)
    if (model === undefined) throw invalid('model', 'is required')
    const isStored = promptVersion !== undefined
    const rendered = renderDraft(draft, input.variables ?? {}, isStored ? 'messages' : 'promptMessages')
    const promptMessages = [...rendered.map((message) => ({ ...message })), ...(input.messages ?? [])]
    const pathOf = (index: number): string => {
      if (index >= rendered.length) return `messages[${index - rendered.length}]`
      return isStored ? 'prompt' : 'promptMessages'
    }
    if (promptMessages.length === 0) throw invalid('messages', 'or a prompt or a text is required')
    const run: Run = {
      input,
      context,
      provider: connection.provider,
      model,
      promptMessages,
      messages: toModelMessages(promptMessages, pathOf),
      version: promptVersion?.version,
      parameters: { ...promptVersion?.model.parameters, ...input.parameters } as Parameters,
      languageModel: await openModel(connection, model, workspace.id),
    }
    return new EventStream((signal) => events(run, signal))
  }

/** The templates of a draft, with shared parts inserted. */
async function draftOf(
  { text, systemText, promptMessages }: RunInput,
  { cache }: Context['workspace'],
): Promise<PromptTexts> {
  if (promptMessages != null && (text || systemText))
    throw invalid('promptMessages', 'must not be given together with `text` or `systemText`')
  const messages =
    promptMessages == null ? undefined : JSON.stringify(checkMessages(promptMessages, 'promptMessages'))
  const draft = { version: '', text: text ?? '', systemText: systemText ?? '', messages, tags: [] }
  const [included] = await includeParts('', [draft], cache.prompt)
  return {
    text: included!.text,
    systemText: included!.systemText,
    ...readExtras({ messages: included!.messages }),
  }
}

/** A validated run, ready to start. */
export interface Run {
  readonly input: RunInput
  readonly context: Context
  readonly provider: string
  readonly model: string
  /** The messages as sent by the client or rendered from the prompt. */
  readonly promptMessages: readonly object[]
  readonly messages: ModelMessage[]
  /** The prompt version. */
  readonly version: string | undefined
  readonly parameters: Parameters
  readonly languageModel: LanguageModel
}

async function* events(run: Run, signal: AbortSignal): AsyncGenerator<object> {
  const startedAt = Date.now()
  const started = performance.now()
  let firstTokenMs: number | null = null
  let text = ''
  const toolCalls: { id: string; name: string; arguments: unknown }[] = []
  try {
    const call = await startCall(run.languageModel, run.messages, run.parameters, signal)
    for await (const part of call.fullStream) {
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          firstTokenMs ??= performance.now() - started
          if (part.type === 'text-delta') text += part.text
          yield { type: part.type === 'text-delta' ? 'text' : 'reasoning', text: part.text }
          break
        case 'tool-call': {
          firstTokenMs ??= performance.now() - started
          const toolCall = { id: part.toolCallId, name: part.toolName, arguments: part.input }
          toolCalls.push(toolCall)
          yield { type: 'toolCall', ...toolCall }
          break
        }
        case 'error':
          yield { type: 'error', error: problemOf(part.error) }
          return
        case 'abort':
          return
        case 'finish': {
          if (wasCut(part)) {
            yield { type: 'error', error: cutProblem }
            return
          }
          const durationMs = performance.now() - started
          const priced = priceCall(part.totalUsage, {
            provider: run.provider,
            model: run.model,
            time: new Date(startedAt),
            overrides: await run.context.workspace.prices.list(),
          })
          const result = { text, toolCalls, startedAt, durationMs, usage: priced.usage, cost: priced.cost }
          const traceId = run.input.record === true ? await recordRun(run, result) : undefined
          yield {
            type: 'done',
            finishReason: part.finishReason,
            ...priced,
            durationMs,
            firstTokenMs,
            ...(traceId === undefined ? {} : { traceId }),
          }
          return
        }
        default:
        // The SDK's other events add nothing.
      }
    }
  } catch (error) {
    if (!signal.aborted) yield { type: 'error', error: problemOf(error) }
  }
}
