/**
 * Paths of rules: a field, then keys and indexes. `*` stands for one key or index, `**` for any number of them. A walk
 * keeps the positions that each path has reached, so that no key is visited twice.
 */
import { type MaskingField, maskingFields } from '@plumbline/contract'

export type Step =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'one' }
  | { readonly type: 'any' }

export interface MaskingPath {
  /** The field that the path begins with; undefined if it can be any field. */
  readonly field: MaskingField | undefined
  /** The steps after the field. */
  readonly steps: readonly Step[]
}

const token = /\.?(?:(\*\*)|(\*)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\[(\*)\]|([^.[\]*"\s][^.[\]*"]*))/y

/** Parses a path; throws an error with a sentence if the text is none. */
export function parsePath(text: string): MaskingPath {
  const steps: Step[] = []
  token.lastIndex = text.startsWith('$.') ? 2 : 0
  while (token.lastIndex < text.length) {
    const position = token.lastIndex
    const match = token.exec(text)
    if (match === null || (steps.length > 0 && text[position] !== '.' && text[position] !== '['))
      throw new Error(`has a syntax error at position ${position}`)
    const [, anyKey, every, quoted, index, anyIndex, key] = match
    if (anyKey !== undefined) {
      // Two `**` in a row are equivalent to one.
      if (steps.at(-1)?.type !== 'any') steps.push({ type: 'any' })
    } else if (every !== undefined || anyIndex !== undefined) steps.push({ type: 'one' })
    else steps.push({ type: 'key', key: quoted?.replaceAll(/\\(.)/g, '$1') ?? index ?? key ?? '' })
  }
  const [first, ...rest] = steps
  if (first === undefined) throw new Error('must name a field')
  if (first.type === 'one') return { field: undefined, steps: rest }
  if (first.type === 'any') return { field: undefined, steps }
  const field = maskingFields.find((name) => name === first.key)
  if (field === undefined) throw new Error(`must begin with one of ${maskingFields.join(', ')}, or with *`)
  return { field, steps: rest }
}

/** How far the paths have been followed: each position is an index into the steps of one path. */
export type PathPositions<Rule> = readonly {
  readonly rule: Rule
  readonly steps: readonly Step[]
  readonly next: number
}[]

/** The positions before the first key of a field. */
export function begin<Rule>(
  rules: readonly { readonly rule: Rule; readonly steps: readonly Step[] }[],
): PathPositions<Rule> {
  return rules.flatMap(({ rule, steps }) => skips(steps, 0).map((next) => ({ rule, steps, next })))
}

/** The positions after a key. `customer.email` is both a key of that name and the key `email` below `customer`. */
export function enter<Rule>(position: PathPositions<Rule>, key: string): PathPositions<Rule> {
  if (position.length === 0) return position
  const whole = enterOne(position, key)
  if (!key.includes('.')) return whole
  let ruleTree: PathPositions<Rule> = position
  for (const part of key.split('.', partsMax)) ruleTree = enterOne(ruleTree, part)
  return unique([...whole, ...ruleTree])
}

const partsMax = 40

/** The first rule, in order, whose path ends here. */
export function ruleAt<Rule>(position: PathPositions<Rule>): Rule | undefined {
  return position.find(({ steps, next }) => next === steps.length)?.rule
}

function enterOne<Rule>(state: PathPositions<Rule>, key: string): PathPositions<Rule> {
  const entered = state.flatMap(({ rule, steps, next }) => {
    const step = steps[next]
    if (step === undefined) return []
    if (step.type === 'any') return skips(steps, next).map((position) => ({ rule, steps, next: position }))
    if (step.type === 'key' && step.key !== key) return []
    return skips(steps, next + 1).map((position) => ({ rule, steps, next: position }))
  })
  return unique(entered)
}

/** `**` may stand for no key at all. */
function skips(steps: readonly Step[], next: number): number[] {
  const positions = [next]
  for (let index = next; steps[index]?.type === 'any'; index++) positions.push(index + 1)
  return positions
}

/** Each position once; otherwise paths with several `**` would grow at each key. */
function unique<Rule>(state: PathPositions<Rule>): PathPositions<Rule> {
  const positionsBySteps = new Map<readonly Step[], Set<number>>()
  return state.filter(({ steps, next }) => {
    const positions = positionsBySteps.get(steps) ?? new Set()
    positionsBySteps.set(steps, positions)
    const isNew = !positions.has(next)
    positions.add(next)
    return isNew
  })
}
