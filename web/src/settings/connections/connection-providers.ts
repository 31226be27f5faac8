/** The model providers: their names, and which need a URL or a region. */
import type { Connection } from '@plumbline/sdk'

export type Provider = Connection['provider']

export const providerLabels: Readonly<Record<Provider, string>> = {
  'open-ai': 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  mistral: 'Mistral',
  'openai-compatible': 'OpenAI-compatible',
}

/** The providers that need a URL; others have a default. */
export const needsAddress = (provider: Provider): boolean =>
  provider === 'azure' || provider === 'openai-compatible'

export const addressExample = (provider: Provider): string =>
  provider === 'azure' ? 'https://NAME.openai.azure.com/openai' : 'https://models.example.com/v1'

/** Model names separated by lines, commas or spaces, without duplicates. */
export const readModels = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((model) => model !== '')),
]
