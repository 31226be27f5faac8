/**
 * The one place that imports the template library. Its type declarations import each other without file endings,
 * which Node's resolution takes for missing, so what we use of it is declared here.
 */
import * as library from '@huggingface/jinja'

interface Node {
  readonly type: string
  readonly [part: string]: unknown
}

interface Value {
  readonly type: string
  readonly value: unknown
}

interface Scope {
  readonly variables: Map<string, Value>
  set(name: string, value: unknown): Value
}

interface Interpreter {
  evaluate(node: Node | undefined, scope: Scope): Value | undefined
}

interface Library {
  readonly tokenize: (text: string) => readonly unknown[]
  readonly parse: (tokens: readonly unknown[]) => Node
  readonly Environment: new () => Scope
  readonly Interpreter: new (scope: Scope) => Interpreter
}

/** The cast states what the library's own declarations would, could they be read; tests run every part of it. */
const typed = library as unknown as Library

export const { tokenize, parse, Environment } = typed

/**
 * The library refuses a missing variable in filters, loops and joins, where Jinja takes it for nothing. It evaluates
 * every node by calling its own `evaluate`, so there a missing value is replaced by the empty one that fits.
 */
export class LenientInterpreter extends typed.Interpreter {
  readonly #scope: Scope
  #parent: { readonly node: Node; evaluated: number } | undefined

  constructor(scope: Scope) {
    super(scope)
    this.#scope = scope
  }

  render(program: Node): string {
    return String(this.evaluate(program, this.#scope).value)
  }

  override evaluate(node: Node | undefined, scope: Scope): Value {
    const parent = this.#parent
    if (node === undefined) return empty.nothing
    this.#parent = { node, evaluated: 0 }
    try {
      const value = super.evaluate(node, scope) ?? empty.nothing
      return value.type === 'UndefinedValue' && parent !== undefined
        ? (emptyFor(parent.node, parent.evaluated === 0) ?? value)
        : value
    } finally {
      // Loop controls are thrown through here too.
      this.#parent = parent
      if (parent !== undefined) parent.evaluated++
    }
  }
}

/** What a missing value stands for in a node; undefined where the library copes with it. */
function emptyFor(node: Node, isFirst: boolean): Value | undefined {
  if (node.type === 'BinaryExpression') return nameOf(node.operator) === '~' ? empty.text : undefined
  if (!isFirst) return undefined
  if (node.type === 'For') return empty.list
  if (node.type !== 'FilterExpression') return undefined
  const filter = node.filter as Node
  const name = nameOf(filter.type === 'CallExpression' ? filter.callee : filter)
  if (name === 'default' || name === 'tojson') return undefined
  return listFilters.has(name) ? empty.list : empty.text
}

const nameOf = (part: unknown): string => String((part as Node).value)

const listFilters = new Set([
  'list',
  'first',
  'last',
  'reverse',
  'sort',
  'unique',
  'map',
  'selectattr',
  'rejectattr',
])

const empty = {
  nothing: new Environment().set('nothing', undefined),
  text: new Environment().set('text', ''),
  list: new Environment().set('list', []),
}
