/**
 * Renders prompts to messages. The service and its clients share this module, so that the same template always gives the
 * same text.
 */
import { BoundedInterpreter } from './bounded-interpreter.ts'
import { Refusal } from './bounds.ts'
import { constants, createEnvironment } from './environment.ts'
import { parseTemplate, reasonOf, type Template, type TemplateCache } from './parse-template.ts'

export type { Template, TemplateCache } from './parse-template.ts'

/** A prompt's texts, which are Jinja templates. */
export interface PromptTexts {
  readonly text: string
  readonly systemText: string
  /** Replaces the texts if the prompt was created from messages. */
  readonly messages?: readonly TemplateMessage[] | undefined
}

/** A message of a prompt, or a placeholder for messages of the caller. */
export interface TemplateMessage {
  readonly role?: string
  readonly content?: string
  readonly placeholder?: string
}

/** A variable of a template. Without a value, or with null, it counts as absent. */
export interface Variable {
  readonly label: string
  readonly value?: unknown
}

export interface RenderedMessage {
  readonly role: string
  readonly content: string
}

/** The rendered messages, or a sentence on why rendering failed. */
export type RenderResult =
  | { readonly type: 'rendered'; readonly messages: RenderedMessage[] }
  | {
      readonly type: 'failed'
      readonly reason: string
      /** Index of the failed message; for texts, the system text comes first if there is one. */
      readonly place: number
    }

/**
 * Renders a prompt. Nothing is escaped, since models read text and not HTML. Never throws, and takes bounded time: a
 * template that is invalid, runs away or produces too much text fails with a reason.
 */
export function renderPrompt(
  prompt: PromptTexts,
  variables: readonly Variable[],
  cache?: TemplateCache,
): RenderResult {
  const messages: RenderedMessage[] = []
  const values = valuesOf(variables)
  for (const [place, { role = '', content = '', placeholder }] of templatesOf(prompt).entries()) {
    if (placeholder !== undefined) {
      messages.push(...messagesIn(values.get(placeholder)))
      continue
    }
    const rendered = renderTemplate(parseTemplate(content, cache), values)
    if (rendered.type === 'failed') return { ...rendered, place }
    messages.push({ role, content: rendered.text })
  }
  return { type: 'rendered', messages }
}

const templatesOf = ({ text, systemText, messages }: PromptTexts): readonly TemplateMessage[] =>
  messages ?? [
    ...(systemText === '' ? [] : [{ role: 'system', content: systemText }]),
    { role: 'user', content: text },
  ]

/** The messages that the caller passed for a placeholder, singly or as a list; other values insert nothing. */
function messagesIn(value: unknown): RenderedMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  if (typeof value !== 'object' || value === null || !('role' in value) || typeof value.role !== 'string')
    return []
  // Safe: the caller's messages are passed through unchanged.
  return [value as RenderedMessage]
}

type RenderedText =
  | { readonly type: 'rendered'; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string }

function renderTemplate(template: Template, values: ReadonlyMap<string, unknown>): RenderedText {
  if (template.type === 'plain') return { type: 'rendered', text: template.text }
  if (template.type === 'failed') return template
  try {
    const environment = createEnvironment()
    for (const name of template.names) {
      const value = values.get(name)
      if (value !== undefined && !Object.hasOwn(constants, name)) {
        environment.variables.delete(name)
        environment.set(name, value)
      } else if (!environment.variables.has(name)) {
        // Otherwise, the library would throw and catch an error at each lookup of the name.
        environment.set(name, undefined)
      }
    }
    return { type: 'rendered', text: new BoundedInterpreter(environment).render(template.program) }
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : reasonOf(error)
    return { type: 'failed', reason: `The template cannot be rendered: ${reason}.` }
  }
}

/**
 * Variables by the names that templates use: `user.name` becomes the field `name` of `user`, beside other fields. A label
 * that no template can refer to is kept but never used.
 */
function valuesOf(variables: readonly Variable[]): Map<string, unknown> {
  const values = new Map<string, unknown>()
  for (const { label, value } of variables) {
    if (value !== undefined && value !== null) values.set(label, value)
  }
  for (const [label, value] of [...values]) {
    const [root = '', ...path] = label.split('.')
    if (path.length === 0 || path.length > pathMax) continue
    const holder = values.get(root)
    if (holder === undefined || isFields(holder)) values.set(root, withField(holder ?? {}, path, value))
  }
  return values
}

const pathMax = 16

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a copy, since the object belongs to the caller. `fromEntries` makes even `__proto__` a plain field. */
function withField(holder: Fields, [name = '', ...path]: readonly string[], value: unknown): Fields {
  const inner = Object.hasOwn(holder, name) && isFields(holder[name]) ? holder[name] : {}
  const field = path.length === 0 ? value : withField(inner, path, value)
  return Object.fromEntries([...Object.entries(holder), [name, field]])
}
