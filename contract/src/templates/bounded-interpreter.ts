import {
  becomesText,
  costOf,
  costPerItem,
  depthMax,
  type Frame,
  filteredSize,
  nameErrors,
  Refusal,
  takesList,
  workMax,
} from './bounds.ts'
import { CallArguments, createCallable, methodOf, type Runtime } from './call-arguments.ts'
import {
  classes,
  Environment,
  filterName,
  Interpreter,
  type Node,
  namesIn,
  operatorOf,
  type Value,
} from './jinja.ts'
import { listFilters } from './list-filters.ts'
import { createLoop, LoopControl } from './loop.ts'
import { findMethod } from './methods.ts'
import { calculate, comparisons, holds, isChain, sliceOf } from './operators.ts'
import { filters } from './text-filters.ts'
import { negatedPrefix, testPrefix, withName } from './tokenize.ts'
import { tests } from './value-tests.ts'
import {
  characterCount,
  charactersOf,
  createBoolean,
  createFields,
  createInteger,
  createList,
  createText,
  describe,
  type FieldKey,
  groupPart,
  integerOf,
  isContainer,
  isFields,
  isList,
  isText,
  isTruthy,
  itemsOf,
  lengthOf,
  nothing,
  outputCharsMax,
  textSize,
  toText,
} from './values.ts'

/**
 * Runs untrusted templates. The library's interpreter has no limits and covers less than Jinja, but evaluates every node,
 * including those inside macros and loops, by calling its own `evaluate`. This override counts these calls, checks the size
 * of results before they are created, and implements what Jinja does differently. So rendering takes bounded time and
 * memory, whatever the template.
 */
export class BoundedInterpreter extends Interpreter implements Runtime {
  readonly #environment: Environment
  #work = 0
  readonly #frames: Frame[] = []

  constructor(environment: Environment) {
    super(environment)
    this.#environment = environment
  }

