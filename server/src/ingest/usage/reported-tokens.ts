/** Reads the input and output tokens of a usage object as a model provider or a client library reports it. */
export interface ReportedTokens {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** OpenAI (chat, responses), Anthropic, the AI SDK, Bedrock, LangChain and Gemini; the first match wins. */
const inputNames = [
  'prompt_tokens',
  'input_tokens',
  'inputTokens',
  'promptTokens',
  'promptTokenCount',
  'prompt_token_count',
] as const
const outputNames = [
  'completion_tokens',
  'output_tokens',
  'outputTokens',
  'completionTokens',
  'candidatesTokenCount',
  'candidates_token_count',
] as const

/** The tokens of a usage object; `bucketsOf` reads its details. */
export function reportedTokens(usage: unknown): ReportedTokens {
  const input = firstCount(usage, inputNames)
  // Gemini does not count the input of its tools in the prompt.
  const toolInput = firstCount(usage, ['toolUsePromptTokenCount', 'tool_use_prompt_token_count'])
  return {
    inputTokens: toolInput === null ? input : (input ?? 0) + toolInput,
    outputTokens: withThoughts(usage, firstCount(usage, outputNames)),
  }
}

/**
 * In OpenAI's chat format, Gemini leaves its thoughts out of the output: only the total includes them. A usage with
 * details is left alone, since they show where each token is counted.
 */
function withThoughts(usage: unknown, output: number | null): number | null {
  const [input, total] = [firstCount(usage, ['prompt_tokens']), firstCount(usage, ['total_tokens'])]
  if (input === null || output === null || total === null || hasDetails(usage)) return output
  return Math.max(output, total - input)
}

const hasDetails = (usage: unknown): boolean =>
  Object.entries(usage ?? {}).some(
    ([name, value]) =>
      !['prompt_tokens', 'completion_tokens', 'total_tokens'].includes(name) &&
      (typeof value === 'number' ? value > 0 : Object.values(value ?? {}).some((part) => Number(part) > 0)),
  )

function firstCount(usage: unknown, names: readonly string[]): number | null {
  if (typeof usage !== 'object' || usage === null) return null
  // Safe: an object may be read by any key.
  const fields = usage as Readonly<Record<string, unknown>>
  for (const name of names) {
    const count = fields[name]
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0) return count
  }
  return null
}
