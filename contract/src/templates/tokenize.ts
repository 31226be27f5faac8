/**
 * Converts templates to tokens for the library's parser. Unlike the library's own lexer, this one follows Jinja (names in
 * any alphabet, `raw`, `+%}`, escapes, numbers), knows positions, and rewrites syntax that the parser does not support:
 * `with`, and tests with arguments.
 */

export interface Token {
  readonly value: string
  readonly type: string
  /** Where it begins in the text. */
  readonly index: number
  /** The position of the enclosing bracket, which distinguishes `(a < b) < c` from `a < b < c`. */
  readonly group?: number
}

/** The template is not valid Jinja, or uses unsupported syntax. */
export class TemplateSyntaxError extends Error {
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

/** Normalizes line breaks as Jinja does: one form, and none at the end. */
export function normalizeLines(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.endsWith('\n') ? lines.slice(0, -1) : lines
}

/** The tokens of a template with normalized lines. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const blocks = new OpenBlocks()
  let index = 0
  let isTrimmed = false
  while (index < text.length) {
    const tag = indexOfTag(text, index)
    const kind = text[tag + 1]
    const isStripped = text[tag + 2] === '-'
    const part = text.slice(index, tag)
    const leftTrimmed = isTrimmed ? part.trimStart() : part
    const data = isStripped ? leftTrimmed.trimEnd() : leftTrimmed
    if (data !== '') tokens.push({ value: data, type: 'Text', index })
    if (tag === text.length) break
    const raw = kind === '%' ? readRaw(text, tag) : undefined
    const code = tag + 2 + (isStripped || (text[tag + 2] === '+' && kind !== '{') ? 1 : 0)
    const end =
      raw ??
      (kind === '#' ? readComment(text, tag) : readTag(text, { tag, code, kind: kind!, tokens, blocks }))
    if (raw && raw.data !== '') tokens.push({ value: raw.data, type: 'Text', index: tag })
    index = end.index
    isTrimmed = end.isTrimmed
  }
  blocks.close()
  return tokens
}

/** The loop variable of a `for` that stands for a `with`; no template can use this name. */
export const withName = ' with'

/** Maximum number of tests with arguments, and of assignments, in a tag: rewriting them takes quadratic time. */
const partsMax = 200

/** Prefix of the filter to which a test with arguments is rewritten. */
export const testPrefix = ' is '
export const negatedPrefix = ' is not '

interface TagEnd {
  readonly index: number
  /** Whether the white space after the tag is removed. */
  readonly isTrimmed: boolean
}

function indexOfTag(text: string, start: number): number {
  tagStart.lastIndex = start
  return tagStart.exec(text)?.index ?? text.length
}

const tagStart = /\{[{%#]/g
const rawStart = /\{%[-+]?\s*raw\s*([-+]?)%\}/y
const rawEnd = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g

function readRaw(text: string, tag: number): (TagEnd & { readonly data: string }) | undefined {
  rawStart.lastIndex = tag
  const start = rawStart.exec(text)
  if (!start) return undefined
  rawEnd.lastIndex = rawStart.lastIndex
  const end = rawEnd.exec(text)
  if (!end) throw new TemplateSyntaxError('`{% raw %}` has no `{% endraw %}`', tag)
  const body = text.slice(rawStart.lastIndex, end.index)
  const leftTrimmed = start[1] === '-' ? body.trimStart() : body
  const data = end[1] === '-' ? leftTrimmed.trimEnd() : leftTrimmed
  return { data, index: rawEnd.lastIndex, isTrimmed: end[2] === '-' }
}

function readComment(text: string, tag: number): TagEnd {
  const end = text.indexOf('#}', tag + 2)
  if (end < 0) throw new TemplateSyntaxError('a comment has no end, `#}`', tag)
  return { index: end + 2, isTrimmed: text[end - 1] === '-' }
}

interface Tag {
  readonly tag: number
  readonly code: number
  readonly kind: string
  readonly tokens: Token[]
  readonly blocks: OpenBlocks
}

function readTag(text: string, { tag, code, kind, tokens, blocks }: Tag): TagEnd {
  const isStatement = kind === '%'
  const { tokens: inner, end, isTrimmed } = readCode(text, code, isStatement ? '%}' : '}}', tag)
  const [first] = inner
  if (!first) throw new TemplateSyntaxError(`\`{${kind}\` holds nothing`, tag)
  const body = isStatement ? writeStatement(inner, blocks) : inner
  tokens.push({ value: `{${kind}`, type: isStatement ? 'OpenStatement' : 'OpenExpression', index: tag })
  for (const token of writeTests(body)) tokens.push(token)
  tokens.push({
    value: isStatement ? '%}' : '}}',
    type: isStatement ? 'CloseStatement' : 'CloseExpression',
    index: end - 2,
  })
  return { index: end, isTrimmed }
}

const blank = /\s*/y
const name = /[\p{ID_Start}_]\p{ID_Continue}*/uy
const number = /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d[\d_]*)?/y
const digits = /\d+/y
const string = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy
const operator = /\*\*|\/\/|[<>=!]=|[-+~*/%<>=()[\]{},.:|]/y

const operatorTypes: Readonly<Record<string, string>> = {
  '(': 'OpenParen',
  ')': 'CloseParen',
  '[': 'OpenSquareBracket',
  ']': 'CloseSquareBracket',
  '{': 'OpenCurlyBracket',
  '}': 'CloseCurlyBracket',
  ',': 'Comma',
  '.': 'Dot',
  ':': 'Colon',
  '|': 'Pipe',
  '=': 'Equals',
  '+': 'AdditiveBinaryOperator',
  '-': 'AdditiveBinaryOperator',
  '~': 'AdditiveBinaryOperator',
  '*': 'MultiplicativeBinaryOperator',
  '/': 'MultiplicativeBinaryOperator',
  '//': 'MultiplicativeBinaryOperator',
  '%': 'MultiplicativeBinaryOperator',
  '**': 'ExponentiationBinaryOperator',
}
const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The tokens up to the end of a tag; brackets are balanced, so that `}}` may end a literal. */
function readCode(
  text: string,
  start: number,
  close: string,
  tag: number,
): { tokens: Token[]; end: number; isTrimmed: boolean } {
  const tokens: Token[] = []
  const expected: string[] = []
  const groups: number[] = []
  let index = start
  while (true) {
    blank.lastIndex = index
    blank.test(text)
    index = blank.lastIndex
    if (index >= text.length)
      throw new TemplateSyntaxError(`\`${text.slice(tag, tag + 2)}\` has no \`${close}\``, tag)
    if (expected.length === 0) {
      const sign = text[index]
      const offset =
        (sign === '-' || (sign === '+' && close === '%}')) && text.startsWith(close, index + 1) ? 1 : 0
      if (text.startsWith(close, index + offset))
        return { tokens, end: index + offset + 2, isTrimmed: offset === 1 && sign === '-' }
    }
    const token = readToken(text, index, tokens.at(-1)?.type === 'Dot')
    const closing = closings[token.value]
    tokens.push({ ...token, group: groups.at(-1) ?? tag })
    if (token.type.startsWith('Open') && closing) {
      expected.push(closing)
      groups.push(index)
    } else if (token.type.startsWith('Close')) {
      if (expected.pop() !== token.value)
        throw new TemplateSyntaxError(`\`${token.value}\` closes nothing`, index)
      groups.pop()
    }
    index = token.end
  }
}

function readToken(text: string, index: number, isAfterDot: boolean): Token & { readonly end: number } {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = index
    return pattern.exec(text)?.[0]
  }
  const word = match(name)
  if (word !== undefined)
    return { value: word.normalize('NFKC'), type: 'Identifier', index, end: index + word.length }
  const numeral = match(isAfterDot ? digits : number)
  if (numeral !== undefined)
    return { value: numberText(numeral), type: 'NumericLiteral', index, end: index + numeral.length }
  const literal = match(string)
  if (literal !== undefined)
    return {
      value: readEscapes(literal.slice(1, -1)),
      type: 'StringLiteral',
      index,
      end: index + literal.length,
    }
  const sign = match(operator)
  if (sign !== undefined)
    return {
      value: sign,
      type: operatorTypes[sign] ?? 'ComparisonBinaryOperator',
      index,
      end: index + sign.length,
    }
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
  throw new TemplateSyntaxError(
    `'"`.includes(character) ? 'a text in quotes has no end' : `\`${character}\` is no part of an expression`,
    index,
  )
}

/** A number as the parser reads it: a point makes it a float. */
function numberText(numeral: string): string {
  const plain = numeral.replaceAll('_', '')
  if (!/[.eExXoObB]/.test(plain)) return plain
  const value = Number(plain)
  if (!/[.eE]/.test(plain) || /^0[xX]/.test(plain)) return String(value)
  const text = Number.isInteger(value) ? value.toFixed(1) : String(value)
  return text.includes('.') ? text : text.replace('e', '.0e')
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', '\n': '' },
  ...{ "'": "'", '"': '"', '\\': '\\' },
}

/** Resolves escapes as Python does: unknown ones stay as they are. */
function readEscapes(literal: string): string {
  if (!literal.includes('\\')) return literal
  return literal.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(.))/gs,
    (sequence, x, u, long, octal, character) => {
      const hex: string | undefined = x ?? u ?? long
      const code = hex !== undefined ? Number.parseInt(hex, 16) : octal && Number.parseInt(octal, 8)
      if (typeof code === 'number') return code > 0x10ffff ? sequence : String.fromCodePoint(code)
      return escapes[character] ?? sequence
    },
  )
}

