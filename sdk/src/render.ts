/**
 * Prompts as messages, filled in with the Jinja library that the service uses too, so that both make the same text of
 * one template: a missing variable is nothing, nothing is escaped, `raw` blocks are taken, and a dotted label is a field.
 * An entry point of its own: who does not render does not carry the library.
 */
import type { Prompt } from '@plumbline/contract'
import { Environment, LenientInterpreter, parse, tokenize } from './jinja.ts'
import { toJson } from './json.ts'

export interface Message {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** Values by label. One that is undefined or null is as if it were not given. */
export type Variables = Readonly<Record<string, unknown>>

export type Render = (prompt: Pick<Prompt, 'text' | 'systemText'>, variables: Variables) => Message[]

/** A template that cannot be read or run. `cause` has the library's own error. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

/** The messages that a prompt makes: the system one, where the prompt has one, and the user's. Throws `TemplateFailed`. */
export const render: Render = ({ text, systemText }, variables) => {
  const values = valuesOf(variables)
  const user: Message = { role: 'user', content: renderTemplate(text, values) }
  return systemText === '' ? [user] : [{ role: 'system', content: renderTemplate(systemText, values) }, user]
}

function renderTemplate(text: string, values: ReadonlyMap<string, unknown>): string {
  // Jinja drops one line break at the end, also where nothing is to be filled in.
  if (!/\{[{%#]/.test(text)) return text.replace(/\n$/, '')
  try {
    const environment = new Environment()
    environment.set('range', range)
    for (const [name, value] of values) {
      // A variable may stand in for a function of the language, so what was there leaves first.
      environment.variables.delete(name)
      if (text.includes(name)) environment.set(name, value)
    }
    for (const [name, value] of Object.entries(constants)) {
      environment.variables.delete(name)
      environment.set(name, value)
    }
    return new LenientInterpreter(environment).render(parse(tokenize(quoteRawBlocks(text))))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TemplateFailed(`The template cannot be rendered: ${reason}`, { cause })
  }
}

const constants = { true: true, false: false, none: null, True: true, False: false, None: null }

function range(first: number, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  const length = Math.max(0, Math.ceil((stop - start) / step))
  return Array.from({ length }, (_each, index) => start + index * step)
}

/** Variables by the name that a template calls them: `user.name` is the `name` of `user`, beside its other fields. */
function valuesOf(variables: Variables): Map<string, unknown> {
  // As JSON, since that is how the service gets them when it renders the same prompt.
  const given = Object.entries(JSON.parse(toJson(variables)) as Variables).filter(
    ([, value]) => value !== null,
  )
  const values = new Map(given)
  for (const [label, value] of given) {
    const [root = '', ...path] = label.split('.')
    if (path.length === 0) continue
    const holder = values.get(root)
    if (holder === undefined || isFields(holder)) values.set(root, withField(holder ?? {}, path, value))
  }
  return values
}

const isFields = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `fromEntries` makes even `__proto__` a plain field. */
function withField(holder: Variables, [name = '', ...path]: readonly string[], value: unknown): Variables {
  const inner = Object.hasOwn(holder, name) && isFields(holder[name]) ? holder[name] : {}
  const field = path.length === 0 ? value : withField(inner, path, value)
  return Object.fromEntries([...Object.entries(holder), [name, field]])
}

const rawBlock = /\{%(-?)\s*raw\s*(-?)%\}([\s\S]*?)\{%(-?)\s*endraw\s*(-?)%\}/g

/** The library does not know `raw` blocks: they become string literals, with white space control as it was. */
const quoteRawBlocks = (text: string): string =>
  text.replace(rawBlock, (_block, before, trimsStart, body: string, trimsEnd, after) => {
    const start = trimsStart === '' ? body : body.trimStart()
    const trimmed = trimsEnd === '' ? start : start.trimEnd()
    return `{{${before} '${trimmed.replace(/[^\w ]/g, escaped)}' ${after}}}`
  })

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
