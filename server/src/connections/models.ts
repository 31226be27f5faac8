/** How a connection becomes a model of the AI SDK. Each provider's library is loaded when it is first asked for. */
import { ServiceError } from '@plumbline/contract'
import type { Connection } from '@plumbline/storage/control'
import type { LanguageModel } from 'ai'
import type { Fetch } from './guarded-fetch.ts'
import type { Keyring } from './keyring.ts'

/** Gives the model of a connection. */
export type OpenModel = (connection: Connection, model: string, workspaceId: string) => Promise<LanguageModel>

export const makeOpenModel =
  (keyring: Keyring, fetch: Fetch): OpenModel =>
  async (connection, model, workspaceId) => {
    const { provider, baseUrl: baseURL, region } = connection
    const apiKey = keyOf(connection, keyring, workspaceId)
    const given = { apiKey, fetch, ...(baseURL === undefined ? {} : { baseURL }) }
    switch (provider) {
      case 'open-ai': {
        const { createOpenAI } = await import('@ai-sdk/openai')
        const openAI = createOpenAI(given)
        // Behind another address there may be a gateway, and those speak chat completions.
        return baseURL === undefined ? openAI(model) : openAI.chat(model)
      }
      case 'anthropic': {
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return createAnthropic(given)(model)
      }
      case 'gemini': {
        const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
        return createGoogleGenerativeAI(given)(model)
      }
      case 'azure': {
        const { createAzure } = await import('@ai-sdk/azure')
        return createAzure(given).chat(model)
      }
      case 'bedrock': {
        const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
        return createAmazonBedrock({ ...given, region: region ?? 'us-east-1' })(model)
      }
      case 'mistral': {
        const { createMistral } = await import('@ai-sdk/mistral')
        return createMistral(given)(model)
      }
      default: {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
        const named = {
          ...given,
          baseURL: baseURL ?? '',
          name: 'compatible',
          includeUsage: true,
          // Servers of models take a schema; one that does not fails the probe of a judge, which says so.
          supportsStructuredOutputs: true,
        }
        return createOpenAICompatible(named)(model)
      }
    }
  }

/** The libraries look into the environment for a key that is not given: an empty one keeps ours out of it. */
function keyOf({ id, sealedKey }: Connection, keyring: Keyring, workspaceId: string): string {
  if (sealedKey === undefined) return ''
  try {
    return keyring.open(sealedKey, workspaceId)
  } catch (error) {
    throw new ServiceError('connection_locked', { id }, { cause: error })
  }
}
