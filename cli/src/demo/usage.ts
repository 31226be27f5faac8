/** Usage of a model call, as each maker of models reports it. */

interface Asked {
  readonly input: unknown
  readonly output: unknown
  /** Share of the input that came from a cache. */
  readonly cached?: number
  readonly reasoningTokens?: number
}

interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly details: Record<string, unknown>
}

/** Near enough for made-up numbers: four characters, or one of a script without spaces, are a token. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0
  return Math.ceil((text.length - wide) / 4) + wide
}

/** The numbers of one call; makers disagree on whether the input holds the cached tokens. */
export function usageOf(style: 'open-ai' | 'anthropic' | 'gemini', asked: Asked): Usage {
  const input = estimateTokens(asked.input) + 12
  const cached = Math.floor(input * (asked.cached ?? 0))
  const reasoning = asked.reasoningTokens ?? 0
  const answer = estimateTokens(asked.output)
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
