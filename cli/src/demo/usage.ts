/** Token usage of a model call in the format of each provider. */

interface Call {
  readonly input: unknown
  readonly output: unknown
  /** Fraction of the input that came from a cache. */
  readonly cached?: number
  readonly reasoningTokens?: number
}

interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly details: Record<string, unknown>
}

/** A rough estimate: four characters are a token, or one character of a script without spaces. */
function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0
  return Math.ceil((text.length - wide) / 4) + wide
}

/** Usage of one call. Providers disagree on whether input tokens include cached ones. */
export function usageOf(style: 'open-ai' | 'anthropic' | 'gemini', call: Call): Usage {
  const input = estimateTokens(call.input) + 12
  const cached = Math.floor(input * (call.cached ?? 0))
  const reasoning = call.reasoningTokens ?? 0
  const answer = estimateTokens(call.output)
  switch (style) {
    case 'anthropic':
      return {
        inputTokens: input - cached,
        outputTokens: answer,
        details: {
          input_tokens: input - cached,
          output_tokens: answer,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: cached === 0 ? 0 : Math.ceil(input * 0.05),
        },
      }
    case 'gemini':
      return {
        inputTokens: input,
        outputTokens: answer,
        details: {
          promptTokenCount: input,
          candidatesTokenCount: answer,
          thoughtsTokenCount: reasoning,
          cachedContentTokenCount: cached,
        },
      }
    case 'open-ai':
      return {
        inputTokens: input,
        outputTokens: answer + reasoning,
        details: {
          prompt_tokens: input,
          completion_tokens: answer + reasoning,
          prompt_tokens_details: { cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: reasoning },
        },
      }
  }
}
