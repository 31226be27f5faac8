/** Runs units of work on several slots: a unit is a process of test files, or a command. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { hostEnvironment } from '../../fixtures/environment.ts'
import type { Report } from './run-files.ts'

export type Environment = Readonly<Record<string, string>>

export interface Unit {
  readonly name: string
  /** Set on a unit of test files. */
  readonly files?: readonly string[]
  /** What the unit waits for; resolves with additions to the environment. */
  readonly needs?: Promise<Environment>
  readonly run: (environment: Environment) => Promise<UnitResult>
}

export interface UnitResult {
  readonly output: string
  readonly succeeded: boolean
  /** Undefined if the process ended before its tests did. */
  readonly report?: Report
  readonly cpuSeconds: number
}

/**
 * A hanging process is killed and counts as failed. The slow files of one control plane take a quarter of an hour, and
 * longer on a busy machine.
 */
const timeoutMs = 2_400_000
const runner = resolve(import.meta.dirname, 'run-files.ts')
/**
 * Tests keep few objects and drop many. With V8's defaults the dropped ones fill the old generation, and marking it
 * takes half as long as the tests.
 */
const engineFlags = ['--min-semi-space-size=32', '--max-semi-space-size=64']

/** Processes of running units. Each leads a process group, which includes the services and browsers that it started. */
const children = new Set<ChildProcess>()
let isInterrupted = false

/** Ends running units with everything they started, and starts no others. */
export function interruptUnits(): void {
  isInterrupted = true
  for (const child of children) endGroup(child)
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function startGroup(command: string, parameters: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, parameters, { ...options, detached: true })
  children.add(child)
  // Processes that it leaves behind end with it.
  child.once('exit', () => {
    children.delete(child)
    endGroup(child)
  })
  return child
}

/**
 * Runs units in order, each as soon as its needs are met and a slot is free. The slots of a list run its units first,
 * and then help with the earlier lists.
 */
export async function runUnits(
  lists: readonly (readonly Unit[])[],
  slotsOfList: number,
  onResult: (unit: Unit, result: UnitResult) => void,
): Promise<void> {
  const waiting = new Map<Unit, Promise<void>>()
  const ready = new Map<Unit, Environment>()
  for (const unit of lists.flat()) {
    const needs = unit.needs ?? Promise.resolve({})
    waiting.set(
      unit,
      needs.then((environment) => void ready.set(unit, environment)),
    )
  }
  const runAll = async (units: readonly Unit[]): Promise<void> => {
    for (;;) {
      const left = units.filter((candidate) => waiting.has(candidate))
      if (left.length === 0 || isInterrupted) return
      const unit = left.find((candidate) => ready.has(candidate))
      if (unit === undefined) {
        await Promise.race(left.map((candidate) => waiting.get(candidate)))
        continue
      }
      waiting.delete(unit)
      onResult(unit, await unit.run(ready.get(unit)!))
    }
  }
  const runList = async (index: number): Promise<void> => {
    for (const units of lists.slice(0, index + 1).reverse()) await runAll(units)
  }
  const runLists = lists.flatMap((units, index) =>
    Array.from({ length: units.length > 0 ? slotsOfList : 0 }, () => runList(index)),
  )
  await Promise.all(runLists)
}

/** Groups of test files that run one after another in one process. */
export const testUnit = (
  name: string,
  groups: readonly (readonly string[])[],
  environment: Environment,
  needs?: Promise<Environment>,
): Unit => ({
  name,
  files: groups.flat(),
  ...(needs === undefined ? {} : { needs }),
  run: (more) =>
    new Promise((onDone) => {
      const child = startGroup(process.execPath, [...engineFlags, runner, JSON.stringify(groups)], {
        env: { ...hostEnvironment, ...environment, ...more },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      const timer = setTimeout(() => endGroup(child), timeoutMs)
      const output = collectText(child.stdout, child.stderr)
      // Safe: run-files.ts writes a report to its descriptor 3 and nothing else.
      const report = collectText(child.stdio[3] as Readable)
      child.once('close', (code) => {
        clearTimeout(timer)
        const parsed = report() === '' ? undefined : (JSON.parse(report()) as Report)
        onDone({
          output: output(),
          succeeded: code === 0,
          cpuSeconds: parsed?.cpuSeconds ?? 0,
          ...(parsed === undefined ? {} : { report: parsed }),
        })
      })
    }),
})

/** Runs a command in a shell, which can report the CPU time of its children. */
const timed = '"$0" "$@"; code=$?; times >&3; exit $code'

/** Parses the second line of `times`: user and system time of children, as in `0m1.250s 0m0.310s`. */
const secondsOfTimes = (text: string): number =>
  [...(text.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )

/** A command of the installed packages. */
export const commandUnit = (command: string, ...parameters: readonly string[]): Unit => ({
  name: [command, ...parameters].join(' '),
  run: () =>
    new Promise((onDone) => {
      const child = startGroup('sh', ['-c', timed, resolve('node_modules/.bin', command), ...parameters], {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      const output = collectText(child.stdout, child.stderr)
      // Safe: the fourth stream is a pipe that the child writes to.
      const times = collectText(child.stdio[3] as Readable)
      child.once('close', (code) =>
        onDone({ output: output(), succeeded: code === 0, cpuSeconds: secondsOfTimes(times()) }),
      )
    }),
})

/** Collects the output of a process, so that concurrent processes do not mix their lines. */
function collectText(...streams: readonly (Readable | null)[]): () => string {
  let text = ''
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return () => text
}
