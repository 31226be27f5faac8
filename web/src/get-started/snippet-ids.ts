/** The ids of the snippets in the URL, separate from their texts, which only their screen loads. */
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
