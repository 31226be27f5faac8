import { childrenOf, Environment, filterName, Interpreter, type Node, type Value } from './jinja.ts'

/**
 * Runs templates that anybody may have written. The library's interpreter has no bounds, but evaluates every node,
 * those inside macros and loops too, by calling its own `evaluate`: here that is counted, and what an operation
 * would make is weighed before it is made. So a rendering takes bounded time and memory whatever the template says.
 */
export class BoundedInterpreter extends Interpreter {
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
    if (!node) return emptyValues.nothing
    this.#charge(costOf(node))
    if (this.#frames.length >= depthMax) throw new Refusal('it nests too deeply')
    const depth = this.#frames.length
    const parent = this.#frames.at(-1)
    const frame: Frame = { node, count: 0, values: [], ofText: false }
    this.#frames.push(frame)
    let evaluated: Value | undefined
    try {
      evaluated = super.evaluate(node, environment)
      if (evaluated && frame.ofText && filterName(node) === 'reverse') evaluated = joinTexts(evaluated)
    } finally {
      // Not `pop`: loop controls are thrown through the frames of what they leave.
      this.#frames.length = depth
    }
    const value = this.#asOperand(lenient(evaluated, parent), parent)
    this.#weigh(value, parent)
    if (parent) this.#noteOperand(parent, value)
    return value
  }

  /** A loop, and a filter of lists, take a text as the list of its characters, as in Jinja; the library refuses it there. */
  #asOperand(value: Value, parent: Frame | undefined): Value {
    if (value.type !== 'StringValue' || parent?.count !== 0 || !takesList(parent.node)) return value
    const text = value.value as string
    this.#charge(text.length * costPerItem(parent))
    parent.ofText = parent.node.type === 'FilterExpression'
    return new Environment().set('characters', [...text])
  }

  #charge(work: number): void {
    this.#work += work
    if (this.#work > workMax) throw new Refusal('it takes too many steps')
  }

  /** Whatever is made costs by its size, so that many steps over large values are as bounded as many small ones. */
  #weigh(value: Value, parent: Frame | undefined): void {
    if (value.type === 'StringValue') {
      this.#allow((value.value as string).length)
    } else if (isContainer(value)) {
      this.#charge(lengthOf(value) * costPerItem(parent))
      if (parent && becomesText(parent)) this.#allow(textSize(value))
    }
  }

  /** Lets a text of that length be made. */
  #allow(chars: number): void {
    if (chars > outputCharsMax)
      throw new Refusal(`it makes or searches more than ${outputCharsMax} characters`)
    this.#charge(chars / 32)
  }

  /** Called for each operand before the operation runs: the last of them tells how large its result will be. */
  #noteOperand(frame: Frame, value: Value): void {
    frame.count++
    const operands = operandCount(frame.node)
    if (frame.count > operands) return
    frame.values.push(value)
    if (frame.count < operands) return
    this.#allow(resultSize(frame))
    frame.values.length = 0
  }
}

/** A template is refused, not broken. The message ends a sentence. */
export class Refusal extends Error {}

/** About a tenth of a second. */
const workMax = 1_000_000
const depthMax = 400
const outputCharsMax = 2 ** 23
const rangeMax = 100_000

