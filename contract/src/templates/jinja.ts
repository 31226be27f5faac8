/**
 * The only place that imports the template library. Its type declarations import each other without file extensions, which
 * Node's resolution does not find, so the parts that we use are declared here.
 */
import * as library from '@huggingface/jinja'

/** A node of the syntax tree. */
export interface Node {
  readonly type: string
  readonly [part: string]: unknown
}

/** A value in a running template; `type` names its class. */
export interface Value {
  readonly type: string
  readonly value: unknown
  readonly builtins: ReadonlyMap<string, Value>
}

/** A scope. `set` declares a new name, and returns its value as the template sees it. */
export interface Environment {
  readonly variables: Map<string, Value>
  /** Tests, which follow `is`, by name. */
  readonly tests: ReadonlyMap<string, unknown>
  set(name: string, value: unknown): Value
}

/** Walks a program. Every node, at any depth, is evaluated through `evaluate` of the instance. */
export interface Interpreter {
  evaluate(node: Node | undefined, environment: Environment): Value | undefined
}

interface Library {
  readonly parse: (tokens: readonly unknown[]) => Node
  readonly Environment: new (parent?: Environment) => Environment
  readonly Interpreter: new (environment: Environment) => Interpreter
}

/** The cast replaces the library's own declarations, which cannot be resolved; tests cover all of it. */
const typed = library as unknown as Library

export const { parse, Environment, Interpreter } = typed

/** The classes of values, which the library does not export: they are obtained by converting samples. */
const classOf = (sample: unknown) =>
  new Environment().set('sample', sample).constructor as new (
    value: unknown,
  ) => Value
export const classes = {
  integer: classOf(1),
  float: classOf(0.5),
  text: classOf(''),
  boolean: classOf(true),
  list: classOf([]),
  fields: classOf({}),
  nothing: classOf(undefined),
  callable: classOf(() => null),
  keywords: classOfNamed(),
}

/** The class in which a function receives the named arguments of a call. */
function classOfNamed() {
  const environment = new Environment()
  let keywordsClass: unknown
  const callable = environment.set('probe', () => null).constructor as new (value: unknown) => Value
  environment.variables.set(
    'probe',
    new callable((args: readonly Value[]) => {
      keywordsClass = args[0]?.constructor
      return environment.variables.get('probe')
    }),
  )
  const key = { type: 'Identifier', value: 'a' }
  const value = { type: 'IntegerLiteral', value: 1 }
  const node = {
    type: 'CallExpression',
    callee: { type: 'Identifier', value: 'probe' },
    args: [{ type: 'KeywordArgumentExpression', key, value }],
  }
  new Interpreter(environment).evaluate(node, environment)
  return keywordsClass as new (
    value: unknown,
  ) => Value
}

/** An operator's token also has a type, and counts as a node without parts. */
function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The child nodes of a node, in source order. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((part) => {
    if (part instanceof Map) return [...part].flat().filter(isNode)
    return Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : []
  })
}

/** The name of a filter (or of a test that `tokenize` rewrote), with arguments (a call) or without (an identifier). */
export function filterName(node: Node): string {
  const filter = node.filter as Node
  const name = filter.type === 'CallExpression' ? (filter.callee as Node) : filter
  return String(name.value)
}

/** The operator of a binary expression. */
export function operatorOf(node: Node): string {
  return String((node.operator as Node).value)
}

/** All identifiers of a program. Not recursive, since a long chain of operators is a deep tree. */
export function namesIn(program: Node): Set<string> {
  const names = new Set<string>()
  const open: Node[] = [program]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier' && typeof node.value === 'string') names.add(node.value)
    for (const child of childrenOf(node)) open.push(child)
  }
  return names
}
