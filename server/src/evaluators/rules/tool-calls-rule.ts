import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@plumbline/contract'
import { type Config, type Judge, type Judgement, shown } from './judge.ts'
import { parsed } from './place.ts'
import { readFlag } from './read-config.ts'
import { type ToolCall, toolCallsIn, toolCallsOf } from './tool-calls.ts'

/**
 * Whether the tools that were called are those expected, by the configuration or else by the ideal output. Arguments
 * that nothing is expected of may be any.
 */
export function readToolCalls(config: Config): Judge {
  const isOrdered = readFlag(config, 'ordered')
  const allowsOthers = readFlag(config, 'allowOthers')
  const expected = config.expected === undefined ? undefined : expectedIn(config.expected)
  if (config.expected !== undefined && expected === undefined)
    throw invalid('config.expected', 'must be a list of names of tools, or of { name, arguments }')
  return (subject) => {
    const wanted = expected ?? expectedIn(subject.idealOutput)
    if (wanted === undefined) return { value: null, comment: 'Nothing says which tools are expected.' }
    return compare(toolCallsOf(subject), wanted, { isOrdered, allowsOthers })
  }
}

function compare(
  calls: readonly ToolCall[],
  wanted: readonly ToolCall[],
  { isOrdered, allowsOthers }: { readonly isOrdered: boolean; readonly allowsOthers: boolean },
): Judgement {
  const left = [...calls]
  let from = 0
  for (const of of wanted) {
    const at = left.findIndex((call, index) => index >= from && fits(call, of))
    if (at < 0) return { value: false, comment: missing(of, calls, isOrdered) }
    left.splice(at, 1)
    if (isOrdered) from = at
  }
  if (left.length > 0 && !allowsOthers)
    return { value: false, comment: `Not expected: ${left.map(named).join(', ')}.` }
  return {
    value: true,
    comment: wanted.length === 0 ? 'No tool was called.' : 'The tools expected were called.',
  }
}

const named = ({ name }: ToolCall): string => name

function missing(
  { name, arguments: wanted }: ToolCall,
  calls: readonly ToolCall[],
  isOrdered: boolean,
): string {
  const same = calls.filter((call) => call.name === name)
  if (same.length === 0) return `${name} was not called.`
  const withThem = same.filter((call) => fits(call, { name, arguments: wanted }))
  if (withThem.length > 0) return `${name} was not called ${isOrdered ? 'in its place' : 'often enough'}.`
  return `${name} was called with ${shown(same[0]?.arguments ?? null)}, not ${shown(wanted)}.`
}

/** Of an object of arguments, those that are expected have to be there and equal. */
function fits(call: ToolCall, { name, arguments: wanted }: ToolCall): boolean {
  if (call.name !== name) return false
  if (wanted === undefined) return true
  const { arguments: given } = call
  if (!isObject(wanted) || !isObject(given)) return isDeepStrictEqual(given, wanted)
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(given, key) && isDeepStrictEqual(given[key], value),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is expected, written as names, as names with arguments, or as messages have it; undefined for anything else. */
function expectedIn(value: unknown): ToolCall[] | undefined {
  const json = typeof value === 'string' ? parsed(value) : value
  if (Array.isArray(json) && json.every(isPlain)) return json.map(toCall)
  const calls = toolCallsIn(json)
  return calls.length > 0 ? calls : undefined
}

type Plain = string | { readonly name: string; readonly arguments?: unknown }

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' || (isObject(value) && typeof value.name === 'string' && value.type === undefined)

const toCall = (plain: Plain): ToolCall =>
  typeof plain === 'string'
    ? { name: plain, arguments: undefined }
    : { name: plain.name, arguments: plain.arguments ?? undefined }
