/**
 * Regular expressions of people on texts of applications. Some need a time that doubles with each character; the
 * engine cannot be told to stop except from outside, so each match runs in a context that is given a time.
 */
import { createContext, Script } from 'node:vm'

/** The expression took longer than a match may. */
export class RegexTooSlow extends Error {
  override readonly name = 'RegexTooSlow'
}

const matchMs = 100
/** Nobody reads a longer text by one expression. */
const textLengthMax = 1_000_000

const match = new Script('new RegExp(pattern, flags).exec(text)?.[0] ?? null')

/** The first match; null where there is none. Throws a `SyntaxError` for what is no expression. */
export function firstMatch(pattern: string, flags: string, text: string): string | null {
  // Outside the context, so that a wrong expression is this realm's `SyntaxError`.
  new RegExp(pattern, flags)
  const context = createContext({ pattern, flags, text: text.slice(0, textLengthMax) })
  try {
    // Safe: the script gives a text or null.
    return match.runInContext(context, { timeout: matchMs }) as string | null
  } catch (error) {
    // It is an error of the context's realm, and so no `Error` of this one.
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new RegexTooSlow(`The expression took longer than ${matchMs} ms on this text.`, { cause: error })
    throw error
  }
}
