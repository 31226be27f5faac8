import type { CallArguments, Runtime } from './call-arguments.ts'
import type { Value } from './jinja.ts'
import {
  attributeOf,
  compare,
  createFloat,
  createGroup,
  createInteger,
  createKey,
  createList,
  createText,
  describe,
  equals,
  type FieldKey,
  isFields,
  isFloat,
  isMissing,
  isText,
  isTruthy,
  itemsOf,
  nothing,
  numberOf,
  textSize,
  toText,
} from './values.ts'

export type Filter = (value: Value, call: CallArguments, runtime: Runtime) => Value

const first: Filter = (value, _call, runtime) => itemsOf(value, runtime)[0] ?? nothing
const last: Filter = (value, _call, runtime) => itemsOf(value, runtime).at(-1) ?? nothing
const list: Filter = (value, _call, runtime) => createList(itemsOf(value, runtime))

const reverse: Filter = (value, _call, runtime) => {
  const items = itemsOf(value, runtime).toReversed()
  return isText(value) ? createText(items.map((each) => each.value).join('')) : createList(items)
}

const join: Filter = (value, call, runtime) => {
  const separator = toText(call.get(0, 'd') ?? call.keywords.get('separator') ?? nothing)
  const attribute = pathOf(call.get(1, 'attribute'))
  const items = itemsOf(value, runtime)
  const texts = items.map((each) => {
    const part = attribute === undefined ? each : attributeOf(each, attribute)
    runtime.allow(textSize(part) + separator.length)
    return toText(part)
  })
  runtime.allow(texts.reduce((size, each) => size + each.length + separator.length, 0))
  return createText(texts.join(separator))
}

/** The name of a field, or a position in a list. */
function pathOf(value: Value | undefined): string | undefined {
  return value === undefined || isMissing(value) ? undefined : toText(value)
}

/** Texts are compared ignoring case, unless the filter is case-sensitive. */
function keyOf(value: Value, isCaseSensitive: boolean): Value {
  return isText(value) && !isCaseSensitive ? createText(value.value.toLowerCase()) : value
}

const sort: Filter = (value, call, runtime) => {
  const direction = call.flag(0, 'reverse') ? -1 : 1
  const isCaseSensitive = call.flag(1, 'case_sensitive')
  const paths = pathOf(call.get(2, 'attribute'))?.split(',')
  const keyed = itemsOf(value, runtime).map((item) => ({
    item,
    keys: (paths ?? [undefined]).map((path) =>
      keyOf(path === undefined ? item : attributeOf(item, path.trim()), isCaseSensitive),
    ),
  }))
  const order = (a: readonly Value[], b: readonly Value[]) => {
    for (const [index, key] of a.entries()) {
      const result = compare(key, b[index] as Value, runtime)
      if (result !== 0) return direction * result
    }
    return 0
  }
  return createList(keyed.toSorted((a, b) => order(a.keys, b.keys)).map(({ item }) => item))
}

/** `min` and `max`: the first item that no other item exceeds in the given direction. */
const extreme =
  (direction: 1 | -1): Filter =>
  (value, call, runtime) => {
    const isCaseSensitive = call.flag(0, 'case_sensitive')
    const path = pathOf(call.get(1, 'attribute'))
    const keyFor = (item: Value) =>
      keyOf(path === undefined ? item : attributeOf(item, path), isCaseSensitive)
    const [start = nothing, ...rest] = itemsOf(value, runtime)
    let extremeItem = start
    let key = keyFor(start)
    for (const item of rest) {
      const itemKey = keyFor(item)
      if (direction * compare(itemKey, key, runtime) <= 0) continue
      extremeItem = item
      key = itemKey
    }
    return extremeItem
  }

const sum: Filter = (value, call, runtime) => {
  const path = pathOf(call.get(0, 'attribute'))
  const items = itemsOf(value, runtime).map((each) => (path === undefined ? each : attributeOf(each, path)))
  const start = call.get(1, 'start') ?? createInteger(0)
  let total = 0
  for (const each of [start, ...items]) {
    const number = numberOf(each)
    if (number === undefined) throw new Error(`\`sum\` adds numbers, and not ${describe(each)}`)
    total += number
  }
  return [start, ...items].some(isFloat) ? createFloat(total) : createInteger(total)
}

const unique: Filter = (value, call, runtime) => {
  const isCaseSensitive = call.flag(0, 'case_sensitive')
  const path = pathOf(call.get(1, 'attribute'))
  const knownKeys = new Set<unknown>()
  const containers: Value[] = []
  const isNew = (item: Value) => {
    const key = keyOf(path === undefined ? item : attributeOf(item, path), isCaseSensitive)
    if (key.value !== null && typeof key.value === 'object') {
      if (containers.some((each) => equals(each, key, runtime))) return false
      containers.push(key)
      return true
    }
    const plain = numberOf(key) ?? key.value
    if (knownKeys.has(plain)) return false
    knownKeys.add(plain)
    return true
  }
  return createList(itemsOf(value, runtime).filter(isNew))
}

const map: Filter = (value, call, runtime) => {
  const items = itemsOf(value, runtime)
  const path = pathOf(call.keywords.get('attribute'))
  if (path !== undefined) {
    const otherwise = call.keywords.get('default') ?? nothing
    return createList(
      items.map((each) => {
        const attribute = attributeOf(each, path)
        return attribute.type === 'UndefinedValue' ? otherwise : attribute
      }),
    )
  }
  const filter = call.text(0, 'filter')
  if (filter === undefined) throw new Error('`map` takes an attribute or the name of a filter')
  const rest = call.rest(1)
  return createList(items.map((each) => runtime.applyFilter(filter, each, rest)))
}

