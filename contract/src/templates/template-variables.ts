import { constants } from './environment.ts'
import { childrenOf, type Node } from './jinja.ts'
import { isTextMethod } from './methods.ts'
import { parseTemplate } from './parse-template.ts'
import { testPrefix } from './tokenize.ts'

/** The type of a variable, inferred from its use in a template. */
export type VariableType = 'string' | 'boolean' | 'array' | 'object'

export interface TemplateVariable {
  readonly label: string
  readonly type: VariableType
}

/**
 * The variables that a template needs, in order of first use: names that it does not set itself, as an assignment, a loop
 * variable or a macro argument. A variable whose fields are used is an object, one that is looped over an array, one that
 * is only tested a boolean, and any other a string. A template that cannot be parsed has none.
 */
export const variablesOf = (text: string): TemplateVariable[] => variablesOfAll([text])

/** The variables of several templates, such as those of a prompt. Names that one template sets are not set in the others. */
export function variablesOfAll(texts: readonly string[]): TemplateVariable[] {
  const uses = new Uses()
  for (const text of texts) for (const { label, type } of usesIn(text)) uses.add(label, type)
  return uses.list()
}

function usesIn(text: string): readonly TemplateVariable[] {
  const template = parseTemplate(text)
  if (template.type !== 'parsed') return []
  const uses = new Uses()
  try {
    visit(template.program, new Set(builtins), uses, 'string')
  } catch (error) {
    // Nested too deeply for the stack: such a template cannot be rendered either.
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

/** If there are several uses, the most specific one determines the type. */
const strength: Record<VariableType, number> = { boolean: 0, string: 1, array: 2, object: 3 }

/** Names that are set later in the same scope are added to `boundNames` on the way. */
function visit(node: Node, boundNames: Set<string>, uses: Uses, type: VariableType): void {
  switch (node.type) {
    case 'Identifier':
      if (!boundNames.has(String(node.value))) uses.add(String(node.value), type)
      break
    case 'MemberExpression':
      visitMember(node, boundNames, uses)
      break
    case 'CallExpression':
      visitCall(node, boundNames, uses)
      break
    case 'For':
      visitLoop(node, boundNames, uses)
      break
    case 'If':
      visit(node.test as Node, boundNames, uses, 'boolean')
      visitAll([...(node.body as Node[]), ...(node.alternate as Node[])], boundNames, uses)
      break
    case 'Ternary':
      visit(node.trueExpr as Node, boundNames, uses, type)
      visit(node.condition as Node, boundNames, uses, 'boolean')
      visit(node.falseExpr as Node, boundNames, uses, type)
      break
    case 'SelectExpression':
      visit(node.lhs as Node, boundNames, uses, type)
      visit(node.test as Node, boundNames, uses, 'boolean')
      break
    case 'UnaryExpression':
      visit(node.argument as Node, boundNames, uses, type === 'boolean' ? 'boolean' : 'string')
      break
    case 'BinaryExpression':
      visitOperator(node, boundNames, uses, type)
      break
    case 'TestExpression':
      visit(node.operand as Node, boundNames, uses, 'boolean')
      break
    case 'FilterExpression':
    case 'FilterStatement':
      visitFilter(node, boundNames, uses, type)
      break
    case 'Set':
      visitAll(
        [node.value, ...(node.body as Node[])].filter((part) => part !== null) as Node[],
        boundNames,
        uses,
      )
      bindTarget(node.assignee as Node, boundNames)
      break
    case 'Macro':
      boundNames.add(String((node.name as Node).value))
      visitBody(node.args as Node[], node.body as Node[], boundNames, uses)
      break
    case 'CallStatement':
      visit(node.call as Node, boundNames, uses, 'string')
      visitBody((node.callerArgs as Node[] | null) ?? [], node.body as Node[], boundNames, uses)
      break
    case 'KeywordArgumentExpression':
      visit(node.value as Node, boundNames, uses, 'string')
      break
    default:
      visitAll(childrenOf(node), boundNames, uses)
  }
}

function visitAll(nodes: readonly Node[], boundNames: Set<string>, uses: Uses): void {
  for (const node of nodes) visit(node, boundNames, uses, 'string')
}

/** `name.upper()` does not make `name` an object, whereas `name.upper` does. */
function visitCall(node: Node, boundNames: Set<string>, uses: Uses): void {
  const callee = node.callee as Node
  const property = callee.property as Node | undefined
  if (callee.type === 'MemberExpression' && !callee.computed && isTextMethod(String(property?.value)))
    visit(callee.object as Node, boundNames, uses, 'string')
  else visit(callee, boundNames, uses, 'string')
  visitAll(node.args as Node[], boundNames, uses)
}

function visitMember(node: Node, boundNames: Set<string>, uses: Uses): void {
  const property = node.property as Node
  const isByName = node.computed ? property.type === 'StringLiteral' : property.type === 'Identifier'
  visit(node.object as Node, boundNames, uses, isByName ? 'object' : 'array')
  if (node.computed) visit(property, boundNames, uses, 'string')
}

function visitLoop(node: Node, boundNames: Set<string>, uses: Uses): void {
  const iterable = node.iterable as Node
  const isFiltered = iterable.type === 'SelectExpression'
  visit((isFiltered ? iterable.lhs : iterable) as Node, boundNames, uses, 'array')
  const inner = new Set([...boundNames, 'loop'])
  bindTarget(node.loopvar as Node, inner)
  if (isFiltered) visit(iterable.test as Node, inner, uses, 'boolean')
  visitAll(node.body as Node[], inner, uses)
  visitAll(node.defaultBlock as Node[], new Set(boundNames), uses)
}

function visitOperator(node: Node, boundNames: Set<string>, uses: Uses, type: VariableType): void {
  const operator = String((node.operator as Node).value)
  const isLogical = operator === 'and' || operator === 'or'
  visit(node.left as Node, boundNames, uses, isLogical ? type : 'string')
  visit(node.right as Node, boundNames, uses, isLogical ? type : operator.endsWith('in') ? 'array' : 'string')
}

/** Filters that are used on lists, and hardly ever on texts. */
const filtersOfLists = new Set([
  ...['join', 'sort', 'map', 'select', 'reject', 'selectattr', 'rejectattr', 'unique', 'list'],
  ...['sum', 'min', 'max', 'groupby', 'batch', 'slice'],
])
const filtersOfFields = new Set(['items', 'dictsort'])

function visitFilter(node: Node, boundNames: Set<string>, uses: Uses, variableType: VariableType): void {
  const filter = node.filter as Node
  const isCall = filter.type === 'CallExpression'
  const name = String(isCall ? (filter.callee as Node).value : filter.value)
  const type = filtersOfLists.has(name)
    ? 'array'
    : filtersOfFields.has(name)
      ? 'object'
      : name === 'default' || name === 'd'
        ? variableType
        : name.startsWith(testPrefix)
          ? 'boolean'
          : 'string'
  if (node.type === 'FilterStatement') visitAll(node.body as Node[], new Set(boundNames), uses)
  else visit(node.operand as Node, boundNames, uses, type)
  if (isCall) visitAll(filter.args as Node[], boundNames, uses)
}

/** A macro, or the block of a call: its arguments are local, but their defaults are not. */
function visitBody(args: readonly Node[], body: readonly Node[], boundNames: Set<string>, uses: Uses): void {
  const inner = new Set([...boundNames, 'caller', 'varargs', 'kwargs'])
  for (const arg of args) {
    if (arg.type === 'KeywordArgumentExpression') visit(arg.value as Node, inner, uses, 'string')
    bindTarget((arg.type === 'KeywordArgumentExpression' ? arg.key : arg) as Node, inner)
  }
  visitAll(body, inner, uses)
}

/** Binds one or more names, such as `key, value`. Assignments to fields bind nothing. */
function bindTarget(target: Node, boundNames: Set<string>): void {
  if (target.type === 'FilterExpression') bindTarget(target.operand as Node, boundNames)
  if (target.type === 'Identifier') boundNames.add(String(target.value))
  if (target.type === 'TupleLiteral') for (const part of target.value as Node[]) bindTarget(part, boundNames)
}