  /** The rendered text. Throws a `Refusal` if rendering would take too much time or memory. */
  render(program: Node): string {
    return String(this.evaluate(program, this.#environment).value)
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    if (!node) return nothing
    this.charge(costOf(node))
    if (this.#frames.length >= depthMax) throw new Refusal('it nests too deeply')
    const depth = this.#frames.length
    const parent = this.#frames.at(-1)
    const frame: Frame = { node, count: 0 }
    this.#frames.push(frame)
    let evaluated: Value | undefined
    try {
      evaluated = this.#run(node, environment)
    } finally {
      // Not `pop`: loop controls are thrown through several frames.
      this.#frames.length = depth
    }
    const value = lenient(evaluated, parent)
    this.#weigh(value, parent)
    if (parent) parent.count++
    return value
  }

  /** Handles the nodes that Jinja treats differently from the library, and leaves the rest to the library. */
  #run(node: Node, environment: Environment): Value | undefined {
    switch (node.type) {
      case 'Program':
        return createText(this.#renderBlock(node.body as Node[], environment))
      case 'If': {
        const isTrue = isTruthy(this.evaluate(node.test as Node, environment))
        return createText(this.#renderBlock((isTrue ? node.body : node.alternate) as Node[], environment))
      }
      case 'For':
        return createText(this.#renderLoop(node, environment))
      case 'Break':
      case 'Continue':
        throw new LoopControl(node.type === 'Break')
      case 'Set':
        return this.#assign(node, environment)
      case 'Macro':
        return this.#declareMacro(node, environment)
      case 'ObjectLiteral':
        return this.#makeFields(node, environment)
      case 'MemberExpression':
        return this.#lookUp(node, environment)
      case 'CallExpression':
        return this.#call(node, environment)
      case 'BinaryExpression':
        return this.#operate(node, environment)
      case 'TestExpression': {
        const value = this.evaluate(node.operand as Node, environment)
        const result = this.applyTest(String((node.test as Node).value), value, new CallArguments())
        return createBoolean(result !== node.negate)
      }
      case 'FilterExpression': {
        const value = this.evaluate(node.operand as Node, environment)
        return this.#filter(node, value, environment)
      }
      case 'FilterStatement': {
        const text = createText(this.#renderBlock(node.body as Node[], environment))
        return this.#filter(node, text, environment)
      }
      case 'CallStatement':
        return super.evaluate(withOneBlock(node), environment)
      default:
        return super.evaluate(node, environment)
    }
  }

  #renderBlock(nodes: readonly Node[], environment: Environment): string {
    let text = ''
    try {
      for (const node of nodes) text += toText(this.evaluate(node, environment))
    } catch (error) {
      // Text written before a `break` or `continue` stays.
      if (error instanceof LoopControl) error.text = text + error.text
      throw error
    }
    return text
  }

  #renderLoop(node: Node, environment: Environment): string {
    const targets = node.loopvar as Node
    const body = node.body as Node[]
    const iterable = node.iterable as Node
    const isFiltered = iterable.type === 'SelectExpression'
    const source = this.evaluate((isFiltered ? iterable.lhs : iterable) as Node, environment)
    const all = itemsOf(source, this)
    const scopeOf = (item: Value) => {
      const scope = new Environment(environment)
      this.#unpack(targets, item, scope)
      return scope
    }
    if (isWith(targets)) return this.#renderBlock(body, scopeOf(all[0] ?? nothing))
    const items = isFiltered
      ? all.filter((item) => isTruthy(this.evaluate(iterable.test as Node, scopeOf(item))))
      : all
    const hasLoop = namesOf(node).has('loop')
    let text = ''
    let isCompleted = false
    const memory: { lastValues?: readonly Value[] } = {}
    for (const [index, item] of items.entries()) {
      const scope = scopeOf(item)
      if (hasLoop) scope.variables.set('loop', createLoop(items, index, memory, this))
      try {
        text += this.#renderBlock(body, scope)
        isCompleted = true
      } catch (error) {
        if (!(error instanceof LoopControl)) throw error
        text += error.text
        if (error.isBreak) break
      }
    }
    // As in Jinja, `else` also runs if no iteration ran to its end.
    return isCompleted ? text : text + this.#renderBlock(node.defaultBlock as Node[], environment)
  }

  /** Assigns a value, or its parts, to names: `key, (a, b)`. */
  #unpack(target: Node, value: Value, scope: Environment): void {
    if (target.type === 'Identifier') {
      scope.variables.set(String(target.value), value)
      return
    }
    if (target.type !== 'TupleLiteral')
      throw new Error('a loop or an assignment names something else than variables')
    const parts = target.value as Node[]
    const values = itemsOf(value, this)
    if (parts.length !== values.length)
      throw new Error(`${values.length} values cannot be given to ${parts.length} names`)
    for (const [index, part] of parts.entries()) this.#unpack(part, values[index] as Value, scope)
  }

  #assign(node: Node, environment: Environment): Value | undefined {
    let target = node.assignee as Node
    if (target.type === 'MemberExpression') return super.evaluate(node, environment)
    let value = node.value
      ? this.evaluate(node.value as Node, environment)
      : createText(this.#renderBlock(node.body as Node[], environment))
    const chain: Node[] = []
    for (; target.type === 'FilterExpression'; target = target.operand as Node) chain.unshift(target)
    for (const filter of chain) value = this.#filter(filter, value, environment)
    this.#unpack(target, value, environment)
    return nothing
  }

  /** A macro sees the scope in which it is defined, and not that of its caller. */
  #declareMacro(node: Node, environment: Environment): Value {
    super.evaluate(withOneBlock(node), environment)
    const name = String((node.name as Node).value)
    const call = environment.variables.get(name)?.value as Callable
    const scopedCall: Callable = (args, callScope) => {
      const scope = new Environment(environment)
      const caller = callScope.variables.get('caller')
      if (caller) scope.variables.set('caller', caller)
      return call(args, scope)
    }
    environment.variables.set(name, new classes.callable(scopedCall))
    return nothing
  }

  #makeFields(node: Node, environment: Environment): Value {
    const fields = new Map<FieldKey, Value>()
    for (const [key, value] of node.value as Map<Node, Node>) {
      const name = this.evaluate(key, environment).value
      if (typeof name !== 'string' && typeof name !== 'number' && typeof name !== 'boolean')
        throw new Error('the names of fields are texts or numbers')
      fields.set(name, this.evaluate(value, environment))
    }
    return createFields(fields)
  }

  #lookUp(node: Node, environment: Environment): Value {
    const object = this.evaluate(node.object as Node, environment)
    const property = node.property as Node
    if (!node.computed) {
      const isCalled = this.#frames.at(-2)?.node.callee === node
      return this.#propertyOf(object, property.value as string | number, isCalled)
    }
    if (property.type === 'SliceExpression') return this.#slice(object, property, environment)
    const key = this.evaluate(property, environment).value
    return typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
      ? this.#propertyOf(object, key, false)
      : nothing
  }

