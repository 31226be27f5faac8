/**
 * Masks stored traces, for imports and the rehearsal. The tables name every field; a row with a new field does not compile
 * until they define how it is masked.
 */
import {
  type MaskingField,
  type RecordedField,
  recordedLogFields,
  recordedTraceFields,
} from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { LogRow, ScoreRow, StoredTrace, TraceRow } from '@plumbline/storage/traces'
import type { CompiledRules } from './compile-rules.ts'
import { maskTexts, maskVariable } from './mask-trace.ts'
import { maskRequiredText, maskValue, type ValueContext } from './mask-value.ts'
import { enter, ruleAt } from './path.ts'

type Context = Omit<ValueContext, 'rules'>

export function maskStoredTrace(
  storedTrace: StoredTrace,
  rules: CompiledRules,
  context: Context,
): StoredTrace {
  const { trace, logs, scores } = storedTrace
  const all = { ...context, rules: rules.forFeature(trace.featureSlug) }
  return {
    trace: maskRow(trace, traceMasks, all, ''),
    logs: logs.map((log, index) => maskRow(log, logMasks, all, `logs[${index}].`)),
    scores: scores.map((score, index) => maskRow(score, scoreMasks, all, `scores[${index}].`)),
  }
}

/** The id of an end user or an organization, as it is stored. */
export const maskId = (field: 'user' | 'organization', id: string, context: ValueContext): string | null =>
  identity(field, 'id')(id, context, '')

/** A score of a trace whose feature is not known. */
export const maskScoreRow = (row: ScoreRow, rules: CompiledRules, context: Context): ScoreRow =>
  maskRow(row, scoreMasks, { ...context, rules: rules.forFeature(undefined) }, '')

/** `place` is where the value is, for the rehearsal. */
type Mask<Value> = (value: Value, context: ValueContext, place: string) => Value
type Masks<Row> = { readonly [Field in keyof Row]-?: Mask<Row[Field]> }

const maskRow = <Row extends object>(
  row: Row,
  masks: Masks<Row>,
  context: ValueContext,
  place: string,
): Row =>
  // Safe: each mask takes the value of its field, and returns one.
  Object.fromEntries(
    Object.entries(masks as unknown as Record<string, Mask<unknown>>).map(([field, mask]) => [
      field,
      mask(row[field as keyof Row], context, place + field),
    ]),
  ) as Row

const keepValue = <Value>(value: Value): Value => value

/** Ids, times, numbers, and names of things that exist in the workspace. */
const keep = <Field extends string>(...fields: readonly Field[]): Record<Field, typeof keepValue> =>
  // Safe: there is an entry for each field.
  Object.fromEntries(fields.map((field) => [field, keepValue])) as Record<Field, typeof keepValue>

const orNull =
  <Value>(mask: Mask<Value>): Mask<Value | null> =>
  (value, context, place) =>
    value === null ? null : mask(value, context, place)

const listOf =
  <Value>(mask: Mask<Value>): Mask<Value[]> =>
  (values, context, place) =>
    values.map((value, index) => mask(value, context, `${place}[${index}]`))

const textOf =
  (field: MaskingField): Mask<string> =>
  (text, context, place) =>
    maskRequiredText(text, context.rules.rulesOf(field), context, place)

/** A text that the contract does not list as a field may contain anything, as metadata may. */
const freeText: Mask<string> = (text, context, place) =>
  maskRequiredText(text, { ...context.rules.rulesOf('metadata'), paths: [] }, context, place)

/** A text that the sender chose freely as a name for something that need not exist. */
const quotedText: Mask<string> = (text, context, place) =>
  maskRequiredText(text, context.rules.everywhere, context, place)

const textsOf =
  (field: MaskingField | 'everywhere'): Mask<string> =>
  (text, context, place) =>
    // Only texts inside the JSON change, so that it keeps its form.
    JSON.stringify(maskTexts(parseJsonText(text), field, place, context))

/** Masks a JSON value; null if all of it is dropped. */
const jsonOf =
  (field: MaskingField): Mask<string | null> =>
  (text, context, place) => {
    if (text === null) return null
    const value: unknown = parseJsonText(text)
    const masked = maskValue(value, context.rules.rulesOf(field), context, place)
    return masked === value ? text : masked === null ? null : JSON.stringify(masked)
  }

const metadata: Mask<string | null> = (text, context, place) => {
  const masked = jsonOf('metadata')(text, context, place) ?? null
  return masked?.startsWith('{') ? masked : null
}

const identity =
  (field: 'user' | 'organization', key: 'id' | 'name'): Mask<string | null> =>
  (text, context) => {
    if (text === null) return null
    const rules = context.rules.rulesOf(field)
    const whole = ruleAt(rules.paths)
    if (whole?.action === 'drop') return null
    const paths = whole === undefined ? enter(rules.paths, key) : rules.paths
    return maskRequiredText(text, { ...rules, paths }, context, `${field}.${key}`)
  }

