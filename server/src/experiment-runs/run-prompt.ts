/** A case of a prompt: the version is rendered with the row's columns as variables, and a model is asked. */
import type { ExperimentTarget } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import type { OpenModel } from '../connections/models.ts'
import { type Parameters, startCall } from '../playground/call.ts'
import { findPrompt, renderDraft } from '../playground/draft.ts'
import { toModelMessages } from '../playground/messages.ts'
import { type CallUsage, priceCall } from '../usage/price-call.ts'
import type { Workspace } from '../workspace.ts'
import type { Answer } from './answer.ts'

type PromptTarget = Extract<ExperimentTarget, { type: 'prompt' }>

interface Asking {
  readonly workspace: Workspace
  readonly openModel: OpenModel
  readonly signal: AbortSignal
  readonly now: () => Date
}

const timeoutMs = 120_000

/** Rejects with what the provider, or the way to it, says went wrong. */
export async function runPrompt(
  target: PromptTarget,
  values: Readonly<Record<string, unknown>>,
  { workspace, openModel, signal, now }: Asking,
): Promise<Answer> {
  const { slug, version, connectionId } = target
  const connection = await workspace.connections.find(connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: connectionId })
  const served = await findPrompt({ slug, version }, workspace)
  const model = target.model ?? served.model.model
  const messages = renderDraft(served, values)
  const opened = await openModel(connection, model, workspace.id)
  const overrides = await workspace.prices.list()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const startedAt = now()
  const call = await startCall(
    opened,
    toModelMessages(messages.map((message) => ({ ...message }))),
    // Safe: the parameters of a version are those of the playground, and whoever answers knows what they may be.
    served.model.parameters as Parameters,
    deadline,
  )
  const { output, usage } = await gathered(call.fullStream, deadline)
  const endedAt = now()
  const { provider } = connection
  const priced = priceCall(usage, { provider, model, at: startedAt, overrides })
  return {
    output,
    startedAt,
    endedAt,
    cost: priced.cost ?? undefined,
    generation: { model, provider, prompt: { slug, version }, messages, usage: priced.usage },
    traceId: undefined,
  }
}

type Stream = Awaited<ReturnType<typeof startCall>>['fullStream']

/** The whole answer: its text, or a message where tools were called. */
async function gathered(stream: Stream, signal: AbortSignal): Promise<{ output: unknown; usage: CallUsage }> {
  let text = ''
  let usage: CallUsage | undefined
  const toolCalls: object[] = []
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        text += part.text
        break
      case 'tool-call':
        toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input })
        break
      case 'error':
        throw part.error
      case 'abort':
        throw signal.reason
      case 'finish':
        usage = part.totalUsage
        break
      default:
      // The SDK tells of its own steps as well, which say nothing that the others do not.
    }
  }
  if (usage === undefined) throw new Error('The answer ended before it was whole.')
  const output = toolCalls.length === 0 ? text : { role: 'assistant', content: text, toolCalls }
  return { output, usage }
}