  /** Fields take precedence over methods of the same name, unlike in Jinja, except in calls: `order.items()`. */
  #propertyOf(object: Value, key: FieldKey, isMethodFirst: boolean): Value {
    const method =
      typeof key === 'string' && object.type !== 'NamespaceValue' ? findMethod(object, key) : undefined
    const callable = method && (() => createCallable((call) => method(call, this)))
    if (isFields(object)) {
      const field = object.value.get(key)
      return (isMethodFirst ? (callable?.() ?? field) : (field ?? callable?.())) ?? nothing
    }
    if (callable) return callable()
    if (typeof key === 'number' && Number.isInteger(key)) {
      if (isList(object)) return object.value.at(key) ?? nothing
      if (!isText(object)) return nothing
      this.charge(object.value.length / 32)
      const isPlain = characterCount(object.value) === object.value.length
      const character = isPlain ? object.value.at(key) : charactersOf(object.value).at(key)
      return character === undefined ? nothing : createText(character)
    }
    if (isList(object) && typeof key === 'string') {
      const part = groupPart(object, key)
      if (part) return part
    }
    return key === 'length' && (isText(object) || isList(object)) ? createInteger(lengthOf(object)) : nothing
  }

  #slice(object: Value, node: Node, environment: Environment): Value {
    const limitOf = (part: unknown): number | undefined => {
      const value = this.evaluate(part as Node | undefined, environment)
      const number = integerOf(value)
      if (number === undefined && value.value !== undefined && value.value !== null)
        throw new Error('a slice has whole numbers as its bounds')
      return number
    }
    const [start, stop, step = 1] = [limitOf(node.start), limitOf(node.stop), limitOf(node.step)]
    if (step === 0) throw new Error('the step of a slice is not 0')
    if (object.type === 'UndefinedValue') return nothing
    if (!isList(object) && !isText(object)) throw new Error(`${describe(object)} has no parts`)
    const items = itemsOf(object, this)
    const slice = sliceOf(items, start, stop, step)
    return isText(object) ? createText(slice.map(({ value }) => value).join('')) : createList(slice)
  }

  #argumentsOf(nodes: readonly Node[], environment: Environment): CallArguments {
    const positional: Value[] = []
    const keywords = new Map<string, Value>()
    const add = (name: string, value: Value) => {
      if (keywords.has(name)) throw new Error(`\`${name}\` is given twice`)
      keywords.set(name, value)
    }
    for (const node of nodes) {
      if (node.type === 'SpreadExpression')
        positional.push(...itemsOf(this.evaluate(node.argument as Node, environment), this))
      else if (node.type === 'KeywordArgumentExpression')
        add(String((node.key as Node).value), this.evaluate(node.value as Node, environment))
      else if (node.type === 'KeywordSpreadExpression') {
        const fields = this.evaluate(node.argument as Node, environment)
        if (!isFields(fields)) throw new Error(`\`**\` takes an object, and not ${describe(fields)}`)
        for (const [name, value] of fields.value) add(String(name), value)
      } else positional.push(this.evaluate(node, environment))
    }
    return new CallArguments(positional, keywords)
  }

  #call(node: Node, environment: Environment): Value {
    const callee = node.callee as Node
    const call = this.#argumentsOf(node.args as Node[], environment)
    const value = this.evaluate(callee, environment)
    if (value.type !== 'FunctionValue') throw new Error(`there is no ${calleeName(callee)} to call`)
    const method = methodOf(value)
    if (method) return method(call)
    // Macros and library functions receive named arguments as one last argument.
    const last = call.keywords.size === 0 ? [] : [new classes.keywords(call.keywords)]
    return (value.value as Callable)([...call.positional, ...last], environment)
  }

  #filter(node: Node, value: Value, environment: Environment): Value {
    const filter = node.filter as Node
    const isCall = filter.type === 'CallExpression'
    const call = isCall ? this.#argumentsOf(filter.args as Node[], environment) : new CallArguments()
    const name = filterName(node)
    if (name.startsWith(negatedPrefix))
      return createBoolean(!this.applyTest(name.slice(negatedPrefix.length), value, call))
    if (name.startsWith(testPrefix))
      return createBoolean(this.applyTest(name.slice(testPrefix.length), value, call))
    return this.applyFilter(name, value, call)
  }

  applyFilter(name: string, value: Value, call: CallArguments): Value {
    const filter = filters.get(name)
    if (!filter) throw new Error(`there is no filter \`${name}\``)
    this.charge(1)
    this.allow(filteredSize(name, value, call))
    return nameErrors(`\`${name}\``, () => filter(value, call, this))
  }

  applyTest(name: string, value: Value, call: CallArguments): boolean {
    if (name === 'filter') return filters.has(toText(value))
    if (name === 'test') return tests.has(toText(value))
    const test = tests.get(name)
    if (!test) throw new Error(`there is no test \`${name}\``)
    return nameErrors(`\`is ${name}\``, () => test(value, call, this))
  }

  #operate(node: Node, environment: Environment): Value {
    const operator = operatorOf(node)
    const leftNode = node.left as Node
    if (comparisons.has(operator) && isChain(node)) return this.#compareChain(node, environment)
    const left = this.evaluate(leftNode, environment)
    if (operator === 'and') return isTruthy(left) ? this.evaluate(node.right as Node, environment) : left
    if (operator === 'or') return isTruthy(left) ? left : this.evaluate(node.right as Node, environment)
    const right = this.evaluate(node.right as Node, environment)
    if (comparisons.has(operator)) return createBoolean(holds(operator, left, right, this))
    if (operator === '~') return createText(toText(left) + toText(right))
    return nameErrors(`\`${operator}\``, () => calculate(operator, left, right, this))
  }

  /** `1 < x < 3`: compares each operand with the next. */
  #compareChain(node: Node, environment: Environment): Value {
    const comparisonNodes = [node]
    for (let outer = node; isChain(outer); ) {
      outer = outer.left as Node
      comparisonNodes.push(outer)
    }
    let left = this.evaluate(comparisonNodes.at(-1)?.left as Node, environment)
    for (const each of comparisonNodes.toReversed()) {
      const right = this.evaluate(each.right as Node, environment)
      if (!holds(operatorOf(each), left, right, this)) return createBoolean(false)
      left = right
    }
    return createBoolean(true)
  }

  charge(work: number): void {
    this.#work += work
    if (this.#work > workMax) throw new Refusal('it takes too many steps')
  }

  /** Charges for the size of each result, so that steps over large values are bounded like many small ones. */
  #weigh(value: Value, parent: Frame | undefined): void {
    if (value.type === 'StringValue') {
      this.allow((value.value as string).length)
      if (parent && parent.count === 0 && takesList(parent.node))
        this.charge((value.value as string).length * costPerItem(parent))
    } else if (isContainer(value)) {
      this.charge(lengthOf(value) * costPerItem(parent))
      if (parent && becomesText(parent)) this.allow(textSize(value))
    }
  }

  /** Charges for a text of this length, and throws if it is too long. */
  allow(chars: number): void {
    if (chars > outputCharsMax)
      throw new Refusal(`it makes or searches more than ${outputCharsMax} characters`)
    this.charge(chars / 32)
  }
}

