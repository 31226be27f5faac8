/** Masks the bodies of REST recording requests, each field by its rules. Ids, slugs, types, times and numbers stay. */
import { Generation, type MaskingField, operations, PlainLog } from '@plumbline/contract'
import { maskEntry, maskRequiredText, maskValue, type ValueContext } from './mask-value.ts'
import { enter, ruleAt } from './path.ts'

type Fields = Readonly<Record<string, unknown>>

const content: Readonly<Record<string, MaskingField>> = {
  input: 'input',
  output: 'output',
  idealOutput: 'output',
  metadata: 'metadata',
}
const identities = ['user', 'organization'] as const

/** References between records and to the service. */
const references = new Set([
  'id',
  'parentId',
  'type',
  'featureSlug',
  'chainSlug',
  'startTime',
  'endTime',
  'inputTokens',
  'outputTokens',
  'cost',
])

/** Texts that the sender chose freely as names of things that need not exist: rules limited to no field apply. */
const quoted = new Set(['evaluators', 'evaluationConfig', 'prompt', 'slug', 'version', 'tag'])

const traceFields = new Set(Object.keys(operations.monitor.trace.input.properties))
const singleLogFields = new Set(Object.keys(operations.monitor.log.input.properties))
const plainFields = new Set(Object.keys(PlainLog.properties))
const generationFields = new Set(Object.keys(Generation.properties))

/** The body of `monitor.trace`. Fields that the contract does not have are left out, since nothing reads them. */
export function maskTrace(trace: Fields, context: ValueContext): Fields {
  const masked = maskFields(trace, traceFields, '', context)
  const { logs } = trace
  if (!Array.isArray(logs)) return masked
  return {
    ...masked,
    logs: logs.map((log: Fields, index) =>
      maskFields(log, log.type === 'generation' ? generationFields : plainFields, `logs[${index}].`, context),
    ),
  }
}

/** The body of `monitor.log`. */
export const maskLog = (log: Fields, context: ValueContext): Fields =>
  maskFields(log, singleLogFields, '', context)

function maskFields(
  fields: Fields,
  names: ReadonlySet<string>,
  place: string,
  context: ValueContext,
): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => names.has(name))
      .map(([name, value]) => [name, maskField(name, value, place + name, context)]),
  )
}

function maskField(name: string, value: unknown, place: string, context: ValueContext): unknown {
  const { rules } = context
  if (value == null || references.has(name) || name === 'logs') return value
  const field = content[name]
  if (field !== undefined)
    return keepType(maskValue(value, rules.rulesOf(field), context, place), value, name)
  const identity = identities.find((each) => each === name)
  if (identity !== undefined) return maskIdentity(value as Fields, identity, place, context)
  if (name === 'variables') return maskVariables(value as unknown[], place, context)
  if (name === 'name') return maskRequiredText(String(value), rules.rulesOf('name'), context, place)
  if (name === 'experiment') return { id: (value as Fields).id }
  if (quoted.has(name)) return maskTexts(value, 'everywhere', place, context)
  // A field of a trace that this list does not name may contain anything, as metadata may.
  return maskTexts(value, 'metadata', place, context)
}

/** Metadata stays an object; if it was dropped, null counts as absent. */
const keepType = (replacement: unknown, value: unknown, name: string): unknown =>
  name === 'metadata' && typeof replacement !== typeof value ? null : replacement

/** Texts that must stay texts, alone or in a list or object. */
export function maskTexts(
  value: unknown,
  field: MaskingField | 'everywhere',
  place: string,
  context: ValueContext,
): unknown {
  const rules = field === 'everywhere' ? context.rules.everywhere : context.rules.rulesOf(field)
  if (typeof value === 'string') return maskRequiredText(value, { ...rules, paths: [] }, context, place)
  if (Array.isArray(value))
    return value.map((each, index) => maskTexts(each, field, `${place}[${index}]`, context))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, maskTexts(each, field, `${place}.${key}`, context)]),
  )
}

/** `id` and `name` stay texts; other keys, which nothing reads, are left out. */
function maskIdentity(
  identity: Fields,
  field: 'user' | 'organization',
  place: string,
  context: ValueContext,
): unknown {
  const rules = context.rules.rulesOf(field)
  const whole = ruleAt(rules.paths)
  if (whole?.action === 'drop') return null
  const entries = ['id', 'name'].flatMap((key) => {
    const value = identity[key]
    if (typeof value !== 'string') return []
    const paths = whole === undefined ? enter(rules.paths, key) : rules.paths
    return [[key, maskRequiredText(value, { ...rules, paths }, context, `${place}.${key}`)] as const]
  })
  return Object.fromEntries(entries)
}

/** The value of a variable. A path that ends at the field covers all of them. */
export const maskVariable: typeof maskEntry = (label, value, rules, context, place) =>
  ruleAt(rules.paths) === undefined
    ? maskEntry(label, value, rules, context, place)
    : maskValue(value, rules, context, place)

/** Variables are an object of values by label for the paths of rules. Labels are texts of the prompt's template. */
function maskVariables(variables: readonly unknown[], place: string, context: ValueContext): unknown[] {
  const rules = context.rules.rulesOf('variables')
  const plain = { ...rules, paths: [] }
  return variables.map((variable, index) => {
    const ownPlace = `${place}[${index}]`
    if (typeof variable === 'string') return maskRequiredText(variable, plain, context, ownPlace)
    const { label, value } = Object(variable) as { label?: unknown; value?: unknown }
    if (typeof label !== 'string') return maskValue(variable, plain, context, ownPlace)
    return {
      label: maskRequiredText(label, plain, context, `${ownPlace}.label`),
      ...(value === undefined
        ? {}
        : { value: maskVariable(label, value, rules, context, `${ownPlace}.value`) }),
    }
  })
}
