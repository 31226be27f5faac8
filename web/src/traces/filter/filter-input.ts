/** The filter as operations accept it. Pure. */
import type { TraceCondition } from '@plumbline/sdk/trace-fields'
import type { Input } from '../../app/api.ts'
import { isFoundByName, statedField, statedName } from './filter-fields.ts'
import { nextAbove, nextBelow } from './filter-number.ts'
import type { Clause } from './filter-text.ts'

type ListInput = Input<'traces.list'>
export type FilterInput = Omit<ListInput, 'sort' | 'order' | 'limit' | 'cursor' | 'from' | 'to'>

export function filterInput(clauses: readonly Clause[]): FilterInput {
  const direct: Record<string, unknown> = {}
  const where: TraceCondition[] = []
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

/**
 * A phrase unless it is one plain word, or a part of one (`refun*`, `*fund*`); the API does not support quotes within
 * quotes.
 */
const wordsOf = (text: string): string =>
  /^\*?[\p{L}\p{N}_]+\*?$/u.test(text) ? text : `"${text.replaceAll('"', ' ')}"`

/** A single value uses the field's own parameter, if it has one; metrics then cover only the logs with that value. */
function parameterOf(clause: Clause): { readonly name: string; readonly value: unknown } | undefined {
  if (clause.type !== 'values' || clause.isNot || clause.values.length !== 1) return undefined
  const [value = ''] = clause.values
  const field = statedField(clause.field)
  if (field?.parameter === undefined || mayBeName(clause)) return undefined
  // An unknown value becomes a condition that matches nothing.
  if (field.values !== undefined && !field.values.includes(value)) return undefined
  return { name: field.parameter.name, value: field.type === 'flag' ? value === 'true' : value }
}

const mayBeName = ({ field, isId }: Clause & { type: 'values' }): boolean =>
  isFoundByName(field) && isId !== true

function conditionsOf(clause: Exclude<Clause, { type: 'words' }>): readonly TraceCondition[] {
  const field = statedName(clause.field)
  switch (clause.type) {
    case 'values': {
      if (clause.isNot) return [{ field, not: clause.values }]
      return [{ field, ...(mayBeName(clause) ? { named: clause.values } : { is: clause.values }) }]
    }
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
