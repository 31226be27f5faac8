/** The names that a source file gives to parameters, variables, functions and fields of types. */
import { parseAst } from 'rolldown/parseAst'

export interface BoundName {
  readonly name: string
  readonly line: number
  /** Whether it is that of a whole parameter, which its function chose; a field of one has the name of its type. */
  readonly isParameter: boolean
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

/** What is bound in a file, whose path says in which language it is. */
export function boundNames(path: string, text: string): BoundName[] {
  const names: BoundName[] = []
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length

  const bind = (pattern: unknown, isParameter: boolean): void => {
    if (Array.isArray(pattern)) for (const each of pattern) bind(each, isParameter)
    if (!isNode(pattern)) return
    const { type } = pattern
    if (type === 'Identifier')
      names.push({ name: String(pattern.name), line: lineAt(pattern.start), isParameter })
    else if (type === 'Property') bind(pattern.value, false)
    else if (type === 'AssignmentPattern') bind(pattern.left, isParameter)
    else if (type === 'RestElement') bind(pattern.argument, isParameter)
    else if (type === 'TSParameterProperty') bind(pattern.parameter, isParameter)
    else bind(pattern.properties ?? pattern.elements, false)
  }

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (!isNode(value)) return
    for (const field of bindingFields[value.type] ?? []) bind(value[field], field === 'params')
    for (const field of Object.values(value)) if (typeof field === 'object') visit(field)
  }

  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return names
}