const endOf: Readonly<Record<string, string>> = {
  ...{ if: 'endif', for: 'endfor', macro: 'endmacro', call: 'endcall', filter: 'endfilter', set: 'endset' },
  ...{ with: 'endwith', block: 'endblock', autoescape: 'endautoescape' },
}
const ends = new Set(Object.values(endOf))
const branches = new Set(['else', 'elif'])

/** Tracks open blocks, so that errors name the one that is not closed. */
class OpenBlocks {
  readonly #open: Token[] = []

  open(statement: Token): void {
    this.#open.push(statement)
  }

  end(statement: Token): void {
    const block = this.#open.pop()
    if (!block) throw new TemplateSyntaxError(`\`{% ${statement.value} %}\` ends nothing`, statement.index)
    const end = endOf[block.value]
    if (end !== statement.value)
      throw new TemplateSyntaxError(
        `\`{% ${statement.value} %}\` comes before the \`{% ${end} %}\` of \`{% ${block.value} %}\``,
        statement.index,
      )
  }

  branch(statement: Token): void {
    const block = this.#open.at(-1)?.value
    if (block !== 'if' && (block !== 'for' || statement.value === 'elif'))
      throw new TemplateSyntaxError(`\`{% ${statement.value} %}\` stands in no \`{% if %}\``, statement.index)
  }

