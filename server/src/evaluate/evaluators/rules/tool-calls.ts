/** Reads the tool calls of an application from any recorded format. */
import { parseOrUndefined } from './place.ts'
import type { Subject } from './subject.ts'

export interface ToolCall {
  readonly name: string
  /** Undefined if unspecified. */
  readonly arguments: unknown
}

type Fields = Readonly<Record<string, unknown>>

const callsMax = 1000
const depthMax = 12

/** From tool logs if there are any, otherwise from the models' response messages. */
export function toolCallsOf({ logs, output }: Pick<Subject, 'logs' | 'output'>): ToolCall[] {
  const tools = logs.filter(({ type }) => type === 'tool')
  if (tools.length > 0)
    return tools.map(({ name, input }) => ({ name: name ?? '', arguments: decode(input ?? undefined) }))
  const generations = logs.filter(({ type }) => type === 'generation')
  const answered = generations.flatMap((log) => toolCallsIn(log.output))
  return answered.length > 0 ? answered : toolCallsIn(output)
}

/** All calls in a value, in order: reads messages of OpenAI, Anthropic, Gemini, the AI SDK and OpenTelemetry. */
export function toolCallsIn(value: unknown): ToolCall[] {
  const calls: ToolCall[] = []
  collect(typeof value === 'string' ? parseOrUndefined(value) : value, calls, 0)
  return calls
}

function collect(value: unknown, calls: ToolCall[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax || calls.length >= callsMax) return
  const call = Array.isArray(value) ? undefined : callOf(value as Fields)
  if (call !== undefined) calls.push(call)
  else for (const part of Object.values(value)) collect(part, calls, depth + 1)
}

const callTypes = ['tool_use', 'tool-call', 'tool_call', 'function_call']

function callOf(fields: Fields): ToolCall | undefined {
  const { type, name, toolName } = fields
  for (const inner of [fields.function, fields.functionCall, fields.function_call])
    if (isFields(inner) && typeof inner.name === 'string')
      return { name: inner.name, arguments: argumentsOf(inner) }
  if (typeof type !== 'string' || !callTypes.includes(type)) return undefined
  const calledName = typeof name === 'string' ? name : toolName
  return typeof calledName === 'string' ? { name: calledName, arguments: argumentsOf(fields) } : undefined
}

const argumentsOf = (fields: Fields): unknown => decode(fields.arguments ?? fields.args ?? fields.input)

/** Arguments are often JSON within JSON. */
const decode = (value: unknown): unknown =>
  typeof value === 'string' ? (parseOrUndefined(value) ?? value) : value

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
