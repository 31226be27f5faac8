import { type InputOf, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { LanguageModel, ModelMessage } from 'ai'
import type { OpenModel } from '../connections/models.ts'
import { problemOf } from '../connections/problem.ts'
import { EventStream } from '../responses.ts'
import { priceCall } from '../usage/price-call.ts'
import type { Context, Verb } from '../verb.ts'
import { type Parameters, startCall } from './call.ts'
import { findPrompt, renderDraft } from './draft.ts'
import { toModelMessages } from './messages.ts'
import { recordRun } from './record-run.ts'

type Asked = InputOf<typeof operations.playground.run>

/** Everything is checked before the first event: what is wrong with a request is an error, not an event. */
export const makeRun =
  (openModel: OpenModel): Verb<typeof operations.playground.run> =>
  async (asked, context) => {
    const { workspace } = context
    const connection = await workspace.connections.find(asked.connectionId)
    if (connection === undefined) throw new ServiceError('connection_not_found', { id: asked.connectionId })
    if (asked.featureSlug != null && !(await workspace.catalogue.hasFeature(asked.featureSlug)))
      throw new ServiceError('feature_not_found', { slug: asked.featureSlug })
    const served = asked.prompt == null ? undefined : await findPrompt(asked.prompt, workspace)
    const draft = served ?? { text: asked.text ?? '', systemText: asked.systemText ?? '' }
    const model = asked.model ?? (served?.model.model || undefined)
    if (model === undefined) throw invalid('model', 'is required')
    const sent = [
      ...renderDraft(draft, asked.variables ?? {}).map((message) => ({ ...message })),
      ...(asked.messages ?? []),
    ]
    if (sent.length === 0) throw invalid('messages', 'or a prompt or a text is required')
    const run: Run = {
      asked,
      context,
      provider: connection.provider,
      model,
      sent,
      messages: toModelMessages(sent),
      version: served?.version,
      parameters: { ...served?.model.parameters, ...asked.parameters } as Parameters,
      opened: await openModel(connection, model, workspace.id),
    }
    return new EventStream((signal) => events(run, signal))
  }

/** A run that can begin. */
export interface Run {
  readonly asked: Asked
  readonly context: Context
  readonly provider: string
  readonly model: string
  /** The messages as they were sent or rendered. */
  readonly sent: readonly object[]
  readonly messages: ModelMessage[]
  /** The version served. */
  readonly version: string | undefined
  readonly parameters: Parameters
  readonly opened: LanguageModel
}

async function* events(run: Run, signal: AbortSignal): AsyncGenerator<object> {
  const startedAt = Date.now()
  const started = performance.now()
  let firstTokenMs: number | null = null
  let text = ''
  const toolCalls: { id: string; name: string; arguments: unknown }[] = []
  try {
    const call = await startCall(run.opened, run.messages, run.parameters, signal)
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
          const durationMs = performance.now() - started
          const priced = priceCall(part.totalUsage, {
            provider: run.provider,
            model: run.model,
            at: new Date(startedAt),
            overrides: await run.context.workspace.prices.list(),
          })
          const result = { text, toolCalls, startedAt, durationMs, usage: priced.usage, cost: priced.cost }
          const traceId = run.asked.record === true ? await recordRun(run, result) : undefined
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
        // The SDK tells of its own steps as well, which say nothing that the others do not.
      }
    }
  } catch (error) {
    if (!signal.aborted) yield { type: 'error', error: problemOf(error) }
  }
}
