import type { Tokens } from './facts.ts'

/**
 * A reported total above input plus output shows what these leave out: the cache, if the remainder is exactly its size,
 * else the tokens of thoughts, as Gemini counts them.
 */
export function withRemainder(tokens: Tokens): Tokens {
  const { input, output, total, cacheRead = 0, cacheWrite = 0, reasoning } = tokens
  if (input === undefined || output === undefined || total === undefined) return tokens
  const rest = total - input - output
  const cached = cacheRead + cacheWrite
  if (rest <= 0) return tokens
  if (rest === cached) return { ...tokens, input: input + cached }
  if (reasoning === undefined || reasoning === 0 || reasoning === rest)
    return { ...tokens, output: output + rest, reasoning: rest }
  return tokens
}
