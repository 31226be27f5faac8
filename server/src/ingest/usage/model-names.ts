/** The names under which clients and frameworks write one model. Pure. */

/** One reading of a name: the provider, or null if the name does not include it, and the model's name there. */
export interface ModelCandidate {
  readonly provider: string | null
  readonly model: string
}

/** Provider names of clients, the interface and OpenTelemetry, as the price list has them. */
const aliases: Readonly<Record<string, string>> = {
  'open-ai': 'openai',
  open_ai: 'openai',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'azure-openai': 'azure',
  'azure-open-ai': 'azure',
  azure_openai: 'azure',
  azure_ai: 'azure',
  'azure.ai.openai': 'azure',
  'azure.ai.inference': 'azure',
  'az.ai.openai': 'azure',
  'az.ai.inference': 'azure',
  bedrock: 'aws',
  bedrock_converse: 'aws',
  'aws.bedrock': 'aws',
  'aws-bedrock': 'aws',
  aws_bedrock: 'aws',
  'amazon-bedrock': 'aws',
  amazon_bedrock: 'aws',
  gemini: 'google',
  'google-gla': 'google',
  'google-vertex': 'google',
  google_genai: 'google',
  google_vertexai: 'google',
  vertex: 'google',
  vertexai: 'google',
  'vertex-ai': 'google',
  vertex_ai: 'google',
  'gcp.vertex_ai': 'google',
  'gcp.gemini': 'google',
  'gcp.gen_ai': 'google',
  xai: 'x-ai',
  x_ai: 'x-ai',
  grok: 'x-ai',
  mistral_ai: 'mistral',
  'mistral-ai': 'mistral',
  mistralai: 'mistral',
  together_ai: 'together',
  togetherai: 'together',
  fireworks_ai: 'fireworks',
  'fireworks-ai': 'fireworks',
  cohere_chat: 'cohere',
  moonshot: 'moonshotai',
  'z-ai': 'zai',
  z_ai: 'zai',
  voyage: 'voyageai',
  qwen: 'dashscope',
  alibaba: 'dashscope',
}

export const providerAlias = (name: string): string => (Object.hasOwn(aliases, name) ? aliases[name]! : name)

/** A provider in front of a model, as in `openai:gpt-4o`; never the `ft:` of a fine-tuned model. */
const prefix = /^([a-z][a-z0-9_.-]*):(?=[a-z])(.+)$/i
const regionOfBedrock = /^(?:us|us-gov|eu|apac|au|jp|ca|sa|global)\.(?=[a-z0-9-]+\.)/
const makersOnBedrock =
  /^(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|stability|writer|luma|qwen|openai|twelvelabs|nvidia|google|minimax|moonshot)\./
/** Variants of a model at a gateway that cost the same. */
const gatewayVariant = /:(?:online|nitro|floor|thinking|extended|exacto)$/

/** Every reading of a name, the most literal first. */
export function candidatesOf(provider: string | null, name: string): ModelCandidate[] {
  const candidates: ModelCandidate[] = []
  const add = (candidateProvider: string | null, model: string): void => {
    const isKnown = candidates.some(
      (candidate) => candidate.provider === candidateProvider && candidate.model === model,
    )
    if (model !== '' && !isKnown) candidates.push({ provider: candidateProvider, model })
  }
  const readModel = (model: string, provider: string | null): void => {
    add(provider, model)
    const resource =
      /(?:^|\/)(?:publishers\/([a-z0-9-]+)\/)?(?:models|accounts\/[^/]+\/models)\/([^/]+)$/.exec(model)
    if (resource)
      readModel(resource[2]!, provider ?? resource[1] ?? (model.startsWith('models/') ? 'google' : null))
    const [, ahead, rest] = prefix.exec(model) ?? []
    if (ahead !== undefined && ahead !== 'ft') readModel(rest!, ahead)
    const slash = model.indexOf('/')
    if (slash > 0 && !resource) readModel(model.slice(slash + 1), model.slice(0, slash))
    if (gatewayVariant.test(model)) readModel(model.replace(gatewayVariant, ''), provider)
    const [, fineTuned] = /^ft:([^:]+):/.exec(model) ?? []
    if (fineTuned !== undefined) add(provider ?? 'openai', `ft:${fineTuned}`)
    const plain = model.replace(regionOfBedrock, '')
    if (makersOnBedrock.test(plain)) add('aws', model)
    if (plain !== model && makersOnBedrock.test(plain)) add('aws', plain)
  }
  readModel(name.trim(), provider)
  return candidates
}