  /** Throws if a block is still open at the end of the template. */
  close(): void {
    const block = this.#open.at(-1)
    if (block)
      throw new TemplateSyntaxError(
        `\`{% ${block.value} %}\` has no \`{% ${endOf[block.value]} %}\``,
        block.index,
      )
  }
}

/** Rewrites a statement for the parser; its first token is its name. */
function writeStatement(tokens: readonly Token[], blocks: OpenBlocks): Token[] {
  const [statement, ...rest] = tokens as [Token, ...Token[]]
  const { value, index } = statement
  const word = (name: string): Token => ({ value: name, type: 'Identifier', index })
  if (branches.has(value)) blocks.branch(statement)
  else if (ends.has(value)) blocks.end(statement)
  else if (value in endOf) {
    if (value !== 'set' || indexAtTop(rest, 'Equals') < 0) blocks.open(statement)
  } else if (value !== 'break' && value !== 'continue') throw unknownStatement(statement)
  if (value === 'for' && rest.at(-1)?.value === 'recursive')
    throw new TemplateSyntaxError('a `recursive` loop is not supported: a macro can call itself', index)
  if (value === 'with') return writeWith(statement, rest)
  if (value === 'block' || value === 'autoescape') return writeWith(statement, [])
  if (['endwith', 'endblock', 'endautoescape'].includes(value)) return [word('endfor')]
  return [...tokens]
}

function unknownStatement({ value, index }: Token): TemplateSyntaxError {
  if (value === 'include')
    return new TemplateSyntaxError(
      'an `include` names a prompt in quotes, as in `{% include "tone" %}`',
      index,
    )
  const statements = [...Object.keys(endOf), 'raw', 'break', 'continue', 'include'].toSorted().join(', ')
  return new TemplateSyntaxError(`there is no statement \`${value}\`; there are ${statements}`, index)
}