/** For filters, a missing variable counts as an empty text or an empty list. */
function lenient(value: Value | undefined, parent: Frame | undefined): Value {
  if (value === undefined) return nothing
  if (value.type !== 'UndefinedValue' || parent?.count !== 0 || parent.node.type !== 'FilterExpression')
    return value
  const filter = filterName(parent.node)
  if (absenceFilters.has(filter) || filter.startsWith(testPrefix)) return value
  return listFilters.has(filter) ? emptyList : emptyText
}

/** Filters that distinguish missing values from empty ones. */
const absenceFilters = new Set(['default', 'd', 'tojson', 'int', 'float'])
const emptyText = createText('')
const emptyList = createList([])

/** Wraps the body of a node in one block, so that the library evaluates it through `evaluate` instead of on its own. */
function withOneBlock(node: Node): Node {
  const { body } = node
  const block = Object.assign(Object.create(Object.getPrototypeOf(node)), { type: 'Program', body })
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, { body: [block] })
}

type Callable = (args: Value[], scope: Environment) => Value

function calleeName(node: Node): string {
  if (node.type === 'Identifier') return `macro or function \`${node.value}\``
  const property = node.property as Node | undefined
  return node.type === 'MemberExpression' && !node.computed ? `method \`${property?.value}\`` : 'method'
}

function isWith(targets: Node): boolean {
  const first = targets.type === 'TupleLiteral' ? (targets.value as Node[])[0] : targets
  return first?.value === withName
}

/** Caches the names that occur in a part of a template. */
const namesOfNodes = new WeakMap<Node, ReadonlySet<string>>()

function namesOf(node: Node): ReadonlySet<string> {
  let names = namesOfNodes.get(node)
  if (names === undefined) {
    names = namesIn(node)
    namesOfNodes.set(node, names)
  }
  return names
}
