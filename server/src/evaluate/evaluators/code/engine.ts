/**
 * Runs user code in an engine within the engine: QuickJS, compiled to WebAssembly. It offers the language and nothing
 * else: no process, files or network. Each run has its own instance, so that runs cannot affect each other, not even by
 * breaking QuickJS itself.
 */
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import type { Verdict } from '../rules/judge.ts'
import { CodeFailed, type Limits, tookTooLong, tookTooMuch } from './limits.ts'
import { makeTypeOf, readVerdict } from './read-verdict.ts'
import type { EngineTask } from './sandbox-messages.ts'

const fileName = 'evaluator.js'
const stackBytes = 256 * 1024
const jobsPerTurn = 100

/** Safe: the package's types describe the CommonJS form, which nests `default` one level deeper. */
const quickJs = variant as unknown as QuickJSSyncVariant

/** The verdict, or undefined without a subject, when the code is only checked. Throws `CodeFailed`. */
export async function runInEngine({
  source,
  subject,
  limits,
  engineModule: wasmModule,
}: EngineTask): Promise<Verdict | undefined> {
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(quickJs, { wasmModule }))
  const deadline = performance.now() + limits.timeoutMs
  const run: Run = { limits, isOver: () => performance.now() > deadline }
  const runtime = engine.newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: stackBytes,
    interruptHandler: run.isOver,
  })
  const context = runtime.newContext()
  try {
    // Captured before the code runs, which may replace it.
    const parse = context.getProp(context.getProp(context.global, 'JSON'), 'parse')
    const typeOf = makeTypeOf(context)
    const module = context.evalCode(source, fileName, { type: 'module' })
    if (module.error) throw failureOf(context, module.error, run)
    const judge = context.getProp(settle(context, module.value, run), 'default')
    if (context.typeof(judge) !== 'function')
      throw new CodeFailed('syntax', 'The code must have a function as its `export default`.')
    if (subject === undefined) return undefined
    const argument = context.callFunction(parse, context.undefined, context.newString(subject))
    if (argument.error)
      throw new CodeFailed('memory', 'The trace is too large or too deeply nested for a code evaluator.')
    const result = context.callFunction(judge, context.undefined, argument.value)
    if (result.error) throw failureOf(context, result.error, run)
    return readVerdict(context, typeOf, settle(context, result.value, run))
  } catch (error) {
    // Past the deadline every other error is a consequence of the interruption.
    throw run.isOver() ? tookTooLong(limits) : error
  }
}

interface Run {
  readonly limits: Limits
  readonly isOver: () => boolean
}

/** Runs pending jobs, then unwraps a promise; other values are returned as they are. */
function settle(context: QuickJSContext, value: QuickJSHandle, run: Run): QuickJSHandle {
  while (context.runtime.hasPendingJob()) {
    if (run.isOver()) throw tookTooLong(run.limits)
    const jobs = context.runtime.executePendingJobs(jobsPerTurn)
    if (jobs.error) throw failureOf(context, jobs.error, run)
  }
  const state = context.getPromiseState(value)
  if (state.type === 'fulfilled') return state.value
  if (state.type === 'rejected') throw failureOf(context, state.error, run)
  throw new CodeFailed('returned', 'The code waits for a promise that never settles.')
}

/** Describes a thrown value, which may be anything, without trusting it. */
function failureOf(context: QuickJSContext, error: QuickJSHandle, { limits }: Run): CodeFailed {
  const name = textAt(context, error, 'name') ?? 'Error'
  const message = textAt(context, error, 'message') ?? ''
  if (name === 'InternalError' && message === 'out of memory') return tookTooMuch(limits)
  const stack = textAt(context, error, 'stack') ?? ''
  const lineText = new RegExp(`${fileName}:(\\d+)`).exec(stack)?.[1]
  const line = lineText === undefined ? undefined : Number(lineText)
  const place = line === undefined ? '' : `Line ${line}: `
  // `JSON.parse` and the like throw it too, but from a native function.
  return name === 'SyntaxError' && !stack.includes('(native)')
    ? new CodeFailed('syntax', `${place}${message}.`, line)
    : new CodeFailed('threw', `${place}${name}: ${message}`, line)
}

const shownCharacters = 500

function textAt(context: QuickJSContext, object: QuickJSHandle, name: string): string | undefined {
  if (context.typeof(object) === 'string') return name === 'message' ? textOf(context, object) : undefined
  if (context.typeof(object) !== 'object') return undefined
  try {
    const value = context.getProp(object, name)
    return context.typeof(value) === 'string' ? textOf(context, value) : undefined
  } catch {
    // A getter of the thrown value threw, so there is no text to read.
    return undefined
  }
}

function textOf(context: QuickJSContext, text: QuickJSHandle): string {
  const length = context.getNumber(context.getProp(text, 'length'))
  return length > 100_000 ? '(a very long text)' : context.getString(text).slice(0, shownCharacters)
}
