/**
 * The one place that imports the template library. Its type declarations import each other without file endings,
 * which Node's resolution takes for missing, so what we use of it is declared here.
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

/** A scope. `set` declares a name that is not yet there, and returns its value as the template sees it. */
export interface Environment {
  readonly variables: Map<string, Value>
  /** What can follow `is`, by its name. */
  readonly tests: ReadonlyMap<string, unknown>
  set(name: string, value: unknown): Value
}

/** Walks a program. Every node, wherever it is, is evaluated by a call of `evaluate` on the instance. */
export interface Interpreter {
  evaluate(node: Node | undefined, environment: Environment): Value | undefined
}

interface Library {
  readonly parse: (tokens: readonly unknown[]) => Node
  readonly Environment: new (parent?: Environment) => Environment
  readonly Interpreter: new (environment: Environment) => Interpreter
}

/** The cast states what the library's own declarations would, could they be read; tests run every part of it. */
const typed = library as unknown as Library

export const { parse, Environment, Interpreter } = typed

/** The classes of values, which the library does not export: whatever it makes of a sample has one. */
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

/** What the named arguments of a call are handed to a function as. */
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

/** An operator's token has a type as well, and passes for a node without parts. */
function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The nodes directly below one, in the order in which they were written. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((part) => {
    if (part instanceof Map) return [...part].flat().filter(isNode)
    return Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : []
  })
}

/** The name of a filter, or of a test with arguments as `tokenize` writes it; whether it has arguments (a call) or not (an identifier). */
export function filterName(node: Node): string {
  const filter = node.filter as Node
  const name = filter.type === 'CallExpression' ? (filter.callee as Node) : filter
  return String(name.value)
}

/** The operator of a binary expression. */
export function operatorOf(node: Node): string {
  return String((node.operator as Node).value)
}

/** Every identifier of a program; without recursion, since a long chain of operators is a deep tree. */
export function namesIn(program: Node): Set<string> {
  const names = new Set<string>()
  const open: Node[] = [program]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier' && typeof node.value === 'string') names.add(node.value)
    for (const child of childrenOf(node)) open.push(child)
  }
  return names
}
