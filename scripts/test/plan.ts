/** Makes units of work of test files: what shares a process, on which engine it runs, and what has to be there first. */
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
  /** Where endpoint tests note which answers they saw. */
  readonly seenAnswers: string
  /** For the files of tests and of PostgreSQL. */
  readonly folder: string
}

export interface Plan {
  readonly units: readonly Unit[]
  /** Browser tests, which wait for the screen more than they compute: they run beside the others. */
  readonly browserUnits: readonly Unit[]
  /** Stops the servers that units used, once: an interruption and the end of the run both ask for it. */
  stop(): Promise<void>
}

/**
 * A process costs some seconds of CPU before its first test; with many cores, those would wait for the last one. Tests of
 * services take more where more of them share one.
 */
const filesOfProcess = { few: 12, many: { service: 54, engine: 54, process: 90 } }

/** What takes longest comes first, so that short units fill the end. */
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
    // The browser is unpacked where temporary files are, and stays there for the next run.
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

  // `npm ci` has built it where nothing has changed since. A build empties the folder, which a service may use as well.
  const build = runOnce({ ...commandUnit('node', 'scripts/build.ts', '--if-changed'), name: 'build' })
  // One for all tests of the web app: filling it takes longer than most of them.
  const withService = async (): Promise<Environment> => {
    // An interruption ends the build as well.
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
          // What else `npm run check` does, the rule of imports, is a test.
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
    // What is just starting can be stopped once it has.
    await Promise.allSettled([postgres, service])
    await Promise.all(stops.map((stop) => stop()))
  }
  let stopPromise: Promise<void> | undefined
  return { units, browserUnits, stop: () => (stopPromise ??= stopServers()) }
}

/**
 * Checks the types of a project. Each of several checkers knows the types of all files, so that two cores have less to do
 * with one. What an earlier run found of files that are as they were is not looked for again.
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

/** Those that run alone, then the others together. */
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
