import { type Node, namesIn, parse } from './jinja.ts'
import { normalizeLines, TemplateSyntaxError, type Token, tokenize } from './tokenize.ts'

/** A parsed template, which can be cached between renderings. */
export type Template =
  | { readonly type: 'plain'; readonly text: string }
  | { readonly type: 'parsed'; readonly program: Node; readonly names: ReadonlySet<string> }
  | { readonly type: 'failed'; readonly reason: string }

/** Parsed templates by their text. The caller owns the cache and bounds it. */
export interface TemplateCache {
  get(text: string): Template | undefined
  set(text: string, template: Template): unknown
}

const templateCharsMax = 2 ** 18

/** Parses a Jinja template, or returns why it is invalid. Never throws. */
export function parseTemplate(text: string, cache?: TemplateCache): Template {
  const cached = cache?.get(text)
  if (cached) return cached
  const template = parseFresh(text)
  cache?.set(text, template)
  return template
}

function parseFresh(source: string): Template {
  const text = normalizeLines(source)
  if (!/\{[{%#]/.test(text)) return { type: 'plain', text }
  if (text.length > templateCharsMax) return failure(`it is longer than ${templateCharsMax} characters`)
  try {
    const tokens = tokenize(text)
    const program = parseTokens(tokens, text)
    return { type: 'parsed', program, names: namesIn(program) }
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return failure(`${placeOf(text, error.index)}${error.message}`)
    return failure(reasonOf(error))
  }
}

/** Parses the tokens with the library. If it rejects one, the error names the token. */
function parseTokens(tokens: readonly Token[], text: string): Node {
  try {
    return parse(tokens)
  } catch (error) {
    if (error instanceof RangeError) throw error
    const token = lastRead(tokens)
    if (token === undefined) throw error
    const end = tokens.indexOf(token) + 1
    const code = text.slice(token.index, tokens[end]?.index).trim().slice(0, 40)
    throw new TemplateSyntaxError(`\`${code}\` is not expected there`, token.index)
  }
}

/** Records the last token that the library reads before it fails, which its error does not include. */
function lastRead(tokens: readonly Token[]): Token | undefined {
  let last: Token | undefined
  const watched = new Proxy(tokens, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof key === 'string' && typeof value === 'object') last = value as Token
      return value
    },
  })
  try {
    parse(watched)
  } catch {
    return last
  }
  return undefined
}

/** The line of a position in a template, as the beginning of a sentence. */
function placeOf(text: string, index: number): string {
  const line = text.slice(0, index).split('\n').length
  return `line ${line}: `
}

function failure(reason: string): Template {
  return { type: 'failed', reason: `The template cannot be read: ${reason}.` }
}

/** The library's message as the end of our sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deeply or makes too long a text'
  const message = error instanceof Error ? error.message : String(error)
  const line = message.split('\n', 1)[0] ?? ''
  if (error instanceof TypeError) return 'it ends too early, or uses a value as what it is not'
  // Only loop controls are errors without a message.
  return line.slice(0, 200).replace(/\.$/, '') || 'it leaves or goes on with a loop that is not there'
}
