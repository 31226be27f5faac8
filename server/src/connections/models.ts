/** How a connection becomes a model of the AI SDK. Each provider's library is loaded when it is first asked for. */
import { invalid, ServiceError } from '@plumbline/contract'
import type { Connection } from '@plumbline/storage/control'
import type { EmbeddingModel, LanguageModel } from 'ai'
import type { Keyring } from '../secrets/keyring.ts'
import type { Fetch } from './guarded-fetch.ts'

/** Gives the model of a connection. */
export type OpenModel = (connection: Connection, model: string, workspaceId: string) => Promise<LanguageModel>
/** Gives a model of a connection that makes vectors of texts. */
export type OpenEmbedder = (
  connection: Connection,
  model: string,
  workspaceId: string,
) => Promise<EmbeddingModel>

/** Both ways to ask models. */
export interface Models {
  readonly openModel: OpenModel
  readonly openEmbedder: OpenEmbedder
}

/** Providers whose API makes no vectors of texts. */
const withoutEmbeddings: ReadonlySet<string> = new Set(['anthropic'])

/** Throws `invalid_request` for a connection whose provider makes no vectors of texts. */
export function checkEmbeds({ provider }: Connection, path: string): void {
  if (withoutEmbeddings.has(provider))
    throw invalid(path, `must be a connection to a provider that embeds texts, which ${provider} does not`)
}

export const makeOpenModel =
  (keyring: Keyring, fetch: Fetch): OpenModel =>
  async (connection, model, workspaceId) =>
    (await openProvider(connection, { keyring, fetch, workspaceId })).language(model)

export const makeOpenEmbedder =
  (keyring: Keyring, fetch: Fetch): OpenEmbedder =>
  async (connection, model, workspaceId) => {
    checkEmbeds(connection, 'config.connectionId')
    return (await openProvider(connection, { keyring, fetch, workspaceId })).embedding(model)
  }

interface Opening {
  readonly keyring: Keyring
  readonly fetch: Fetch
  readonly workspaceId: string
}

interface Provider {
  language(model: string): LanguageModel
  embedding(model: string): EmbeddingModel
}

async function openProvider(
  connection: Connection,
  { keyring, fetch, workspaceId }: Opening,
): Promise<Provider> {
  const { provider, baseUrl: baseURL, region } = connection
  const apiKey = keyOf(connection, keyring, workspaceId)
  const given = { apiKey, fetch, ...(baseURL === undefined ? {} : { baseURL }) }
  const byDefault = (of: Of): Provider => ({
    language: (model) => of.languageModel(model),
    embedding: (model) => of.embeddingModel(model),
  })
  switch (provider) {
    case 'open-ai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openAI = createOpenAI(given)
      // Behind another address there may be a gateway, and those speak chat completions.
      return {
        ...byDefault(openAI),
        language: (model) => (baseURL === undefined ? openAI(model) : openAI.chat(model)),
      }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return byDefault(createAnthropic(given))
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return byDefault(createGoogleGenerativeAI(given))
    }
    case 'azure': {
      const { createAzure } = await import('@ai-sdk/azure')
      const azure = createAzure(given)
      return { ...byDefault(azure), language: (model) => azure.chat(model) }
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      return byDefault(createAmazonBedrock({ ...given, region: region ?? 'us-east-1' }))
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral')
      return byDefault(createMistral(given))
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
      return byDefault(createOpenAICompatible(named))
    }
  }
}

/** What the library of each provider has. */
interface Of {
  languageModel(model: string): LanguageModel
  embeddingModel(model: string): EmbeddingModel
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
