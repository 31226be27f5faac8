/** LangChain4j's observations: GenAI names, but tokens without a prefix, and providers named by its Java constants. */
import type { Convention } from '../facts.ts'

/** The names of the GenAI conventions; other providers keep the name of the constant. */
const providers: Readonly<Record<string, string>> = {
  AMAZON_BEDROCK: 'aws.bedrock',
  ANTHROPIC: 'anthropic',
  AZURE_OPEN_AI: 'azure.ai.openai',
  COHERE: 'cohere',
  GITHUB_MODELS: 'github',
  GOOGLE_AI_GEMINI: 'gcp.gemini',
  GOOGLE_GENAI: 'gcp.gen_ai',
  GOOGLE_VERTEX_AI_ANTHROPIC: 'gcp.vertex_ai',
  GOOGLE_VERTEX_AI_GEMINI: 'gcp.vertex_ai',
  MICROSOFT_FOUNDRY: 'azure.ai.inference',
  MISTRAL_AI: 'mistral_ai',
  OLLAMA: 'ollama',
  OPEN_AI: 'openai',
  WATSONX: 'ibm.watsonx.ai',
}

export const langChain4j: Convention = {
  name: 'langchain4j',
  namespaces: ['outcome'],
  understands: /^outcome$/,
  read(span) {
    const provider = span.text('gen_ai.provider.name')
    // Micrometer's spans of other calls have an outcome too.
    if (provider === undefined || !/^[A-Z][A-Z_]+$/.test(provider)) return undefined
    return {
      provider: Object.hasOwn(providers, provider) ? providers[provider] : undefined,
      tokens: { input: span.number('input_tokens'), output: span.number('output_tokens') },
    }
  },
}
