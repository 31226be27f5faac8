/** The ways to a first trace, as the address names them: apart from what they say, which only their screen loads. */
export const snippetIds = [
  'python',
  'typescript',
  'curl',
  'opentelemetry',
  'openai',
  'langchain',
  'openai-agents',
  'pydantic-ai',
  'litellm',
  'ai-sdk',
  'agent',
] as const

export type SnippetId = (typeof snippetIds)[number]
