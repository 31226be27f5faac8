/** Runs a case on a prompt: renders the version with the row's columns as variables, and calls the model. */
import type { ExperimentTarget } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import { type CallUsage, priceCall } from '../../ingest/usage/price-call.ts'
import type { OpenModel } from '../../outbound/connections/models.ts'
import { type Parameters, startCall } from '../../prompts/playground/call.ts'
import { findPrompt, renderDraft } from '../../prompts/playground/draft.ts'
import { toModelMessages } from '../../prompts/playground/messages.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TargetResponse } from './target-response.ts'

type PromptTarget = Extract<ExperimentTarget, { type: 'prompt' }>

interface PromptCallDeps {
  readonly workspace: Workspace
  readonly openModel: OpenModel
  readonly signal: AbortSignal
  readonly now: () => Date
}

const timeoutMs = 120_000

/** Rejects with the error of the provider or the network. */
export async function runPrompt(
  target: PromptTarget,
  values: Readonly<Record<string, unknown>>,
  { workspace, openModel, signal, now }: PromptCallDeps,
): Promise<TargetResponse> {
  const { slug, version, connectionId } = target
  const connection = await workspace.connections.find(connectionId)
  if (connection === undefined) throw new ServiceError('connection_not_found', { id: connectionId })
  const promptVersion = await findPrompt({ slug, version }, workspace)
  const model = target.model ?? promptVersion.model.model
  const messages = renderDraft(promptVersion, values)
  const languageModel = await openModel(connection, model, workspace.id)
  const overrides = await workspace.prices.list()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const startedAt = now()
  const call = await startCall(
    languageModel,
    toModelMessages(messages.map((message) => ({ ...message }))),
    // Safe: versions have the playground's parameters, and the provider validates them.
    promptVersion.model.parameters as Parameters,
    deadline,
  )
  const { output, usage } = await gatherResponse(call.fullStream, deadline)
  const endedAt = now()
  const { provider } = connection
  const priced = priceCall(usage, { provider, model, time: startedAt, overrides })
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

/** The complete response: its text, or a message if the model called tools. */
async function gatherResponse(
  stream: Stream,
  signal: AbortSignal,
): Promise<{ output: unknown; usage: CallUsage }> {
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
      // The SDK's other events add nothing.
    }
  }
  if (usage === undefined) throw new Error('The answer ended before it was whole.')
  const output = toolCalls.length === 0 ? text : { role: 'assistant', content: text, toolCalls }
  return { output, usage }
}
