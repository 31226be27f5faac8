/** The cost of rendering steps, and their limits. */
import type { CallArguments } from './call-arguments.ts'
import { childrenOf, filterName, type Node, operatorOf, type Value } from './jinja.ts'
import { listFilters } from './list-filters.ts'
import { indentMax, lengthOf, numberOf, textSize } from './values.ts'

/** The template is rejected although it is valid. The message is the end of a sentence. */
export class Refusal extends Error {}

/** About a tenth of a second. */
export const workMax = 1_000_000
export const depthMax = 400

/** A node under evaluation, and the number of its parts that have been evaluated. */
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

/** The cost per list item, depending on its use: the library creates a scope for each iteration of a loop. */
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

/** The maximum number of characters that a filter reads, if it can exceed the length of its operand. */
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

/** Whether a list that a node evaluates becomes text, instead of being looped over, tested or passed on. */
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

/** Adds the name of the operation to its errors. */
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
