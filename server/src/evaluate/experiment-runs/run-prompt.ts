/** Runs a case on a prompt: renders the version with the row's columns as variables, and calls the model. */
import type { ExperimentTarget } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import { priceCall } from '../../ingest/usage/price-call.ts'
import type { OpenModel } from '../../outbound/connections/models.ts'
import { type Parameters, startCall } from '../../prompts/playground/call.ts'
import { findPrompt, renderDraft } from '../../prompts/playground/draft.ts'
import { gatherResponse } from '../../prompts/playground/gather-response.ts'
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
