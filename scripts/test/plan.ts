/**
 * Groups test files into units of work: which files share a process, on which engine they run, and what they need
 * first.
 */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { unpackBrowser } from '../../web/e2e/support/browser.ts'
import { startService } from '../../web/e2e/support/start-service.ts'
import { startPostgres } from './postgres-for-tests.ts'
import { commandUnit, type Environment, testUnit, type Unit } from './run-units.ts'
import type { TestFile } from './select-files.ts'

export interface PlanOptions {
  /** Types, lint and format. */
  readonly checksForm: boolean
  readonly hasPostgres: boolean
  /** Where endpoint tests record which responses they saw. */
  readonly seenAnswers: string
  /** For the files of tests and PostgreSQL. */
  readonly folder: string
}

export interface Plan {
  readonly units: readonly Unit[]
  /** Browser tests, which wait more than they compute, so they run alongside the others. */
  readonly browserUnits: readonly Unit[]
  /** Stops the servers that units used. Called by both an interruption and the end of the run; stops them once. */
  stop(): Promise<void>
}

/**
 * A process costs some seconds of CPU before its first test; with many cores, large processes would delay the end.
 * Service tests take longer if more of them share a process.
 */
const filesOfProcess = { few: 12, many: { service: 54, engine: 54, process: 90 } }

/** The longest units come first, so that short ones fill the end. */
export function makePlan(files: readonly TestFile[], options: PlanOptions): Plan {
  const browserFiles = files.filter(({ isBrowser }) => isBrowser)
  const otherFiles = files.filter(({ isBrowser }) => !isBrowser)
  const stops: (() => Promise<void>)[] = []
  const end = Promise.withResolvers<'end'>()
  const browserBase = {
    PLUMBLINE_TEST_SEEN: options.seenAnswers,
    PLUMBLINE_TEST_ENGINES: options.hasPostgres ? 'SQLite,PostgreSQL' : 'SQLite',
  }
  const migratedStores = join(options.folder, 'migrated-stores')
  mkdirSync(migratedStores)
  const base = {
    ...browserBase,
    // The browser is unpacked into the folder for temporary files, and kept for the next run.
    TMPDIR: options.folder,
    PLUMBLINE_TEST_MIGRATED_STORES: migratedStores,
  }

  const withPostgres = async (): Promise<Environment> => {
    const { url, stop } = await startPostgres({ parent: options.folder })
    stops.push(stop)
    return { PLUMBLINE_TEST_DATABASE_URL: url }
  }
  const postgres =
    options.hasPostgres && otherFiles.some(({ needsPostgres }) => needsPostgres) ? withPostgres() : undefined
  const onEngines: Readonly<Record<string, readonly TestFile[]>> = {
    SQLite: otherFiles,
    ...(options.hasPostgres
      ? { PostgreSQL: otherFiles.filter(({ isEndpoint, needsPostgres }) => isEndpoint && needsPostgres) }
      : {}),
  }
  const unitOn = (control: string, name: string, part: readonly TestFile[]): Unit =>
    testUnit(
      name,
      groupFiles(part),
      { ...base, PLUMBLINE_TEST_CONTROL: control },
      part.some(({ needsPostgres }) => needsPostgres) ? postgres : undefined,
    )
  const together = (processMates: 'service' | 'engine' | 'process'): Unit[] =>
    Object.entries(onEngines).flatMap(([control, engineFiles]) =>
      chunk(
        engineFiles.filter((file) => file.processMates === processMates),
        filesOfProcess.many[processMates],
      ).map((part, index) => unitOn(control, `${processMates} ${index + 1} on ${control}`, part)),
    )
  const alone = Object.entries(onEngines).flatMap(([control, engineFiles]) =>
    engineFiles
      .filter(({ processMates }) => processMates === 'nothing')
      .map((file) => unitOn(control, file.path, [file])),
  )

  // Rebuilds only if something has changed since `npm ci`. A build empties the folder, which a service may be using.
  const build = runOnce({ ...commandUnit('node', 'scripts/build.ts', '--if-changed'), name: 'build' })
  // One service for all tests of the web app: filling it takes longer than most of them.
  const withService = async (): Promise<Environment> => {
    // An interruption also ends the build.
    if ((await Promise.race([end.promise, build.completion])) === 'end') return {}
    const [{ url, key, stop }] = await Promise.all([startService(), unpackBrowser()])
    stops.push(stop)
    return { PLUMBLINE_E2E_URL: url, PLUMBLINE_E2E_KEY: key }
  }
  const service = browserFiles.length === 0 ? undefined : withService()

  const units = [
    ...(browserFiles.length > 0 ? [build.unit] : []),
    ...(options.checksForm
      ? [
          typeCheck('.'),
          typeCheck('web'),
          // The other part of `npm run check`, the import rule, is a test.
          commandUnit('biome', 'check', '.'),
        ]
      : []),
    ...together('service'),
    ...together('engine'),
    ...alone,
    ...together('process'),
  ]
  const browserUnits = divide(browserFiles, availableParallelism()).map((part, index) =>
    testUnit(`browser ${index + 1}`, groupFiles(part), browserBase, service),
  )
  const stopServers = async (): Promise<void> => {
    end.resolve('end')
    // A starting server can be stopped only once it has started.
    await Promise.allSettled([postgres, service])
    await Promise.all(stops.map((stop) => stop()))
  }
  let stopPromise: Promise<void> | undefined
  return { units, browserUnits, stop: () => (stopPromise ??= stopServers()) }
}

/**
 * Checks the types of a project. Each parallel checker needs the types of all files, so on two cores a single one is
 * less work. Unchanged files are not checked again.
 */
function typeCheck(project: string): Unit {
  const file = resolve(
    `node_modules/.cache/plumbline/types-${project === '.' ? 'root' : project}.tsbuildinfo`,
  )
  const unit = commandUnit(
    'tsc',
    ...['-p', project, '--noEmit', '--checkers', '1'],
    ...['--incremental', '--tsBuildInfoFile', file],
  )
  return { ...unit, name: `tsc -p ${project}` }
}

/** A unit, and a promise that resolves when it has run. */
function runOnce(unit: Unit): { readonly unit: Unit; readonly completion: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    unit: {
      ...unit,
      run: async (environment) => {
        const result = await unit.run(environment)
        resolve()
        return result
      },
    },
    completion: promise,
  }
}

/** Files that run alone, each as a group, then all others together. */
function groupFiles(files: readonly TestFile[]): string[][] {
  const pathsOf = (part: readonly TestFile[]) => part.map(({ path }) => path)
  const together = pathsOf(files.filter(({ runsAlone }) => !runsAlone))
  const alone = pathsOf(files.filter(({ runsAlone }) => runsAlone)).map((path) => [path])
  return together.length === 0 ? alone : [...alone, together]
}

function chunk(files: readonly TestFile[], filesMax: number): TestFile[][] {
  const cores = Math.min(availableParallelism(), Math.ceil(files.length / filesOfProcess.few))
  return divide(files, Math.max(cores, Math.ceil(files.length / filesMax)))
}

/** Parts of about the same length. */
const divide = (files: readonly TestFile[], parts: number): TestFile[][] =>
  Array.from({ length: parts }, (_part, part) =>
    files.filter((_file, index) => index % parts === part),
  ).filter((part) => part.length > 0)
