/** The names that a source file gives to parameters, variables, functions and fields of types. */
import { parseAst } from 'rolldown/parseAst'

export interface BoundName {
  readonly name: string
  readonly line: number
  /** A whole parameter, which its function chose, or a function; a field of a parameter has the name of its type. */
  readonly kind: 'parameter' | 'function' | 'other'
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The fields of a node that bind names, by its type. */
const bindingFields: Readonly<Record<string, readonly string[]>> = {
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['params'],
  ArrowFunctionExpression: ['params'],
  TSDeclareFunction: ['id', 'params'],
  VariableDeclarator: ['id'],
  CatchClause: ['param'],
  TSPropertySignature: ['key'],
  PropertyDefinition: ['key'],
}

const functionTypes = ['FunctionDeclaration', 'TSDeclareFunction']
const functionValues = ['ArrowFunctionExpression', 'FunctionExpression']

function kindOf(node: Node, field: string): BoundName['kind'] {
  if (field === 'params') return 'parameter'
  const isFunction =
    functionTypes.includes(node.type) || (isNode(node.init) && functionValues.includes(node.init.type))
  return isFunction ? 'function' : 'other'
}

/** What is bound in a file, whose path says in which language it is. */
export function boundNames(path: string, text: string): BoundName[] {
  const names: BoundName[] = []
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length

  const bind = (pattern: unknown, kind: BoundName['kind']): void => {
    if (Array.isArray(pattern)) for (const each of pattern) bind(each, kind)
    if (!isNode(pattern)) return
    const { type } = pattern
    if (type === 'Identifier') names.push({ name: String(pattern.name), line: lineAt(pattern.start), kind })
    else if (type === 'Property') bind(pattern.value, 'other')
    else if (type === 'AssignmentPattern') bind(pattern.left, kind)
    else if (type === 'RestElement') bind(pattern.argument, kind)
    else if (type === 'TSParameterProperty') bind(pattern.parameter, kind)
    else bind(pattern.properties ?? pattern.elements, 'other')
  }

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (!isNode(value)) return
    for (const field of bindingFields[value.type] ?? []) bind(value[field], kindOf(value, field))
    for (const field of Object.values(value)) if (typeof field === 'object') visit(field)
  }

  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return names
}
