import { childrenOf, type Node, parse, tokenize } from './jinja.ts'

/** A template as it is kept between renderings. */
export type Template =
  | { readonly type: 'plain'; readonly text: string }
  | { readonly type: 'parsed'; readonly program: Node; readonly names: ReadonlySet<string> }
  | { readonly type: 'failed'; readonly reason: string }

/** Parsed templates by their text. Whoever renders owns one, and bounds it. */
export interface TemplateCache {
  get(text: string): Template | undefined
  set(text: string, template: Template): unknown
}

const templateCharsMax = 2 ** 18
/** The library looks for one of its own tags with an expression that is quadratic in a run of white space. */
const blankCharsMax = 512
const longBlank = new RegExp(`\\s{${blankCharsMax + 1}}`)

/** Parses a Jinja template, or tells why it is none. Never throws. */
export function parseTemplate(text: string, cache?: TemplateCache): Template {
  const cached = cache?.get(text)
  if (cached) return cached
  const template = parseFresh(text)
  cache?.set(text, template)
  return template
}

function parseFresh(text: string): Template {
  // Jinja drops one line break at the end, also where nothing is to be filled in.
  if (!/\{[{%#]/.test(text)) return { type: 'plain', text: text.endsWith('\n') ? text.slice(0, -1) : text }
  if (text.length > templateCharsMax) return failure(`it is longer than ${templateCharsMax} characters`)
  if (longBlank.test(text)) return failure(`it has more than ${blankCharsMax} blank characters in a row`)
  try {
    const program = parse(tokenize(quoteRawBlocks(text)))
    return { type: 'parsed', program, names: namesIn(program) }
  } catch (error) {
    return failure(reasonOf(error))
  }
}

function failure(reason: string): Template {
  return { type: 'failed', reason: `The template cannot be read: ${reason}.` }
}

/** The library's message as the end of a sentence of ours. */
export function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deeply or makes too long a text'
  const message = error instanceof Error ? error.message : String(error)
  const line = message.split('\n', 1)[0] ?? ''
  // Past the end of the tokens the parser reads a property of undefined.
  if (error instanceof TypeError) return 'it ends too early, or uses a value as what it is not'
  // Only the library's loop controls are errors without a message.
  return line.slice(0, 200).replace(/\.$/, '') || 'it leaves or goes on with a loop that is not there'
}

const rawStart = /\{%(-?)\s*raw\s*(-?)%\}/g
const rawEnd = /\{%(-?)\s*endraw\s*(-?)%\}/g

/** The library does not know `raw` blocks: they become string literals, with white space control as it was. */
function quoteRawBlocks(text: string): string {
  let quoted = ''
  let index = 0
  while (true) {
    rawStart.lastIndex = index
    const start = rawStart.exec(text)
    rawEnd.lastIndex = rawStart.lastIndex
    const end = start && rawEnd.exec(text)
    if (!start || !end) return quoted + text.slice(index)
    let body = text.slice(start.index + start[0].length, end.index)
    if (start[2]) body = body.trimStart()
    if (end[1]) body = body.trimEnd()
    quoted += `${text.slice(index, start.index)}{{${start[1]} '${escapeAll(body)}' ${end[2]}}}`
    index = end.index + end[0].length
  }
}

function escapeAll(body: string): string {
  return body.replace(/[^\w ]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Every identifier of a program; without recursion, since a long chain of operators is a deep tree. */
function namesIn(program: Node): Set<string> {
  const names = new Set<string>()
  const open: Node[] = [program]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier' && typeof node.value === 'string') names.add(node.value)
    for (const child of childrenOf(node)) open.push(child)
  }
  return names
}