/** A node under evaluation: how many of its parts are evaluated, and the values of those that its operation takes. */
interface Frame {
  readonly node: Node
  count: number
  readonly values: Value[]
  /** Whether the filter's list is the characters of a text. */
  ofText: boolean
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

/** A missing variable renders as nothing, as in Jinja, also through a filter, a loop or a `~`; the library refuses it there. */
function lenient(value: Value | undefined, parent: Frame | undefined): Value {
  if (value === undefined) return emptyValues.nothing
  if (value.type !== 'UndefinedValue' || !parent) return value
  const { node } = parent
  if (node.type === 'BinaryExpression' && operatorOf(node) === '~') return emptyValues.text
  if (parent.count > 0) return value
  if (node.type === 'For') return emptyValues.list
  if (node.type !== 'FilterExpression') return value
  const filter = filterName(node)
  if (filter === 'default' || filter === 'tojson') return value
  return listFilters.has(filter) ? emptyValues.list : emptyValues.text
}

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

function takesList(node: Node): boolean {
  return node.type === 'For' || (node.type === 'FilterExpression' && listFilters.has(filterName(node)))
}

/** A text that is reversed stays a text. */
function joinTexts(list: Value): Value {
  return createTextValue((list.value as Value[]).map(({ value }) => value).join(''))
}

const emptyValues = {
  nothing: new Environment().set('nothing', undefined),
  text: createTextValue(''),
  list: new Environment().set('list', []),
}

/** How many of the first evaluated parts an operation takes, before it runs. */
function operandCount(node: Node): number {
  const call = node.type === 'CallStatement' ? (node.call as Node) : node
  switch (call.type) {
    case 'MemberExpression':
      return 1
    case 'BinaryExpression':
      return searches.has(operatorOf(call)) ? 2 : 0
    case 'CallExpression':
      return (call.args as Node[]).length + 1
    case 'FilterExpression':
    case 'FilterStatement': {
      const { args } = call.filter as Node
      const operands = call.type === 'FilterExpression' ? 1 : (call.body as Node[]).length
      return operands + (Array.isArray(args) ? args.length : 0)
    }
    default:
      return 0
  }
}

/** How many characters an operation would make or look at, at most, where that can be more than it was given. */
function resultSize({ node, values }: Frame): number {
  switch (node.type) {
    case 'CallStatement':
    case 'CallExpression': {
      const method = methods.get(values.at(-1) as Value)
      return method ? filteredSize(method.name, method.object, values.slice(0, -1)) : 0
    }
    case 'MemberExpression': {
      const [object] = values
      const property = node.property as Node
      for (const name of ['replace', 'split', 'dictsort']) {
        // A method is made when it is asked for, so one that is not named is not worth the asking.
        if (!node.computed && property.value !== name) continue
        const method = object?.builtins.get(name)
        if (object && method) methods.set(method, { name, object })
      }
      return 0
    }
    case 'BinaryExpression':
      return searchSize(lengthOf(values[1]), lengthOf(values[0]))
    case 'FilterExpression':
      return filteredSize(filterName(node), values[0], values.slice(1))
    case 'FilterStatement': {
      const length = (node.body as Node[]).length
      const text = values
        .slice(0, length)
        .map((value) => String(value.value))
        .join('')
      return filteredSize(filterName(node), createTextValue(text), values.slice(length))
    }
    default:
      return 0
  }
}

/** Methods of values that a template looked into, by which little can be made much; a method does not tell its object. */
const methods = new WeakMap<Value, { readonly name: string; readonly object: Value }>()

function filteredSize(filter: string, object: Value | undefined, args: readonly Value[]): number {
  const largest = args.reduce(
    (size, each) => Math.max(size, textSize(each), Math.abs(Number(each.value)) || 0),
    0,
  )
  switch (filter) {
    case 'replace':
    case 'split': {
      const [old, replacement] = args
      const size = textSize(object)
      if (args.some((each) => isContainer(each))) return size * (largest + 1)
      const places = size / Math.max(1, lengthOf(old)) + 1
      return size + places * lengthOf(replacement) + searchSize(size, lengthOf(old))
    }
    case 'join':
      return textSize(object) + lengthOf(object) * largest
    case 'indent':
      return textSize(object) * (1 + (args.length === 0 ? 4 : largest))
    case 'tojson':
      if (largest > indentMax) throw new Refusal(`it indents JSON by more than ${indentMax}`)
      return textSize(object)
    case 'sort':
    case 'dictsort':
      return textSize(object) * Math.ceil(Math.log2(lengthOf(object) + 2))
    case 'string':
    case 'unique':
    case 'selectattr':
    case 'rejectattr':
      return textSize(object)
    default:
      return 0
  }
}

/** Looking for a long text in a long one takes, at worst, their product, of which the engine saves this part. */
function searchSize(text: number, soughtSize: number): number {
  return (text * soughtSize) / 256
}

const searches = new Set(['in', 'not in'])

function operatorOf(node: Node): string {
  return String((node.operator as Node).value)
}

function createTextValue(text: string): Value {
  return new Environment().set('text', text)
}

const indentMax = 16

function isContainer(value: Value): boolean {
  return Array.isArray(value.value) || value.value instanceof Map
}

function lengthOf(value: Value | undefined): number {
  if (value === undefined) return 0
  if (value.value instanceof Map) return value.value.size
  return Array.isArray(value.value) || typeof value.value === 'string' ? value.value.length : 1
}

const flattening = new Set(['+', '~', ...searches])

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
    case 'CallStatement':
      return count >= operandCount(node)
    default:
      return false
  }
}

/** The length of a value as text, indentation included, counted no further than the output may go. */
function textSize(value: Value | undefined): number {
  if (value === undefined) return 0
  if (!isContainer(value)) return typeof value.value === 'string' ? value.value.length : 16
  let size = 0
  const open: [Value, number][] = [[value, 1]]
  for (let next = open.pop(); next && size <= outputCharsMax; next = open.pop()) {
    const [{ value: inner }, depth] = next
    size += indentMax * depth + (typeof inner === 'string' ? inner.length : 0)
    if (inner instanceof Map) {
      for (const [key, each] of inner) {
        size += key.length
        open.push([each, depth + 1])
      }
    } else if (Array.isArray(inner)) {
      for (const each of inner) open.push([each, depth + 1])
    }
    // Lists that hold one list many times are small to keep and endless to write.
    if (open.length > outputCharsMax / indentMax) return outputCharsMax + 1
  }
  return size
}
