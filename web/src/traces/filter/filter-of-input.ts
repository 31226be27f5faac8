/** The clauses of an operation's filter: the inverse of `filterInput`. Pure. */
import { fieldEntries, metadataPrefix, type TraceCondition } from '@plumbline/sdk/trace-fields'
import { typedName } from './filter-fields.ts'
import { type Clause, hasValues } from './filter-text.ts'

type Says = 'is' | '>=' | '<='
type Parameter = readonly [name: string, { readonly field: string; readonly says: Says }]

/** Parameters by name, with the field and the meaning of each. */
const parameters = new Map(
  fieldEntries.flatMap(([name, { parameter, minimum, maximum }]) => {
    const field = typedName(name)
    const entries: readonly (Parameter | undefined)[] = [
      parameter && [parameter.name, { field, says: 'is' }],
      minimum && [minimum.name, { field, says: '>=' }],
      maximum && [maximum.name, { field, says: '<=' }],
    ]
    return entries.filter((entry) => entry !== undefined)
  }),
)

export function clausesOfInput(input: Readonly<Record<string, unknown>>): readonly Clause[] {
  return Object.entries(input).flatMap(([name, value]): readonly Clause[] => {
    if (value === undefined || value === null) return []
    if (name === 'where') return readConditions(value).flatMap(clausesOfCondition)
    if (name === 'q') return wordsClauses(String(value))
    if (name.startsWith(metadataPrefix)) return [hasValues(name, [String(value)])]
    const parameter = parameters.get(name)
    if (parameter === undefined) return []
    const { field, says } = parameter
    if (says === 'is') return [hasValues(field, [String(value)])]
    return [{ type: 'bound', field, operator: says, value: Number(value) }]
  })
}

/** The words and phrases of a search, separated as by the service. A phrase has no wildcards. */
const wordsClauses = (query: string): readonly Clause[] =>
  [...query.matchAll(/"([^"]*)"|([^\s"]+)/g)]
    .flatMap(([, phrase, word = '']) =>
      phrase === undefined ? wordsOf(word) : [phrase.replaceAll('*', ' ').trim()],
    )
    .flatMap((text) => (text === '' ? [] : [{ type: 'words', text }]))

/** Punctuation separates words, except within `*a-b*`. */
function wordsOf(word: string): readonly string[] {
  if (/^\*./.test(word)) return [word]
  const words = word.split(/[\p{P}$+=|<>`^~]+/u).filter((part) => part !== '')
  const last = words.pop()
  if (last === undefined) return []
  return [...words, word.endsWith('*') ? `${last}*` : last]
}

/** The service has checked them; invalid ones from elsewhere are ignored. */
function readConditions(value: unknown): readonly TraceCondition[] {
  try {
    const conditions: unknown = typeof value === 'string' ? JSON.parse(value) : value
    // Safe: stored conditions match the contract.
    return Array.isArray(conditions) ? (conditions as TraceCondition[]) : []
  } catch {
    return []
  }
}

function clausesOfCondition(condition: TraceCondition): readonly Clause[] {
  const field = typedName(condition.field)
  const { is, named, not, exists, min, max } = condition
  const clauses: Clause[] = []
  if (is !== undefined) clauses.push(hasValues(field, is))
  if (named !== undefined) clauses.push({ type: 'values', field, values: named, isNot: false })
  if (not !== undefined) clauses.push({ type: 'values', field, values: not, isNot: true })
  if (exists !== undefined) clauses.push({ type: 'presence', field, isThere: exists })
  if (min !== undefined && min === max)
    return [...clauses, { type: 'bound', field, operator: '=', value: min }]
  if (min !== undefined) clauses.push({ type: 'bound', field, operator: '>=', value: min })
  if (max !== undefined) clauses.push({ type: 'bound', field, operator: '<=', value: max })
  return clauses
}
