/**
 * How a prompt becomes messages. It is a rule of the interface: the service and its clients render with this one module,
 * so that both make the same text of one template.
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
  /** In place of the texts, where the prompt was made of messages. */
  readonly messages?: readonly TemplateMessage[] | undefined
}

/** A message of a prompt, or a place for messages of the caller. */
export interface TemplateMessage {
  readonly role?: string
  readonly content?: string
  readonly placeholder?: string
}

/** What fills a template in. Without a value, or with null, it is as if it were not given. */
export interface Variable {
  readonly label: string
  readonly value?: unknown
}

export interface RenderedMessage {
  readonly role: string
  readonly content: string
}

/** The messages that a prompt makes, or a sentence on why it makes none. */
export type RenderResult =
  | { readonly type: 'rendered'; readonly messages: RenderedMessage[] }
  | {
      readonly type: 'failed'
      readonly reason: string
      /** Of its message; of texts, 0 for the system's where there is one. */
      readonly place: number
    }

/**
 * Fills a prompt in. Nothing is escaped, since models read text and not HTML. Never throws, and takes bounded time
 * whatever the template: one that cannot be read, runs away or makes too much is a failure with its reason.
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

/** What a caller put in the place of a placeholder: a message or a list of them; anything else inserts nothing. */
function messagesIn(value: unknown): RenderedMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  if (typeof value !== 'object' || value === null || !('role' in value) || typeof value.role !== 'string')
    return []
  // Safe: a caller's message goes on as it is.
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
        // Looking up a name that no scope has costs the library a thrown error each time.
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
 * Variables by the name a template calls them: `user.name` is the `name` of `user`, beside others of the same
 * beginning. A label that no template can say is kept and never asked for.
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

/** A copy: a given object is somebody else's. `fromEntries` makes even `__proto__` a plain field. */
function withField(holder: Fields, [name = '', ...path]: readonly string[], value: unknown): Fields {
  const inner = Object.hasOwn(holder, name) && isFields(holder[name]) ? holder[name] : {}
  const field = path.length === 0 ? value : withField(inner, path, value)
  return Object.fromEntries([...Object.entries(holder), [name, field]])
}
