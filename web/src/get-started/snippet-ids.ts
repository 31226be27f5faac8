/** The ways to a first trace, as the address names them: apart from what they say, which only their screen loads. */
export const snippetIds = ['curl', 'typescript', 'python', 'opentelemetry', 'openai', 'ai-sdk'] as const

export type SnippetId = (typeof snippetIds)[number]
