/** The names that a source file gives to parameters, variables, functions, types and fields of types. */
import { parseAst } from 'rolldown/parseAst'

export interface BoundName {
  readonly name: string
  readonly line: number
  /**
   * `parameter` includes parts of a tuple, and `type` includes classes. `taken` is a binding destructured under its own
   * name, `{ name }`, which follows the field.
   */
  readonly kind: 'parameter' | 'function' | 'type' | 'field' | 'variable' | 'taken'
  /** Whether it is declared as a boolean or a number, such as the count `failed: 3`. */
  readonly isClaim: boolean
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
  TSFunctionType: ['params'],
  TSConstructorType: ['params'],
  TSMethodSignature: ['params'],
  TSNamedTupleMember: ['label'],
  VariableDeclarator: ['id'],
  CatchClause: ['param'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  ClassDeclaration: ['id'],
  TSPropertySignature: ['key'],
  PropertyDefinition: ['key'],
}

const typeDeclarations = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']
const functionTypes = ['FunctionDeclaration', 'TSDeclareFunction']
const functionValues = ['ArrowFunctionExpression', 'FunctionExpression']

const claimTypes = [
  'TSBooleanKeyword',
  'TSNumberKeyword',
  'TSLiteralType',
  'TSUndefinedKeyword',
  'TSNullKeyword',
]

/** A literal type that is not a string, such as `true`, or a union of such types. */
function isClaimType(type: unknown): boolean {
  if (!isNode(type)) return false
  if (type.type === 'TSUnionType') return (type.types as unknown[]).every(isClaimType)
  if (type.type === 'TSLiteralType') return typeof (type.literal as { value?: unknown }).value !== 'string'
  return claimTypes.includes(type.type)
}

/** By its type, or by the initial value of a class field. */
const isClaim = ({ typeAnnotation, value }: Node): boolean =>
  isNode(typeAnnotation)
    ? isClaimType(typeAnnotation.typeAnnotation)
    : isNode(value) && value.type === 'Literal' && typeof value.value !== 'string'

function kindOf(node: Node, field: string): BoundName['kind'] {
  if (field === 'params' || field === 'label') return 'parameter'
  if (field === 'key') return 'field'
  if (typeDeclarations.includes(node.type)) return 'type'
  const isFunction =
    functionTypes.includes(node.type) || (isNode(node.init) && functionValues.includes(node.init.type))
  return isFunction ? 'function' : 'variable'
}

/** The names bound in a file, whose path determines the language. */
export function boundNames(path: string, text: string): BoundName[] {
  const names: BoundName[] = []
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length

  const bind = (pattern: unknown, kind: BoundName['kind'], owner?: Node): void => {
    if (Array.isArray(pattern)) for (const each of pattern) bind(each, kind)
    if (!isNode(pattern)) return
    const { type } = pattern
    if (type === 'Identifier')
      names.push({
        name: String(pattern.name),
        line: lineAt(pattern.start),
        kind,
        isClaim: isClaim(owner ?? pattern),
      })
    else if (type === 'Property') bind(pattern.value, pattern.shorthand === true ? 'taken' : 'variable')
    else if (type === 'AssignmentPattern') bind(pattern.left, kind)
    else if (type === 'RestElement') bind(pattern.argument, kind)
    else if (type === 'TSParameterProperty') bind(pattern.parameter, kind)
    else bind(pattern.properties ?? pattern.elements, 'variable')
  }

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (!isNode(value)) return
    for (const field of bindingFields[value.type] ?? []) {
      const kind = kindOf(value, field)
      bind(value[field], kind, kind === 'field' ? value : undefined)
    }
    for (const field of Object.values(value)) if (typeof field === 'object') visit(field)
  }

  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return names
}