/** Rewrites `with a = 1, b = 2` as a loop over one row of values, marked with `withName`. */
function writeWith({ index }: Token, tokens: readonly Token[]): Token[] {
  const make = (value: string, type: string): Token => ({ value, type, index })
  const comma = make(',', 'Comma')
  const [open, close] = [make('(', 'OpenParen'), make(')', 'CloseParen')]
  const targets: Token[] = [make(withName, 'Identifier')]
  const values: Token[] = [make('0', 'NumericLiteral')]
  let rest = tokens
  while (rest.length > 0) {
    if (targets.length > partsMax) throw new TemplateSyntaxError('a tag holds too much', index)
    const end = indexAtTop(rest, 'Comma')
    const part = end < 0 ? rest : rest.slice(0, end)
    const [target, equals, ...value] = part
    if (target?.type !== 'Identifier' || equals?.type !== 'Equals' || value.length === 0)
      throw new TemplateSyntaxError(
        'a `with` takes assignments, as in `{% with a = 1, b = 2 %}`',
        target?.index ?? index,
      )
    targets.push(comma, target)
    values.push(comma, open, ...value, close)
    rest = end < 0 ? [] : rest.slice(end + 1)
  }
  const row = targets.length === 1 ? values : [open, ...values, close]
  return [
    make('for', 'Identifier'),
    ...targets,
    make('in', 'Identifier'),
    make('[', 'OpenSquareBracket'),
    ...row,
    make(']', 'CloseSquareBracket'),
  ]
}

/** The index of the first token of a type outside of brackets, or -1. */
function indexAtTop(tokens: readonly Token[], type: string): number {
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    if (depth === 0 && token.type === type) return index
    if (token.type.startsWith('Open')) depth++
    if (token.type.startsWith('Close')) depth--
  }
  return -1
}

/** Rewrites `x is divisibleby(3)` as a filter, which has the same precedence: the parser has no tests with arguments. */
function writeTests(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ type, value }) => type === 'Identifier' && value === 'is')) return tokens
  const result = [...tokens]
  let count = 0
  for (let index = result.length - 3; index > 0; index--) {
    const is = result[index]
    if (is?.type !== 'Identifier' || is.value !== 'is' || result[index - 1]?.type === 'Dot') continue
    const isNegated = result[index + 1]?.value === 'not'
    const nameIndex = index + (isNegated ? 2 : 1)
    const test = result[nameIndex]
    const first = result[nameIndex + 1]
    if (test?.type !== 'Identifier' || !first || !startsArgument(first)) continue
    if (++count > partsMax) throw new TemplateSyntaxError('a tag holds too much', is.index)
    const end = endOfArgument(result, nameIndex + 1)
    const args = result.slice(nameIndex + 1, end)
    const make = (value: string, type: string): Token => ({ value, type, index: test.index })
    const isCall = first.type === 'OpenParen'
    result.splice(
      index,
      end - index,
      make('|', 'Pipe'),
      make(`${isNegated ? negatedPrefix : testPrefix}${test.value}`, 'Identifier'),
      ...(isCall ? args : [make('(', 'OpenParen'), ...args, make(')', 'CloseParen')]),
    )
  }
  return result
}

const keywords = new Set(['else', 'or', 'and', 'if', 'is', 'in', 'not'])
const argumentStarts = new Set([
  'StringLiteral',
  'NumericLiteral',
  'OpenParen',
  'OpenSquareBracket',
  'OpenCurlyBracket',
])

function startsArgument({ type, value }: Token): boolean {
  return type === 'Identifier' ? !keywords.has(value) : argumentStarts.has(type)
}

/** The index after the value that begins there, including its member accesses and calls. */
function endOfArgument(tokens: readonly Token[], start: number): number {
  const isCall = tokens[start]?.type === 'OpenParen'
  let end = isBracket(tokens[start]) ? endOfBracket(tokens, start) : start + 1
  while (tokens[start]?.type === 'StringLiteral' && tokens[end]?.type === 'StringLiteral') end++
  if (isCall) return end
  while (true) {
    const type = tokens[end]?.type
    if (type === 'Dot') end += 2
    else if (type === 'OpenSquareBracket' || type === 'OpenParen') end = endOfBracket(tokens, end)
    else return end
  }
}

const isBracket = (token: Token | undefined) => token?.type.startsWith('Open') === true

function endOfBracket(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index++) {
    const { type } = tokens[index] as Token
    if (type.startsWith('Open')) depth++
    if (type.startsWith('Close') && --depth === 0) return index + 1
  }
  return tokens.length
}
