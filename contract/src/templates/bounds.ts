/** What the steps of a rendering cost, and how far they may go. */
import type { CallArguments } from './call-arguments.ts'
import { childrenOf, filterName, type Node, operatorOf, type Value } from './jinja.ts'
import { listFilters } from './list-filters.ts'
import { indentMax, lengthOf, numberOf, textSize } from './values.ts'

/** A template is refused, not broken. The message ends a sentence. */
export class Refusal extends Error {}

/** About a tenth of a second. */
export const workMax = 1_000_000
export const depthMax = 400

/** A node under evaluation, and how many of its parts are evaluated. */
export interface Frame {
  readonly node: Node
  count: number
}

/** Nodes that cost more than their operands: loop controls are thrown errors, and a macro is searched for names. */
export function costOf(node: Node): number {
  switch (node.type) {
    case 'Break':
    case 'Continue':
      return 32
    case 'Macro':
    case 'CallStatement':
      return nodeCount(node)
    default:
      return 1
  }
}

/** What a list costs per item where it is used: the library makes a scope for each turn of a loop. */
export function costPerItem(parent: Frame | undefined): number {
  if (parent?.node.type === 'MemberExpression') return 0
  if (parent?.count !== 0) return 0.25
  return parent.node.type === 'For' ? 6 : parent.node.type === 'FilterExpression' ? 2 : 0.25
}

const nodeCounts = new WeakMap<Node, number>()

function nodeCount(node: Node): number {
  let count = nodeCounts.get(node)
  if (count === undefined) {
    count = 0
    const open = [node]
    for (let next = open.pop(); next; next = open.pop()) {
      count++
      for (const child of childrenOf(next)) open.push(child)
    }
    nodeCounts.set(node, count)
  }
  return count
}

export function takesList(node: Node): boolean {
  return node.type === 'For' || (node.type === 'FilterExpression' && listFilters.has(filterName(node)))
}

/** How many characters a filter looks at, at most, where that is more than its operand's own. */
export function filteredSize(filter: string, value: Value, { positional, keywords }: CallArguments): number {
  switch (filter) {
    case 'tojson':
      for (const each of [...positional, ...keywords.values()])
        if ((numberOf(each) ?? 0) > indentMax) throw new Refusal(`it indents JSON by more than ${indentMax}`)
      return textSize(value)
    case 'sort':
    case 'dictsort':
    case 'groupby':
      return textSize(value) * Math.ceil(Math.log2(lengthOf(value) + 2))
    case 'unique':
    case 'min':
    case 'max':
    case 'select':
    case 'reject':
    case 'selectattr':
    case 'rejectattr':
      return textSize(value)
    default:
      return 0
  }
}

const flattening = new Set(['+', '~'])

/** Whether a list that a node evaluates is written out as text, and not looped over, tested or passed on. */
export function becomesText({ node, count }: Frame): boolean {
  switch (node.type) {
    case 'For':
    case 'If':
      return count > 0
    case 'Program':
    case 'FilterStatement':
      return true
    case 'Set':
      return !node.value
    case 'BinaryExpression':
      return flattening.has(operatorOf(node))
    case 'CallExpression':
      return count > (node.args as Node[]).length
    case 'CallStatement':
      return count > ((node.call as Node).args as Node[]).length
    default:
      return false
  }
}

/** An error of an operation says which one it was. */
export function nameErrors<T>(operation: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError || !(error instanceof Error)) throw error
    throw error.message.startsWith('`') && error.message.includes(operation)
      ? error
      : new Error(`${operation}: ${error.message}`)
  }
}