/** The row does not show whether the session id came from the metadata, so the rules for metadata apply to it. */
const session: Mask<string> = (text, context, place) => {
  const rules = context.rules.rulesOf('metadata')
  const paths = ruleAt(rules.paths) === undefined ? enter(rules.paths, 'sessionId') : rules.paths
  return maskRequiredText(text, { ...rules, paths }, context, place)
}

const variables: Mask<string> = (text, context, place) => {
  const rules = context.rules.rulesOf('variables')
  const plain = { ...rules, paths: [] }
  // Safe: the store holds a list of labels and values.
  const list = parseJsonText(text) as readonly { label: string; value?: unknown }[]
  const masked = list.map(({ label, value }, index) => {
    return {
      label: maskRequiredText(label, plain, context, `${place}[${index}].label`),
      ...(value === undefined
        ? {}
        : { value: maskVariable(label, value, rules, context, `${place}[${index}].value`) }),
    }
  })
  return JSON.stringify(masked)
}

const recordMasks = <Values>(fields: readonly RecordedField<Values>[]): Masks<Values> =>
  // Safe: each field is masked as a value of its type.
  Object.fromEntries(
    fields.map(({ name, type }) => [
      name,
      type === 'list' ? listOf(freeText) : type === 'number' ? keepValue : orNull(freeText),
    ]),
  ) as unknown as Masks<Values>

const content = {
  input: jsonOf('input'),
  output: jsonOf('output'),
  idealOutput: jsonOf('output'),
  metadata,
  userId: identity('user', 'id'),
  organizationId: identity('organization', 'id'),
  evaluators: orNull(textsOf('everywhere')),
  sent: orNull(textsOf('metadata')),
}

const traceMasks: Masks<TraceRow> = {
  ...keep('workspaceId', 'traceId', 'featureSlug', 'experimentId', 'apiKeyId', 'logTypes'),
  ...keep('startUs', 'endUs', 'durationUs', 'sampled', 'sampleRate'),
  ...keep('inputTokens', 'outputTokens', 'cost', 'tokensEstimated', 'errors', 'logCount'),
  ...recordMasks(recordedTraceFields),
  ...content,
  name: textOf('name'),
  sessionId: orNull(session),
  userName: identity('user', 'name'),
  organizationName: identity('organization', 'name'),
  judges: listOf(quotedText),
  evaluationConfig: orNull(textsOf('everywhere')),
  sampledBy: orNull(quotedText),
  warning: orNull(quotedText),
  models: listOf(freeText),
  prompts: listOf(({ slug, version }, context, place) => ({
    slug: quotedText(slug, context, place),
    version: orNull(quotedText)(version, context, place),
  })),
}

const logMasks: Masks<LogRow> = {
  ...keep('workspaceId', 'traceId', 'logId', 'parentId', 'type', 'featureSlug', 'experimentId'),
  ...keep('traceStartUs', 'position', 'startUs', 'endUs', 'durationUs', 'hasError'),
  ...keep('inputTokens', 'outputTokens', 'tokensEstimated', 'freshInputTokens', 'cacheReadTokens'),
  ...keep('cacheWriteTokens', 'textOutputTokens', 'reasoningTokens', 'otherTokens', 'serviceTier'),
  ...keep('cost', 'costEstimate', 'countsInTotals', 'costInTotals'),
  ...recordMasks(recordedLogFields),
  ...content,
  name: orNull(textOf('name')),
  variables: orNull(variables),
  prompt: orNull(textsOf('everywhere')),
  promptSlug: orNull(quotedText),
  promptVersion: orNull(quotedText),
  model: orNull(freeText),
  provider: orNull(freeText),
  costDetail: orNull(textsOf('everywhere')),
}

const scoreMasks: Masks<ScoreRow> = {
  ...keep('workspaceId', 'scoreId', 'traceId', 'logId', 'createdAtMs', 'source', 'apiKeyId', 'revision'),
  ...keep('sessionId'),
  ...keep('evaluatorSlug', 'evaluatorVersion', 'model', 'judgeTraceId'),
  ...keep('cost', 'inputTokens', 'outputTokens'),
  // The name of a member or of a key, not of an end user.
  ...keep('author'),
  name: (text, context, place) =>
    maskRequiredText(text, { ...context.rules.rulesOf('comment'), paths: [] }, context, place),
  value: (value, context, place) =>
    typeof value === 'string' ? textOf('comment')(value, context, place) : value,
  comment: orNull(textOf('comment')),
  userId: identity('user', 'id'),
}
