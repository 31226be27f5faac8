/** What the page knows of providers of models: their names, and which need an address or a region. */
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

/** Of whom an address must be given; others have one of their own. */
export const needsAddress = (provider: Provider): boolean =>
  provider === 'azure' || provider === 'openai-compatible'

export const addressExample = (provider: Provider): string =>
  provider === 'azure' ? 'https://NAME.openai.azure.com/openai' : 'https://models.example.com/v1'

/** Names of models as people list them: by lines, commas or spaces, each once. */
export const readModels = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((model) => model !== '')),
]
