/**
 * Runs code of people in an engine within the engine: QuickJS, compiled to WebAssembly. It has the language and nothing
 * else, so there is no process, file or network to reach. Each run has an instance of its own, so that nothing one run
 * does is there for the next, not even where it breaks QuickJS itself.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import type { Judgement } from '../rules/judge.ts'
import { CodeFailed, type Limits, tookTooLong, tookTooMuch } from './limits.ts'
import { makeTypeOf, readVerdict } from './read-verdict.ts'
import type { Task } from './sandbox-messages.ts'

const fileName = 'evaluator.js'
const stackBytes = 256 * 1024
const jobsPerTurn = 100

/** The cast states what is there: the package declares the form that `require` gets, where `default` is further in. */
const quickJs = variant as unknown as QuickJSSyncVariant

/** The cast states what every engine has: the declarations that we check against know it of browsers only. */
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile: (bytes: Uint8Array) => Promise<WebAssembly.Module> } }
).WebAssembly

let compiled: Promise<WebAssembly.Module> | undefined

/** The engine's code, compiled once in a thread. */
function compiledEngine(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
  compiled ??= readFile(path).then((bytes) => compile(bytes))
  return compiled
}

/** The verdict, or undefined where there is no subject and the code is only looked at. Throws `CodeFailed`. */
export async function runInEngine({ source, subject, limits }: Task): Promise<Judgement | undefined> {
  const wasmModule = await compiledEngine()
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
    // Taken before the code runs, which may replace it.
    const parse = context.getProp(context.getProp(context.global, 'JSON'), 'parse')
    const typeOf = makeTypeOf(context)
    const read = context.evalCode(source, fileName, { type: 'module' })
    if (read.error) throw failureOf(context, read.error, run)
    const judge = context.getProp(settled(context, read.value, run), 'default')
    if (context.typeof(judge) !== 'function')
      throw new CodeFailed('syntax', 'The code must have a function as its `export default`.')
    if (subject === undefined) return undefined
    const argument = context.callFunction(parse, context.undefined, context.newString(subject))
    if (argument.error) throw new CodeFailed('memory', 'The trace is too large or nests too deeply for code.')
    const returned = context.callFunction(judge, context.undefined, argument.value)
    if (returned.error) throw failureOf(context, returned.error, run)
    return readVerdict(context, typeOf, settled(context, returned.value, run))
  } catch (error) {
    // Where time is over, whatever else went wrong did so because of it.
    throw run.isOver() ? tookTooLong(limits) : error
  }
}

interface Run {
  readonly limits: Limits
  readonly isOver: () => boolean
}

/** What a promise came to, once everything that waited to run has run; other values as they are. */
function settled(context: QuickJSContext, value: QuickJSHandle, run: Run): QuickJSHandle {
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

/** What a value that was thrown tells, read so that it cannot harm: it may be anything. */
function failureOf(context: QuickJSContext, thrown: QuickJSHandle, { limits }: Run): CodeFailed {
  const name = textAt(context, thrown, 'name') ?? 'Error'
  const message = textAt(context, thrown, 'message') ?? ''
  if (name === 'InternalError' && message === 'out of memory') return tookTooMuch(limits)
  const stack = textAt(context, thrown, 'stack') ?? ''
  const found = new RegExp(`${fileName}:(\\d+)`).exec(stack)?.[1]
  const line = found === undefined ? undefined : Number(found)
  const place = line === undefined ? '' : `Line ${line}: `
  // Parsing text within code throws it as well, but from a function of the engine.
  return name === 'SyntaxError' && !stack.includes('(native)')
    ? new CodeFailed('syntax', `${place}${message}.`, line)
    : new CodeFailed('threw', `${place}${name}: ${message}`, line)
}

const shownCharacters = 500

function textAt(context: QuickJSContext, holder: QuickJSHandle, name: string): string | undefined {
  if (context.typeof(holder) === 'string') return name === 'message' ? textOf(context, holder) : undefined
  if (context.typeof(holder) !== 'object') return undefined
  try {
    const value = context.getProp(holder, name)
    return context.typeof(value) === 'string' ? textOf(context, value) : undefined
  } catch {
    // A getter that throws, in what was thrown: it has told nothing.
    return undefined
  }
}

function textOf(context: QuickJSContext, text: QuickJSHandle): string {
  const length = context.getNumber(context.getProp(text, 'length'))
  return length > 100_000 ? '(a very long text)' : context.getString(text).slice(0, shownCharacters)
}
