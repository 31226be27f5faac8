/**
 * How errors are logged. Parsers and stores quote the value that they could not read, which is user data. Quoted text is
 * therefore left out unless it is a plain name, and so are all fields except the usual ones.
 */

interface DescribedError {
  readonly type: string
  readonly code?: string
  readonly message: string
  /** The stack frames, without the message that a stack starts with. */
  readonly stack: string
  readonly cause?: DescribedError | string
}

/** How many nested causes are included. */
const causesMax = 5
const charactersMax = 500

const quoted = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`[^`]*`/g
const plainName = /^["'`][A-Za-z][\w.$-]{0,39}["'`]$/

/** For use as a `pino` serializer. */
export function describeError(error: unknown, depth = 0): DescribedError | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutData(error) : `a ${typeof error}`
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    message: error instanceof SyntaxError ? 'A text cannot be parsed.' : withoutData(error.message),
    stack: framesOf(error),
    ...(error.cause === undefined || depth >= causesMax
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  }
}

const withoutData = (text: string): string =>
  text.replaceAll(quoted, (part) => (plainName.test(part) ? part : '"…"')).slice(0, charactersMax)

const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
