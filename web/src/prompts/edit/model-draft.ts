/** The form values of a model configuration: every field is a text, so that partially typed values stay. Pure. */
import type { Model, ModelInput } from '@plumbline/sdk'

const names = ['provider', 'client', 'model', 'version'] as const
const numbers = ['temperature', 'topP', 'maxLength', 'topK', 'frequencyPenalty', 'presencePenalty'] as const
const words = ['reasoningEffort', 'verbosity'] as const
const jsons = ['jsonObject', 'tools', 'toolChoice'] as const

export const responseFormats = ['text', 'json_object', 'json_schema'] as const
export type ResponseFormat = (typeof responseFormats)[number]

type TextField =
  | (typeof names)[number]
  | (typeof numbers)[number]
  | (typeof words)[number]
  | (typeof jsons)[number]

export type ModelDraft = Readonly<Record<TextField, string>> & { readonly responseFormat: ResponseFormat }

/** Problems by field. */
export type ModelProblems = { readonly [Field in TextField]?: string }

const defaults = { temperature: '1', topP: '1', maxLength: '4096' } as const

/** The form fields of a stored configuration; the defaults without one. */
export function toDraft(model: ModelInput | Model | undefined): ModelDraft {
  const parameters = model?.parameters ?? {}
  const draftText = (name: keyof typeof parameters): string => {
    const value: unknown = parameters[name]
    return value === null || value === undefined ? '' : textOf(value)
  }
  const format = responseFormats.find((candidate) => candidate === parameters.responseFormat) ?? 'text'
  // Safe: every field is named by one of the lists.
  return {
    ...Object.fromEntries(names.map((name) => [name, model?.[name] ?? ''])),
    ...Object.fromEntries([...numbers, ...words, ...jsons].map((name) => [name, draftText(name)])),
    ...Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        draftText(name as keyof typeof defaults) || value,
      ]),
    ),
    responseFormat: format,
  } as ModelDraft
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)

/** The configuration of a form without its invalid fields, and their problems. */
export function readDraft(draft: ModelDraft): {
  readonly model: ModelInput
  readonly problems: ModelProblems
} {
  const problems: { [Field in TextField]?: string } = {}
  const parameters: Record<string, unknown> = {}
  for (const name of numbers) {
    const text = draft[name].trim()
    if (text === '') continue
    if (Number.isFinite(Number(text))) parameters[name] = Number(text)
    else problems[name] = 'Enter a number.'
  }
  parameters.responseFormat = draft.responseFormat
  for (const name of words) if (draft[name].trim() !== '') parameters[name] = draft[name].trim()
  for (const name of jsons) {
    const text = draft[name].trim()
    if (text === '') continue
    const value = readJson(text)
    if (value !== undefined) parameters[name] = value
    // The tool choice may be a bare word, such as `auto`.
    else if (name === 'toolChoice' && /^\w+$/.test(text)) parameters[name] = text
    // The form shows the schema and its problems only if the schema applies.
    else if (name !== 'jsonObject' || draft.responseFormat === 'json_schema')
      problems[name] = 'Enter valid JSON.'
  }
  if (draft.responseFormat === 'json_schema' && draft.jsonObject.trim() === '')
    problems.jsonObject = 'Enter a schema, or choose another format.'
  const { provider, client, model, version } = draft
  return { model: { provider, client, model, version, parameters }, problems }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A configuration as text for comparison: with sorted fields, and without empty ones. */
export function modelText(model: ModelInput | Model | undefined): string {
  const read = readDraft(toDraft(model)).model
  const entries = names.flatMap((name) => (read[name] ? [[name, read[name]]] : []))
  return JSON.stringify({ ...Object.fromEntries(entries), parameters: read.parameters }, null, 2)
}

/** The tool names, in any provider's format. */
export function toolNames(tools: unknown): readonly string[] {
  return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) => {
    const definition = isFields(tool) && isFields(tool.function) ? tool.function : tool
    return isFields(definition) && typeof definition.name === 'string' ? [definition.name] : []
  })
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
