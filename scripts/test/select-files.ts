/** Which test files exist, which are selected, and which may share a process. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { allOperations } from '@plumbline/contract'

/** How a test file runs. */
export interface TestFile {
  /** Relative to the repository root, with forward slashes. */
  readonly path: string
  /** Kills, outages, fuzzing, soaks and the packed packages: `npm run test:slow`. */
  readonly isSlow: boolean
  /** Contains property tests, which the slow group runs more often. */
  readonly hasProperties: boolean
  /** Drives the web app in a browser. */
  readonly isBrowser: boolean
  /** Which other files may run in the same process. */
  readonly processMates: 'service' | 'engine' | 'process' | 'nothing'
  /** Everything it started ends before the next file of its process is loaded. */
  readonly runsAlone: boolean
  /** Calls endpoints, so the engine of the control plane matters. */
  readonly isEndpoint: boolean
  /** Must run on PostgreSQL as well. */
  readonly needsPostgres: boolean
  /**
   * Starts no service, browser or other process, and needs no separate process: it computes, or opens an embedded
   * engine.
   */
  readonly isQuick: boolean
}

const root = resolve(import.meta.dirname, '../..')
const packages = '{contract,storage,server,sdk,cli,web,scripts,fixtures,examples}'

/** Every test file of the repository, in alphabetical order. */
export const allTestFiles = (): TestFile[] =>
  globSync(`${packages}/**/*.test.ts`, { cwd: root, exclude: (path) => path.includes('node_modules') })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map(describeFile)

/** This module can start a service on PostgreSQL, but only endpoint tests request it. */
const endpointTesting = resolve(root, 'server/testing/test-app.ts')

/** A service with its own settings or clock, and one without, which the files of a process share. */
const startsOwn = /await start(?:(?:TestApp|Service)\([^)]|StreamingService\()/
const startsShared = /await start(?:TestApp|Service)\(\)/

const startsService = /await start(?:TestApp|Service|StreamingService|Server|SeveralNodes)\(/
/** Without PostgreSQL this module starts nothing, and suites run on the embedded engine only. */
const postgresForTests = resolve(root, 'scripts/test/postgres-for-tests.ts')

function describeFile(path: string): TestFile {
  const file = resolve(root, path)
  const text = readFileSync(file, 'utf8')
  const isSlow = path.endsWith('.slow.test.ts')
  const isEndpoint = /await start(?:TestApp|StreamingService)\(/.test(text)
  const reachesEngine = reaches(file, traceEngine)
  const needsProcess = reaches(file, needProcess) || (reachesEngine && (isSlow || !opensStore.test(text)))
  const bringsDatabase = isEndpoint && text.includes('DATABASE_URL')
  const isBrowser = path.startsWith('web/e2e/')
  // Tests features that only PostgreSQL has.
  const isPostgresOnly = text.includes('await emptyDatabase()')
  const processMates = text.includes('// A process of its own:')
    ? 'nothing'
    : (isEndpoint || /await startService\(/.test(text)) && !path.startsWith('web/')
      ? 'service'
      : needsProcess
        ? 'nothing'
        : reachesEngine
          ? 'engine'
          : 'process'
  return {
    path,
    isSlow,
    hasProperties: reaches(file, /\/property-runs\.ts$/),
    isBrowser,
    // Files that pass settings or a clock have their own service, on the trace store of the process.
    processMates,
    // A service that outlives its file would poll during the tests of others. Only the shared one has to outlive its file.
    runsAlone: isBrowser || processMates === 'engine' || (startsOwn.test(text) && !startsShared.test(text)),
    isEndpoint,
    isQuick:
      !isSlow &&
      !isBrowser &&
      !isPostgresOnly &&
      processMates !== 'nothing' &&
      !startsService.test(text) &&
      !reaches(file, /^(?:node:child_process|vite)$/, new Set([postgresForTests])),
    // A file that brings its own database, or says that one is enough, runs once.
    needsPostgres: isEndpoint
      ? !readsOnly(path) && !bringsDatabase && !text.includes('// One control plane is enough:')
      : reaches(file, /\/postgres-for-tests\.ts$/, new Set([endpointTesting])),
  }
}

/**
 * Whether the file tests a read-only operation. Its set-up writes too, but through operations whose own tests run on
 * both engines.
 */
function readsOnly(path: string): boolean {
  const [resource, verb] = path.replace('.test.ts', '').split('/').slice(-2)
  return allOperations.some(({ name, method }) => method === 'GET' && name === `${resource}.${verb}`)
}

/**
 * Modules whose import means that a test needs a separate process, because they start other processes. The engines of
 * the control plane are not among them, since each test has its own database.
 */
const needProcess = /^(?:node:(?:child_process|cluster)|playwright-core|vite)$/
/** This engine allows one folder at a time per process: files that open and close it themselves run one after another. */
const traceEngine = /^chdb$/
const opensStore = /\bopen(?:TestTraceStore|TestClients|TraceStore|Clients)\(/

/** A module's import, and the file if it is our own; undefined for packages and data. */
interface Import {
  readonly specifier: string
  readonly target: string | undefined
}

const importsOf = new Map<string, readonly Import[]>()
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'"]*?from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g

/** Whether the imports of a file, followed through our own modules, reach one of these. */
export function reaches(file: string, modules: RegExp, visitedFiles = new Set<string>()): boolean {
  if (visitedFiles.has(file)) return false
  visitedFiles.add(file)
  return readImports(file).some(
    ({ specifier, target }) =>
      modules.test(specifier) || (target !== undefined && reaches(target, modules, visitedFiles)),
  )
}

function readImports(file: string): readonly Import[] {
  let imports = importsOf.get(file)
  if (imports === undefined) {
    const text = readFileSync(file, 'utf8')
    imports = [...text.matchAll(importPattern)]
      .flatMap(([, from, dynamic]) => from ?? dynamic ?? [])
      .map((specifier) => ({ specifier, target: resolveModule(specifier, file) }))
    importsOf.set(file, imports)
  }
  return imports
}

/**
 * The TypeScript file of a relative specifier or one of our packages; undefined for data, and for an example in a text.
 */
function resolveModule(specifier: string, importer: string): string | undefined {
  if (!specifier.startsWith('.') && !specifier.startsWith('@plumbline/')) return undefined
  const file = specifier.startsWith('.')
    ? resolve(importer, '..', specifier)
    : new URL(import.meta.resolve(specifier)).pathname
  return /\.tsx?$/.test(file) && existsSync(file) ? file : undefined
}

/**
 * The files that arguments select: a path from the root, a prefix of one, or a word in it (`prompts`). Without
 * arguments, every file.
 */
export function selectFiles(files: readonly TestFile[], selectors: readonly string[]): TestFile[] {
  if (selectors.length === 0) return [...files]
  const parts = selectors.map((selector) =>
    relative(root, resolve(selector)).startsWith('..')
      ? selector
      : relative(root, resolve(selector)).replaceAll('\\', '/'),
  )
  return files.filter(({ path }) => parts.some((part) => path.includes(part)))
}