/** `select` and `reject`; with the name of a field, `selectattr` and `rejectattr`. */
const choose =
  (isWanted: boolean, hasAttribute: boolean): Filter =>
  (value, call, runtime) => {
    const path = hasAttribute ? pathOf(call.positional[0]) : undefined
    if (hasAttribute && path === undefined) throw new Error('the filter takes the name of a field')
    const others = hasAttribute ? call.rest(1) : call
    const test = others.text(0, 'test')
    const rest = others.rest(1)
    return createList(
      itemsOf(value, runtime).filter((each) => {
        const tested = path === undefined ? each : attributeOf(each, path)
        runtime.charge(1)
        return (test === undefined ? isTruthy(tested) : runtime.applyTest(test, tested, rest)) === isWanted
      }),
    )
  }

const groupBy: Filter = (value, call, runtime) => {
  const path = pathOf(call.get(0, 'attribute'))
  if (path === undefined) throw new Error('`groupby` takes the name of a field')
  const otherwise = call.get(1, 'default') ?? nothing
  const isCaseSensitive = call.flag(2, 'case_sensitive')
  const keyed = itemsOf(value, runtime).map((item) => {
    const attribute = attributeOf(item, path)
    const grouper = attribute.type === 'UndefinedValue' ? otherwise : attribute
    return { item, grouper, key: keyOf(grouper, isCaseSensitive) }
  })
  const groups: { grouper: Value; key: Value; items: Value[] }[] = []
  for (const { item, grouper, key } of keyed.toSorted((a, b) => compare(a.key, b.key, runtime))) {
    const group = groups.at(-1)
    if (group && equals(group.key, key, runtime)) group.items.push(item)
    else groups.push({ grouper, key, items: [item] })
  }
  return createList(groups.map(({ grouper, items }) => createGroup(grouper, items)))
}

const batch: Filter = (value, call, runtime) => {
  const size = call.integer(0, 'linecount') ?? 0
  const fill = call.get(1, 'fill_with')
  if (size < 1) throw new Error('`batch` takes how many items a row has')
  const items = itemsOf(value, runtime)
  const rows: Value[] = []
  for (let index = 0; index < items.length; index += size) {
    const row = items.slice(index, index + size)
    runtime.charge(1)
    if (fill && row.length < size) {
      runtime.charge(size - row.length)
      row.push(...Array.from({ length: size - row.length }, () => fill))
    }
    rows.push(createList(row))
  }
  return createList(rows)
}

const slice: Filter = (value, call, runtime) => {
  const count = call.integer(0, 'slices') ?? 0
  const fill = call.get(1, 'fill_with')
  if (count < 1) throw new Error('`slice` takes how many lists it makes')
  runtime.charge(count)
  const items = itemsOf(value, runtime)
  const size = Math.floor(items.length / count)
  const larger = items.length % count
  return createList(
    Array.from({ length: count }, (_, index) => {
      const start = index * size + Math.min(index, larger)
      const part = items.slice(start, start + size + (index < larger ? 1 : 0))
      return createList(fill && index >= larger && larger > 0 ? [...part, fill] : part)
    }),
  )
}

const items: Filter = (value, _call, runtime) => {
  if (!isFields(value)) {
    if (value.value === '' || isMissing(value)) return createList([])
    throw new Error(`${describe(value)} has no items`)
  }
  runtime.charge(value.value.size)
  return createList([...value.value].map(([key, each]) => createList([createKey(key), each])))
}

const dictSort: Filter = (value, call, runtime) => {
  const isCaseSensitive = call.flag(0, 'case_sensitive')
  const sortField = call.text(1, 'by') ?? 'key'
  if (sortField !== 'key' && sortField !== 'value') throw new Error('`by` is `key` or `value`')
  const direction = call.flag(2, 'reverse') ? -1 : 1
  const pairs = itemsOf(items(value, call, runtime), runtime)
  const keyFor = (pair: Value) =>
    keyOf((pair.value as Value[])[sortField === 'key' ? 0 : 1] as Value, isCaseSensitive)
  return createList(pairs.toSorted((a, b) => direction * compare(keyFor(a), keyFor(b), runtime)))
}

/** Filters named like the methods of dictionaries. Jinja has none, but earlier versions of ours did. */
const part =
  (choosePart: (entry: readonly [FieldKey, Value]) => Value): Filter =>
  (value, _call, runtime) => {
    if (!isFields(value)) throw new Error(`${describe(value)} has no fields`)
    runtime.charge(value.value.size)
    return createList([...value.value].map(choosePart))
  }

const get: Filter = (value, call) => {
  if (!isFields(value)) throw new Error(`${describe(value)} has no fields`)
  return value.value.get((call.positional[0] ?? nothing).value as FieldKey) ?? call.positional[1] ?? nothing
}

/** Filters on lists and fields. A text counts as the list of its characters. */
export const listFilters: ReadonlyMap<string, Filter> = new Map([
  ['first', first],
  ['last', last],
  ['list', list],
  ['reverse', reverse],
  ['join', join],
  ['sort', sort],
  ['min', extreme(-1)],
  ['max', extreme(1)],
  ['sum', sum],
  ['unique', unique],
  ['map', map],
  ['select', choose(true, false)],
  ['reject', choose(false, false)],
  ['selectattr', choose(true, true)],
  ['rejectattr', choose(false, true)],
  ['groupby', groupBy],
  ['batch', batch],
  ['slice', slice],
])

export const fieldFilters: ReadonlyMap<string, Filter> = new Map([
  ['items', items],
  ['dictsort', dictSort],
  ['keys', part(([key]) => createKey(key))],
  ['values', part(([, each]) => each)],
  ['get', get],
])
