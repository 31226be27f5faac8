import { constants } from './bounded-interpreter.ts'
import { childrenOf, type Node } from './jinja.ts'
import { parseTemplate } from './parse-template.ts'

/** What a template seems to expect of a variable, by how it uses it. */
export type VariableType = 'string' | 'boolean' | 'array' | 'object'

export interface TemplateVariable {
  readonly label: string
  readonly type: VariableType
}

/**
 * The variables that a template must be given, in order of first use: names that the template does not itself set,
 * loop over, or take as a macro's argument. One that is looked into is an object, one that is looped over an array,
 * one that is only tested a boolean, and any other a string. A template that cannot be read has none.
 */
export function variablesOf(text: string): TemplateVariable[] {
  const template = parseTemplate(text)
  if (template.type !== 'parsed') return []
  const uses = new Uses()
  try {
    visit(template.program, new Set(builtins), uses, 'string')
  } catch (error) {
    // Nested deeper than the stack holds: such a template does not render either.
    if (error instanceof RangeError) return []
    throw error
  }
  return uses.list()
}

const builtins = [...Object.keys(constants), 'range', 'namespace']

class Uses {
  readonly #types = new Map<string, VariableType>()

  add(label: string, type: VariableType): void {
    const existingType = this.#types.get(label)
    if (existingType === undefined || strength[type] > strength[existingType]) this.#types.set(label, type)
  }

  list(): TemplateVariable[] {
    return [...this.#types].map(([label, type]) => ({ label, type }))
  }
}

/** Of several uses the one that says most holds. */
const strength: Record<VariableType, number> = { boolean: 0, string: 1, array: 2, object: 3 }

/** Names that are set further on in the same scope are added to `bound` as they come. */
function visit(node: Node, bound: Set<string>, uses: Uses, used: VariableType): void {
  switch (node.type) {
    case 'Identifier':
      if (!bound.has(String(node.value))) uses.add(String(node.value), used)
      break
    case 'MemberExpression':
      visitMember(node, bound, uses)
      break
    case 'For':
      visitLoop(node, bound, uses)
      break
    case 'If':
      visit(node.test as Node, bound, uses, 'boolean')
      visitAll([...(node.body as Node[]), ...(node.alternate as Node[])], bound, uses)
      break
    case 'Ternary':
      visit(node.trueExpr as Node, bound, uses, used)
      visit(node.condition as Node, bound, uses, 'boolean')
      visit(node.falseExpr as Node, bound, uses, used)
      break
    case 'SelectExpression':
      visit(node.lhs as Node, bound, uses, used)
      visit(node.test as Node, bound, uses, 'boolean')
      break
    case 'UnaryExpression':
      visit(node.argument as Node, bound, uses, used === 'boolean' ? 'boolean' : 'string')
      break
    case 'BinaryExpression':
      visitOperator(node, bound, uses, used)
      break
    case 'TestExpression':
      visit(node.operand as Node, bound, uses, 'boolean')
      break
    case 'FilterExpression':
    case 'FilterStatement':
      visitFilter(node, bound, uses, used)
      break
    case 'Set':
      visitAll([node.value, ...(node.body as Node[])].filter((part) => part !== null) as Node[], bound, uses)
      bindTarget(node.assignee as Node, bound)
      break
    case 'Macro':
      bound.add(String((node.name as Node).value))
      visitBody(node.args as Node[], node.body as Node[], bound, uses)
      break
    case 'CallStatement':
      visit(node.call as Node, bound, uses, 'string')
      visitBody((node.callerArgs as Node[] | null) ?? [], node.body as Node[], bound, uses)
      break
    case 'KeywordArgumentExpression':
      visit(node.value as Node, bound, uses, 'string')
      break
    default:
      visitAll(childrenOf(node), bound, uses)
  }
}

function visitAll(nodes: readonly Node[], bound: Set<string>, uses: Uses): void {
  for (const node of nodes) visit(node, bound, uses, 'string')
}

/** Methods of texts: `name.upper()` does not make an object of `name`. */
const textMethods = new Set([
  'upper',
  'lower',
  'strip',
  'lstrip',
  'rstrip',
  'title',
  'capitalize',
  'split',
  'replace',
  'startswith',
  'endswith',
])

function visitMember(node: Node, bound: Set<string>, uses: Uses): void {
  const property = node.property as Node
  const isByName = node.computed ? property.type === 'StringLiteral' : property.type === 'Identifier'
  const type = !isByName ? 'array' : textMethods.has(String(property.value)) ? 'string' : 'object'
  visit(node.object as Node, bound, uses, type)
  if (node.computed) visit(property, bound, uses, 'string')
}

function visitLoop(node: Node, bound: Set<string>, uses: Uses): void {
  const iterable = node.iterable as Node
  const isFiltered = iterable.type === 'SelectExpression'
  visit((isFiltered ? iterable.lhs : iterable) as Node, bound, uses, 'array')
  const inner = new Set([...bound, 'loop'])
  bindTarget(node.loopvar as Node, inner)
  if (isFiltered) visit(iterable.test as Node, inner, uses, 'boolean')
  visitAll(node.body as Node[], inner, uses)
  visitAll(node.defaultBlock as Node[], new Set(bound), uses)
}

function visitOperator(node: Node, bound: Set<string>, uses: Uses, used: VariableType): void {
  const operator = String((node.operator as Node).value)
  const isLogical = operator === 'and' || operator === 'or'
  visit(node.left as Node, bound, uses, isLogical ? used : 'string')
  visit(node.right as Node, bound, uses, isLogical ? used : operator.endsWith('in') ? 'array' : 'string')
}

/** Filters that take only lists. */
const listFilters = new Set(['join', 'sort', 'map', 'selectattr', 'rejectattr', 'unique', 'list'])
const fieldFilters = new Set(['items', 'dictsort'])

function visitFilter(node: Node, bound: Set<string>, uses: Uses, used: VariableType): void {
  const filter = node.filter as Node
  const isCall = filter.type === 'CallExpression'
  const name = String(isCall ? (filter.callee as Node).value : filter.value)
  const type = listFilters.has(name)
    ? 'array'
    : fieldFilters.has(name)
      ? 'object'
      : name === 'default'
        ? used
        : 'string'
  if (node.type === 'FilterStatement') visitAll(node.body as Node[], new Set(bound), uses)
  else visit(node.operand as Node, bound, uses, type)
  if (isCall) visitAll(filter.args as Node[], bound, uses)
}

/** A macro, or the block of a call: its arguments are its own, their defaults are not. */
function visitBody(args: readonly Node[], body: readonly Node[], bound: Set<string>, uses: Uses): void {
  const inner = new Set([...bound, 'caller', 'varargs', 'kwargs'])
  for (const arg of args) {
    if (arg.type === 'KeywordArgumentExpression') visit(arg.value as Node, inner, uses, 'string')
    bindTarget((arg.type === 'KeywordArgumentExpression' ? arg.key : arg) as Node, inner)
  }
  visitAll(body, inner, uses)
}

/** A name, or several: `key, value`. What is assigned to a field binds nothing new. */
function bindTarget(target: Node, bound: Set<string>): void {
  if (target.type === 'Identifier') bound.add(String(target.value))
  if (target.type === 'TupleLiteral') for (const part of target.value as Node[]) bindTarget(part, bound)
}
