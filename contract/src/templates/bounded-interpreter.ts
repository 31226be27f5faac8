import { CallArguments, type Runtime } from './call-arguments.ts'
import { formatPercent } from './format-text.ts'
import {
  childrenOf,
  classes,
  Environment,
  filterName,
  Interpreter,
  type Node,
  namesIn,
  type Value,
} from './jinja.ts'
import { listFilters } from './list-filters.ts'
import { findMethod } from './methods.ts'
import { filters } from './text-filters.ts'
import { negatedPrefix, type Token, testPrefix, withName } from './tokenize.ts'
import { tests } from './value-tests.ts'
import {
  characterCount,
  charactersOf,
  compare,
  contains,
  createBoolean,
  createFields,
  createFloat,
  createInteger,
  createList,
  createText,
  describe,
  equals,
  type FieldKey,
  groupPart,
  indentMax,
  integerOf,
  isContainer,
  isFields,
  isFloat,
  isList,
  isText,
  isTruthy,
  itemsOf,
  lengthOf,
  nothing,
  numberOf,
  outputCharsMax,
  textSize,
  toText,
} from './values.ts'

/**
 * Runs templates that anybody may have written. The library's interpreter has no bounds and does less than Jinja, but
 * evaluates every node, those inside macros and loops too, by calling its own `evaluate`: here that is counted, what an
 * operation would make is weighed before it is made, and whatever Jinja does otherwise is done as it does. So a rendering
 * takes bounded time and memory whatever the template says.
 */
export class BoundedInterpreter extends Interpreter implements Runtime {
  readonly #environment: Environment
  #work = 0
  readonly #frames: Frame[] = []

  constructor(environment: Environment) {
    super(environment)
    this.#environment = environment
  }

  /** The rendered text, or an error: a `Refusal` for what would take too much. */
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
      // Not `pop`: loop controls are thrown through the frames of what they leave.
      this.#frames.length = depth
    }
    const value = lenient(evaluated, parent)
    this.#weigh(value, parent)
    if (parent) parent.count++
    return value
  }

  /** What Jinja does otherwise than the library; the library does the rest. */
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
      // What was written before a loop is left or goes on stays.
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
      if (hasLoop) scope.variables.set('loop', this.#createLoop(items, index, memory))
      try {
        text += this.#renderBlock(body, scope)
        isCompleted = true
      } catch (error) {
        if (!(error instanceof LoopControl)) throw error
        text += error.text
        if (error.isBreak) break
      }
    }
    // As in Jinja, also where every turn was left before its end.
    return isCompleted ? text : text + this.#renderBlock(node.defaultBlock as Node[], environment)
  }

  #createLoop(items: readonly Value[], index: number, memory: { lastValues?: readonly Value[] }): Value {
    const { length } = items
    const cycle = ({ positional }: CallArguments) => {
      if (positional.length === 0) throw new Error('`loop.cycle` takes the values to go through')
      return positional[index % positional.length] as Value
    }
    const hasChanged = ({ positional }: CallArguments) => {
      const { lastValues } = memory
      memory.lastValues = positional
      const isSame =
        lastValues?.length === positional.length &&
        lastValues.every((each, place) => equals(each, positional[place] as Value, this))
      return createBoolean(!isSame)
    }
    return createFields(
      new Map([
        ['index', createInteger(index + 1)],
        ['index0', createInteger(index)],
        ['revindex', createInteger(length - index)],
        ['revindex0', createInteger(length - index - 1)],
        ['first', createBoolean(index === 0)],
        ['last', createBoolean(index === length - 1)],
        ['length', createInteger(length)],
        ['previtem', items[index - 1] ?? nothing],
        ['nextitem', items[index + 1] ?? nothing],
        ['depth', createInteger(1)],
        ['depth0', createInteger(0)],
        ['cycle', createCallable(cycle)],
        ['changed', createCallable(hasChanged)],
      ]),
    )
  }

  /** Gives names to a value, or to its parts: `key, (a, b)`. */
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

  /** A macro sees the names of where it stands, and not those of where it is called. */
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

  /** A field comes before a method of its name, which Jinja has the other way round, unless it is called: `order.items()`. */
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
    const method = callables.get(value)
    if (method) return method(call)
    // Macros, and the functions of the library, take named arguments as the last one.
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
    if (comparisons.has(operator)) return createBoolean(this.#compare(operator, left, right))
    if (operator === '~') return createText(toText(left) + toText(right))
    return nameErrors(`\`${operator}\``, () => calculate(operator, left, right, this))
  }

  /** `1 < x < 3`: each with the next one. */
  #compareChain(node: Node, environment: Environment): Value {
    const comparisonNodes = [node]
    for (let outer = node; isChain(outer); ) {
      outer = outer.left as Node
      comparisonNodes.push(outer)
    }
    let left = this.evaluate(comparisonNodes.at(-1)?.left as Node, environment)
    for (const each of comparisonNodes.toReversed()) {
      const right = this.evaluate(each.right as Node, environment)
      if (!this.#compare(operatorOf(each), left, right)) return createBoolean(false)
      left = right
    }
    return createBoolean(true)
  }

  #compare(operator: string, a: Value, b: Value): boolean {
    switch (operator) {
      case '==':
        return equals(a, b, this)
      case '!=':
        return !equals(a, b, this)
      case 'in':
        return contains(b, a, this)
      case 'not in':
        return !contains(b, a, this)
      default: {
        const order = nameErrors(`\`${operator}\``, () => compare(a, b, this))
        return operator === '<'
          ? order < 0
          : operator === '>'
            ? order > 0
            : operator === '<='
              ? order <= 0
              : order >= 0
      }
    }
  }

  charge(work: number): void {
    this.#work += work
    if (this.#work > workMax) throw new Refusal('it takes too many steps')
  }

  /** Whatever is made costs by its size, so that many steps over large values are as bounded as many small ones. */
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

  /** Lets a text of that length be made. */
  allow(chars: number): void {
    if (chars > outputCharsMax)
      throw new Refusal(`it makes or searches more than ${outputCharsMax} characters`)
    this.charge(chars / 32)
  }
}

