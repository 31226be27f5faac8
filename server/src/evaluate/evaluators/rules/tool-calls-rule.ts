import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@plumbline/contract/errors'
import { type Config, type Judge, preview, type Verdict } from './judge.ts'
import { parseOrUndefined } from './place.ts'
import { readFlag } from './read-config.ts'
import { type ToolCall, toolCallsIn, toolCallsOf } from './tool-calls.ts'

/**
 * Whether the application called the expected tools, as given by the configuration or else by the ideal output. Arguments
 * without an expectation may have any value.
 */
export function readToolCalls(config: Config): Judge {
  const isOrdered = readFlag(config, 'ordered')
  const allowsOthers = readFlag(config, 'allowOthers')
  const expected = config.expected === undefined ? undefined : readExpectedCalls(config.expected)
  if (config.expected !== undefined && expected === undefined)
    throw invalid('config.expected', 'must be a list of tool names, or of { name, arguments }')
  return (subject) => {
    const expectedCalls = expected ?? readExpectedCalls(subject.idealOutput)
    if (expectedCalls === undefined) return { value: null, comment: 'No expected tool calls are given.' }
    return compare(toolCallsOf(subject), expectedCalls, { isOrdered, allowsOthers })
  }
}

function compare(
  calls: readonly ToolCall[],
  expectedCalls: readonly ToolCall[],
  { isOrdered, allowsOthers }: { readonly isOrdered: boolean; readonly allowsOthers: boolean },
): Verdict {
  const remaining = [...calls]
  let from = 0
  for (const expectedCall of expectedCalls) {
    const index = remaining.findIndex((call, position) => position >= from && fits(call, expectedCall))
    if (index < 0) return { value: false, comment: describeMissing(expectedCall, calls, isOrdered) }
    remaining.splice(index, 1)
    if (isOrdered) from = index
  }
  if (remaining.length > 0 && !allowsOthers)
    return { value: false, comment: `Not expected: ${remaining.map(nameOf).join(', ')}.` }
  return {
    value: true,
    comment: expectedCalls.length === 0 ? 'No tool was called.' : 'The expected tools were called.',
  }
}

const nameOf = ({ name }: ToolCall): string => name

function describeMissing(
  { name, arguments: reference }: ToolCall,
  calls: readonly ToolCall[],
  isOrdered: boolean,
): string {
  const same = calls.filter((call) => call.name === name)
  if (same.length === 0) return `${name} was not called.`
  const matching = same.filter((call) => fits(call, { name, arguments: reference }))
  if (matching.length > 0)
    return `${name} was not called ${isOrdered ? 'in the expected order' : 'often enough'}.`
  return `${name} was called with ${preview(same[0]?.arguments ?? null)}, not ${preview(reference)}.`
}

/** Each expected argument must be present and equal; other arguments are ignored. */
function fits(call: ToolCall, { name, arguments: reference }: ToolCall): boolean {
  if (call.name !== name) return false
  if (reference === undefined) return true
  const { arguments: actual } = call
  if (!isObject(reference) || !isObject(actual)) return isDeepStrictEqual(actual, reference)
  return Object.entries(reference).every(
    ([key, value]) => Object.hasOwn(actual, key) && isDeepStrictEqual(actual[key], value),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads expected calls: names, names with arguments, or recorded messages; undefined for anything else. */
function readExpectedCalls(value: unknown): ToolCall[] | undefined {
  const json = typeof value === 'string' ? parseOrUndefined(value) : value
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
