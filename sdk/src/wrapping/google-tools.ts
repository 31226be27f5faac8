/**
 * Google's client runs tools itself: within one call, it calls the model, runs the tools, and calls the model again until there
 * is an answer. Each step is recorded, by watching the client's own method that calls the model once.
 */
import type { GenerationRecording } from '../recording/recording.ts'
import type { Call, StepsInput } from './wrap-client.ts'

interface FunctionCall {
  readonly id?: string
  readonly name?: string
  readonly args?: unknown
}

interface Part {
  readonly functionResponse?: FunctionCall & { readonly response?: unknown }
}

interface ToolDeclaration {
  readonly functionDeclarations?: readonly { readonly name?: string }[]
}

interface CallableTool {
  tool(): Promise<ToolDeclaration>
  callTool(calls: readonly FunctionCall[]): Promise<readonly Part[]>
}

interface Params {
  readonly config?: {
    readonly tools?: readonly object[]
    readonly automaticFunctionCalling?: { readonly disable?: boolean }
  }
}

const isCallable = (tool: object): tool is CallableTool =>
  typeof (tool as Partial<CallableTool>).callTool === 'function'

/** Whether the client runs tools in this call, and has the method to watch, which is undocumented. */
export function callsTools(models: object, method: string, [params]: readonly unknown[]): boolean {
  const { tools = [], automaticFunctionCalling } = (params as Params).config ?? {}
  return (
    automaticFunctionCalling?.disable !== true &&
    tools.some(isCallable) &&
    typeof Reflect.get(models, method) === 'function'
  )
}

/** How to record the model calls that use a tool declaration: each declaration is created for one call. */
const recorders = new WeakMap<object, StepsInput['record']>()
const watchedMethods = new WeakMap<object, Set<string>>()

/** The arguments of the call, with tools that record their runs. */
export function watchTools({ part, args, span, record }: StepsInput, method: string): readonly unknown[] {
  watchMethod(part, method)
  const [params, ...rest] = args
  // Safe: `callsTools` has already read them.
  const { config, ...others } = params as Params
  const tools = config?.tools?.map((tool) => (isCallable(tool) ? recordTool(tool, span, record) : tool))
  return [{ ...others, config: { ...config, tools } }, ...rest]
}

/** Patches the method once per client. Calls without such a declaration, including those by other code, are unaffected. */
function watchMethod(models: object, name: string): void {
  const methods = watchedMethods.get(models) ?? new Set()
  if (methods.has(name)) return
  watchedMethods.set(models, methods.add(name))
  const original = Reflect.get(models, name) as Call
  const call: Call = (...args) => Reflect.apply(original, models, args)
  const recordedCall: Call = (...args) => {
    const { tools = [] } = (args[0] as Params).config ?? {}
    const record = tools.map((tool) => recorders.get(tool)).find((each) => each !== undefined)
    return record === undefined ? call(...args) : record(call)(...args)
  }
  Object.defineProperty(models, name, { value: recordedCall, configurable: true, writable: true })
}

function recordTool(
  tool: CallableTool,
  span: GenerationRecording,
  record: StepsInput['record'],
): CallableTool {
  const names = new Set<string | undefined>()
  const own: CallableTool = {
    async tool() {
      const declaration = { ...(await tool.tool()) }
      for (const { name } of declaration.functionDeclarations ?? []) names.add(name)
      recorders.set(declaration, record)
      return declaration
    },
    callTool(calls) {
      // Each tool receives the calls of all tools.
      const ownCalls = calls.filter(({ name }) => names.has(name))
      return ownCalls.length === 0
        ? tool.callTool(calls)
        : runTool(span, ownCalls, () => tool.callTool(calls))
    },
  }
  return new Proxy(tool, {
    get: (target, name) =>
      Object.hasOwn(own, name) ? Reflect.get(own, name) : Reflect.get(target, name, target),
  })
}

/** A single call is current while its tool runs; among concurrent calls, it is unknown which one is running. */
function runTool(
  span: GenerationRecording,
  calls: readonly FunctionCall[],
  run: () => Promise<readonly Part[]>,
): Promise<readonly Part[]> {
  const fieldsOf = ({ name, args }: FunctionCall) => ({ name: name ?? 'tool', input: args })
  const [first, second] = calls
  if (first !== undefined && second === undefined)
    return span.tool(fieldsOf(first), async (log) => {
      const parts = await run()
      log.update({ output: responseTo(first, parts, 0) })
      return parts
    })
  return span.span({ name: 'tools' }, async (group) => {
    const logs = calls.map((call) => group.tool(fieldsOf(call)))
    try {
      const parts = await run()
      for (const [index, log] of logs.entries()) log.end({ output: responseTo(calls[index], parts, index) })
      return parts
    } catch (error) {
      for (const log of logs) log.end({ error })
      throw error
    }
  })
}

/** Finds the response by id, or by position if the model gave none. */
function responseTo(call: FunctionCall | undefined, parts: readonly Part[], index: number): unknown {
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? [])
  const withId = responses.find(({ id }) => id !== undefined && id === call?.id)
  return (withId ?? responses[index])?.response
}