/** A node whose body the library has evaluated as one block, and so does not write it out itself. */
function withOneBlock(node: Node): Node {
  const { body } = node
  const block = Object.assign(Object.create(Object.getPrototypeOf(node)), { type: 'Program', body })
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, { body: [block] })
}

type Callable = (args: Value[], scope: Environment) => Value

/** Methods, which take their arguments as filters do. */
const callables = new WeakMap<Value, (call: CallArguments) => Value>()

function createCallable(call: (call: CallArguments) => Value): Value {
  const value = new classes.callable(() => nothing)
  callables.set(value, call)
  return value
}

/** Leaves a loop or goes on with it; what its blocks have written so far goes with it. */
class LoopControl extends Error {
  readonly isBreak: boolean
  text = ''

  constructor(isBreak: boolean) {
    super('')
    this.isBreak = isBreak
  }
}

/** An error of an operation says which one it was. */
function nameErrors<T>(operation: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError || !(error instanceof Error)) throw error
    throw error.message.startsWith('`') && error.message.includes(operation)
      ? error
      : new Error(`${operation}: ${error.message}`)
  }
}

function calleeName(node: Node): string {
  if (node.type === 'Identifier') return `macro or function \`${node.value}\``
  const property = node.property as Node | undefined
  return node.type === 'MemberExpression' && !node.computed ? `method \`${property?.value}\`` : 'method'
}

function isWith(targets: Node): boolean {
  const first = targets.type === 'TupleLiteral' ? (targets.value as Node[])[0] : targets
  return first?.value === withName
}

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', 'in', 'not in'])

/** Whether the left side of a comparison is one without brackets around it. */
function isChain(node: Node): boolean {
  const left = node.left as Node
  return left.type === 'BinaryExpression' && comparisons.has(operatorOf(left)) && !isBracketed(left, node)
}

function isBracketed(inner: Node, outer: Node): boolean {
  return (inner.operator as Partial<Token>).group !== (outer.operator as Partial<Token>).group
}

function sliceOf<T>(
  items: readonly T[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
): T[] {
  const { length } = items
  const clamp = (index: number | undefined, otherwise: number, [low, high]: readonly [number, number]) =>
    index === undefined ? otherwise : Math.max(low, Math.min(high, index < 0 ? index + length : index))
  const slice: T[] = []
  if (step > 0) {
    const end = clamp(stop, length, [0, length])
    for (let index = clamp(start, 0, [0, length]); index < end; index += step) slice.push(items[index] as T)
  } else {
    const end = clamp(stop, -1, [-1, length - 1])
    for (let index = clamp(start, length - 1, [-1, length - 1]); index > end; index += step)
      slice.push(items[index] as T)
  }
  return slice
}

/** Arithmetic as Python's, but that a text and a number are joined by `+`. */
function calculate(operator: string, a: Value, b: Value, runtime: Runtime): Value {
  if (operator === '%' && isText(a))
    return isFields(b)
      ? formatPercent(a.value, [], b.value as ReadonlyMap<string, Value>, runtime)
      : formatPercent(a.value, b.type === 'TupleValue' ? itemsOf(b, runtime) : [b], new Map(), runtime)
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== undefined && y !== undefined) return calculateNumbers(operator, x, y, isFloat(a) || isFloat(b))
  if (operator === '+') {
    if (isList(a) && isList(b)) {
      runtime.charge(a.value.length + b.value.length)
      return createList([...a.value, ...b.value])
    }
    const isJoined = (isText(a) && b.value !== undefined) || (isText(b) && a.value !== undefined)
    if (isJoined) return createText(toText(a) + toText(b))
  }
  if (operator === '*') {
    const [value, times] = integerOf(a) === undefined ? [a, integerOf(b)] : [b, integerOf(a)]
    if (isText(value) && times !== undefined) {
      runtime.allow(value.value.length * Math.max(0, times))
      return createText(value.value.repeat(Math.max(0, times)))
    }
  }
  throw new Error(`it does not take ${describe(a)} and ${describe(b)}`)
}

