/** Opens models of the AI SDK from connections. Loads each provider's library on first use. */
import { invalid, ServiceError } from '@plumbline/contract'
import type { Connection } from '@plumbline/storage/control'
import type { EmbeddingModel, LanguageModel } from 'ai'
import type { Fetch } from '../../network/guarded-fetch.ts'
import type { Keyring } from '../../secrets/keyring.ts'

/** Opens a language model of a connection. */
export type OpenModel = (connection: Connection, model: string, workspaceId: string) => Promise<LanguageModel>
/** Opens an embedding model of a connection. */
export type OpenEmbedder = (
  connection: Connection,
  model: string,
  workspaceId: string,
) => Promise<EmbeddingModel>

export interface Models {
  readonly openModel: OpenModel
  readonly openEmbedder: OpenEmbedder
}

/** Providers without an embeddings API. */
const withoutEmbeddings: ReadonlySet<string> = new Set(['anthropic'])

/** Throws `invalid_request` for a connection whose provider has no embeddings API. */
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
  const settings = { apiKey, fetch, ...(baseURL === undefined ? {} : { baseURL }) }
  const toProvider = (library: ProviderLibrary): Provider => ({
    language: (model) => library.languageModel(model),
    embedding: (model) => library.embeddingModel(model),
  })
  switch (provider) {
    case 'open-ai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openAI = createOpenAI(settings)
      // Another base URL may be a gateway, and gateways support chat completions.
      return {
        ...toProvider(openAI),
        language: (model) => (baseURL === undefined ? openAI(model) : openAI.chat(model)),
      }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return toProvider(createAnthropic(settings))
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return toProvider(createGoogleGenerativeAI(settings))
    }
    case 'azure': {
      const { createAzure } = await import('@ai-sdk/azure')
      const azure = createAzure(settings)
      return { ...toProvider(azure), language: (model) => azure.chat(model) }
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      return toProvider(
        createAmazonBedrock({
          ...settings,
          region: region ?? 'us-east-1',
          // With an empty key this library signs requests with the credentials of the process, which are the operator's.
          credentialProvider: () => Promise.reject(new Error('the connection has no Bedrock API key')),
        }),
      )
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral')
      return toProvider(createMistral(settings))
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const compatibleSettings = {
        ...settings,
        baseURL: baseURL ?? '',
        name: 'compatible',
        includeUsage: true,
        // Most model servers accept a schema; a judge's health probe reports those that do not.
        supportsStructuredOutputs: true,
      }
      return toProvider(createOpenAICompatible(compatibleSettings))
    }
  }
}

/** What all provider libraries offer. */
interface ProviderLibrary {
  languageModel(model: string): LanguageModel
  embeddingModel(model: string): EmbeddingModel
}

/** Without a key the libraries read one from the environment; an empty key prevents that, except for Bedrock. */
function keyOf({ id, sealedKey }: Connection, keyring: Keyring, workspaceId: string): string {
  if (sealedKey === undefined) return ''
  try {
    return keyring.open(sealedKey, workspaceId)
  } catch (error) {
    throw new ServiceError('connection_locked', { id }, { cause: error })
  }
}
