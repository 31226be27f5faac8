/** The filter fields as typed; they come from the contract. Pure. */
import {
  fieldEntries,
  metadataPrefix,
  nearestName,
  scorePrefix,
  type TraceField,
  type TraceFieldName,
  type traceFields,
} from '@plumbline/sdk/trace-fields'

export type FieldKind = 'text' | 'flag' | 'money' | 'duration' | 'count' | 'score'

export interface FilterField {
  readonly name: string
  readonly kind: FieldKind
  readonly hint: string
}

function kindOf({ type, unit }: TraceField): FieldKind {
  if (type === 'flag') return 'flag'
  if (type !== 'number') return 'text'
  return unit === 'usd' ? 'money' : unit === 'ms' ? 'duration' : 'count'
}

/** Fields are typed without the unit, which follows the number: `duration>2s`. */
export const typedName = (name: string): string => name.replace(/Ms$/, '')

const unitHints: Readonly<Record<FieldKind, (name: string) => string>> = {
  text: () => '',
  flag: () => ': true or false',
  money: (name) => `: ${name}>0.01`,
  duration: (name) => `: ${name}>2s, ${name}<500ms`,
  count: (name) => `: ${name}>10k`,
  score: () => '',
}

/** The fields by typed name, in display order. */
const fields: ReadonlyMap<string, { readonly name: TraceFieldName; readonly field: TraceField }> = new Map(
  fieldEntries.flatMap(([name, field]) =>
    field.hint === undefined ? [] : [[typedName(name), { name, field }] as const],
  ),
)

export const filterFields: readonly FilterField[] = [
  ...[...fields].map(([name, { field }]) => {
    const kind = kindOf(field)
    const idHint = field.nameColumn === undefined ? '' : `; ${name}=ID matches only the id`
    return { name, kind, hint: `${field.hint}${unitHints[kind](name)}${idHint}` }
  }),
  { name: 'score', kind: 'score', hint: 'any score: score<0.5, score:false, score:*' },
]

/** The contract's definition of a typed field; undefined for a metadata key or a score. */
export const statedField = (name: string): TraceField | undefined => fields.get(name)?.field

/** Users and customers match by name as well as by id. */
export const isFoundByName = (name: string): boolean => statedField(name)?.nameColumn !== undefined

/** The contract's name of a typed field. */
export const statedName = (name: string): string => fields.get(name)?.name ?? name

/** Fields whose second part is the caller's: `metadata.env`, `score.accuracy`. */
export const namedFields = [
  { prefix: metadataPrefix, kind: 'text', hint: 'metadata key' },
  { prefix: scorePrefix, kind: 'score', hint: 'score.accuracy<0.5' },
] as const satisfies readonly { prefix: string; kind: FieldKind; hint: string }[]

/** Aliases: the contract's own names, and common ones. */
const aliases: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...fields].flatMap(([alias, { name, field }]) =>
      [name, field.parameter?.name, field.exportColumn]
        .filter((other) => other !== undefined && other !== alias)
        .map((other) => [other?.toLowerCase(), alias]),
    ),
  ),
  org: 'organization',
  customer: 'organization',
  version: 'promptVersion',
  error: 'hasError',
  latency: typedName('durationMs' satisfies keyof typeof traceFields),
}

/** The field with this name or alias, case-insensitive. */
export function findField(input: string): FilterField | undefined {
  const prefixField = namedFields.find(
    ({ prefix }) => input.toLowerCase().startsWith(prefix) && input.length > prefix.length,
  )
  if (prefixField !== undefined) {
    return {
      name: prefixField.prefix + input.slice(prefixField.prefix.length),
      kind: prefixField.kind,
      hint: prefixField.hint,
    }
  }
  const lower = input.toLowerCase()
  const name = (Object.hasOwn(aliases, lower) ? aliases[lower] : undefined) ?? lower
  return filterFields.find((field) => field.name.toLowerCase() === name.toLowerCase())
}

/** The closest known field, as a suggestion. */
export function nearestField(name: string): string | undefined {
  const nearest = nearestName(name, [...filterFields.map(({ name }) => name), ...Object.keys(aliases)])
  return nearest && findField(nearest)?.name
}
