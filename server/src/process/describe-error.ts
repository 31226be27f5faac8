/**
 * What the log says of an error. Parsers and stores quote the value that they could not take, which is somebody's data:
 * what stands in quotation marks is left out unless it is a plain name, and so are all fields but the usual ones.
 */

interface DescribedError {
  readonly type: string
  readonly code?: string
  readonly message: string
  /** Where it was thrown; without the message, which a stack begins with. */
  readonly stack: string
  readonly cause?: DescribedError | string
}

/** Causes that are followed. */
const causesMax = 5
const charactersMax = 500

const quoted = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`[^`]*`/g
const plainName = /^["'`][A-Za-z][\w.$-]{0,39}["'`]$/

/** Made for `pino`'s serializers. */
export function describeError(error: unknown, depth = 0): DescribedError | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutData(error) : `a ${typeof error}`
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    message: error instanceof SyntaxError ? 'A text is not legal.' : withoutData(error.message),
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
