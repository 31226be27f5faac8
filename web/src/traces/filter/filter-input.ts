/** The filter as operations take it. Pure. */
import type { Input } from '../../app/api.ts'
import { nextAbove, nextBelow } from './filter-number.ts'
import type { Clause } from './filter-text.ts'

type ListInput = Input<'traces.list'>
export type FilterInput = Omit<ListInput, 'sort' | 'order' | 'limit' | 'cursor' | 'from' | 'to'>

interface Condition {
  readonly field: string
  readonly is?: readonly string[]
  readonly not?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly exists?: boolean
}

/** Fields that have a parameter of their own for one value; metrics are those of the logs that have it. */
const parameters = {
  feature: 'featureSlug',
  experiment: 'experimentId',
  prompt: 'promptSlug',
  promptVersion: 'promptVersion',
  user: 'userId',
  organization: 'organizationId',
  type: 'type',
  name: 'name',
  model: 'model',
  provider: 'provider',
  session: 'sessionId',
} as const satisfies Readonly<Record<string, keyof ListInput>>

export function filterInput(clauses: readonly Clause[]): FilterInput {
  const direct: Record<string, unknown> = {}
  const where: Condition[] = []
  const words: string[] = []
  for (const clause of clauses) {
    if (clause.type === 'words') {
      words.push(wordsOf(clause.text))
      continue
    }
    const parameter = parameterOf(clause)
    if (parameter !== undefined && direct[parameter.name] === undefined) {
      direct[parameter.name] = parameter.value
    } else {
      where.push(...conditionsOf(clause))
    }
  }
  return {
    ...direct,
    ...(where.length > 0 && { where: JSON.stringify(where) }),
    ...(words.length > 0 && { q: words.join(' ') }),
  }
}

/** A phrase unless it is one plain word; the interface knows no quote within quotes. */
const wordsOf = (text: string): string =>
  /^[\p{L}\p{N}_]+$/u.test(text) ? text : `"${text.replaceAll('"', ' ')}"`

function parameterOf(clause: Clause): { readonly name: string; readonly value: unknown } | undefined {
  if (clause.type !== 'values' || clause.isNot || clause.values.length !== 1) return undefined
  const [value = ''] = clause.values
  if (clause.field === 'hasError' || clause.field === 'sampled')
    return { name: clause.field, value: value === 'true' }
  if (!Object.hasOwn(parameters, clause.field)) return undefined
  // Safe: it is a name of theirs.
  const name = parameters[clause.field as keyof typeof parameters]
  // Of types there are only those; another is a condition that nothing meets.
  return name === 'type' && !logTypes.has(value) ? undefined : { name, value }
}

const logTypes: ReadonlySet<string> = new Set([
  'generation',
  'tool',
  'retrieval',
  'function',
  'span',
  'event',
])

function conditionsOf(clause: Exclude<Clause, { type: 'words' }>): readonly Condition[] {
  const field = clause.field === 'duration' ? 'durationMs' : clause.field
  switch (clause.type) {
    case 'values':
      if (field === 'hasError')
        return clause.values.map((value) => ({
          field: 'errors',
          ...(value === 'true' ? { min: 1 } : { max: 0 }),
        }))
      // Stated twice, the first counts: the interface has one parameter for it.
      if (field === 'sampled') return []
      return [{ field, ...(clause.isNot ? { not: clause.values } : { is: clause.values }) }]
    case 'presence':
      return [{ field, exists: clause.isThere }]
    case 'bound': {
      const { operator, value } = clause
      if (operator === '=') return [{ field, min: value, max: value }]
      if (operator === '>' || operator === '>=')
        return [{ field, min: operator === '>' ? nextAbove(value) : value }]
      return [{ field, max: operator === '<' ? nextBelow(value) : value }]
    }
  }
}
