/**
 * Runs users' regular expressions on recorded texts. Some take exponential time, and the engine cannot interrupt a match
 * from within, so each match runs in a context with a timeout.
 */
import { createContext, Script } from 'node:vm'

/** A match exceeded its timeout. */
export class RegexTooSlow extends Error {
  override readonly name = 'RegexTooSlow'
}

const matchMs = 100
/** Longer texts are truncated. */
const textLengthMax = 1_000_000

const match = new Script('new RegExp(pattern, flags).exec(text)?.[0] ?? null')

/** The first match, or null. Throws a `SyntaxError` for an invalid expression. */
export function firstMatch(pattern: string, flags: string, text: string): string | null {
  // Outside the context, so that an invalid expression throws this realm's `SyntaxError`.
  new RegExp(pattern, flags)
  const context = createContext({ pattern, flags, text: text.slice(0, textLengthMax) })
  try {
    // Safe: the script gives a text or null.
    return match.runInContext(context, { timeout: matchMs }) as string | null
  } catch (error) {
    // The error belongs to the context's realm, so it is not an instance of this realm's `Error`.
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new RegexTooSlow(`The regular expression took longer than ${matchMs} ms on this text.`, {
        cause: error,
      })
    throw error
  }
}