function calculateNumbers(operator: string, a: number, b: number, isFloat: boolean): Value {
  const create = isFloat ? createFloat : createInteger
  if (b === 0 && ['/', '//', '%'].includes(operator)) throw new Error('it divides by 0')
  switch (operator) {
    case '+':
      return create(a + b)
    case '-':
      return create(a - b)
    case '*':
      return create(a * b)
    case '/':
      return createFloat(a / b)
    case '//':
      return create(Math.floor(a / b))
    case '%':
      return create(a - b * Math.floor(a / b))
    case '**': {
      const power = a ** b
      if (!Number.isFinite(power)) throw new Error('the power is no number, or too large a one')
      return isFloat || b < 0 ? createFloat(power) : createInteger(power)
    }
    default:
      throw new Error('there is no such operator')
  }
}

/** A template is refused, not broken. The message ends a sentence. */
export class Refusal extends Error {}

/** About a tenth of a second. */
const workMax = 1_000_000
const depthMax = 400
const rangeMax = 100_000

/** A node under evaluation, and how many of its parts are evaluated. */
interface Frame {
  readonly node: Node
  count: number
}

/** What a template finds besides its variables. The names are Jinja's; `strftime_now` and the like of the library are not. */
export function createEnvironment(): Environment {
  const environment = new Environment()
  for (const [name, value] of Object.entries(constants)) environment.set(name, value)
  environment.set('range', boundedRange)
  return environment
}

export const constants = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
} as const

function boundedRange(first: unknown, second?: unknown, third: unknown = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  if (!Number.isInteger(start) || !Number.isInteger(stop) || !Number.isInteger(third) || third === 0) {
    throw new Refusal('range() takes one to three whole numbers, and a step that is not 0')
  }
  const step = Number(third)
  const length = Math.max(0, Math.ceil((Number(stop) - Number(start)) / step))
  if (length > rangeMax) throw new Refusal(`range() makes more than ${rangeMax} numbers`)
  return Array.from({ length }, (_, index) => Number(start) + index * step)
}

/** Nodes that cost more than their operands: loop controls are thrown errors, and a macro is searched for names. */
function costOf(node: Node): number {
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

/** What a list costs per item where it is used: the library makes a scope for each turn of a loop. */
function costPerItem(parent: Frame | undefined): number {
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

/** A missing variable is nothing for a filter as well, as a text or as a list. */
function lenient(value: Value | undefined, parent: Frame | undefined): Value {
  if (value === undefined) return nothing
  if (value.type !== 'UndefinedValue' || parent?.count !== 0 || parent.node.type !== 'FilterExpression')
    return value
  const filter = filterName(parent.node)
  if (absenceFilters.has(filter) || filter.startsWith(testPrefix)) return value
  return listFilters.has(filter) ? emptyList : emptyText
}

/** Filters that tell what is missing from what is empty. */
const absenceFilters = new Set(['default', 'd', 'tojson', 'int', 'float'])
const emptyText = createText('')
const emptyList = createList([])

function takesList(node: Node): boolean {
  return node.type === 'For' || (node.type === 'FilterExpression' && listFilters.has(filterName(node)))
}

/** How many characters a filter looks at, at most, where that is more than its operand's own. */
function filteredSize(filter: string, value: Value, { positional, keywords }: CallArguments): number {
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

function operatorOf(node: Node): string {
  return String((node.operator as Node).value)
}

const flattening = new Set(['+', '~'])

/** Whether a list that a node evaluates is written out as text, and not looped over, tested or passed on. */
function becomesText({ node, count }: Frame): boolean {
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

/** The names that a part of a template says, which are looked for once. */
const namesOfNodes = new WeakMap<Node, ReadonlySet<string>>()

function namesOf(node: Node): ReadonlySet<string> {
  let names = namesOfNodes.get(node)
  if (names === undefined) {
    names = namesIn(node)
    namesOfNodes.set(node, names)
  }
  return names
}
