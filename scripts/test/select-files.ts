/** Which test files there are, which of them somebody selected, and which may share a process. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { allOperations } from '@plumbline/contract'

/** How a test file runs. */
export interface TestFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  /** Kills, outages, fuzzing, soaks and the packed packages: `npm run test:slow`. */
  readonly isSlow: boolean
  /** Tries properties, which the slow group tries more often. */
  readonly hasProperties: boolean
  /** Drives the web app in a browser. */
  readonly isBrowser: boolean
  /** Which other files may run in the same process. */
  readonly processMates: 'service' | 'engine' | 'process' | 'nothing'
  /** Ends what it started before the next file of its process is loaded. */
  readonly runsAlone: boolean
  /** Calls endpoints, so that the control plane's engine matters to it. */
  readonly isEndpoint: boolean
  /** Must run on PostgreSQL as well. */
  readonly needsPostgres: boolean
  /** Starts no service, no browser and no other process, and needs none of its own: it computes, or opens an embedded engine. */
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

/** It can start a service on PostgreSQL, which only endpoint tests ask of it. */
const endpointTesting = resolve(root, 'server/testing/test-app.ts')

/** A service with settings or a clock of its own, and that without parts, which the files of a process share. */
const startsOwn = /await start(?:(?:TestApp|Service)\([^)]|StreamingService\()/
const startsShared = /await start(?:TestApp|Service)\(\)/

const startsService = /await start(?:TestApp|Service|StreamingService|Server|SeveralNodes)\(/
/** Without PostgreSQL it starts nothing, and suites run on the embedded engine alone. */
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
  // Of what only PostgreSQL has.
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
    // Those that pass settings or a clock have a service of their own, on the trace store of the process.
    processMates,
    // A service that outlives its file polls beside the tests of the others. The shared one has to.
    runsAlone: isBrowser || processMates === 'engine' || (startsOwn.test(text) && !startsShared.test(text)),
    isEndpoint,
    isQuick:
      !isSlow &&
      !isBrowser &&
      !isPostgresOnly &&
      processMates !== 'nothing' &&
      !startsService.test(text) &&
      !reaches(file, /^(?:node:child_process|vite)$/, new Set([postgresForTests])),
    // A file runs once that brings its own database, or says that one is enough.
    needsPostgres: isEndpoint
      ? !readsOnly(path) && !bringsDatabase && !text.includes('// One control plane is enough:')
      : reaches(file, /\/postgres-for-tests\.ts$/, new Set([endpointTesting])),
  }
}

/**
 * Whether the file is the test of an operation that only reads. Its own set-up writes as well, but through operations
 * whose own tests run on both engines.
 */
function readsOnly(path: string): boolean {
  const [resource, verb] = path.replace('.test.ts', '').split('/').slice(-2)
  return allOperations.some(({ name, method }) => method === 'GET' && name === `${resource}.${verb}`)
}

/**
 * Modules whose import means that a test needs a process of its own: other processes. The control plane's engines are not
 * among them: each test has a database of its own.
 */
const needProcess = /^(?:node:(?:child_process|cluster)|playwright-core|vite)$/
/** It has one folder at a time in a process: files that open it themselves, and close it, run there one after another. */
const traceEngine = /^chdb$/
const opensStore = /\bopen(?:TestTraceStore|TestClients|TraceStore|Clients)\(/

/** What a module imports, and the module of ours that this is; undefined for a package and for data. */
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

/** The TypeScript file that a relative specifier or one of ours names; undefined for data, and for an example in a text. */
function resolveModule(specifier: string, importer: string): string | undefined {
  if (!specifier.startsWith('.') && !specifier.startsWith('@plumbline/')) return undefined
  const file = specifier.startsWith('.')
    ? resolve(importer, '..', specifier)
    : new URL(import.meta.resolve(specifier)).pathname
  return /\.tsx?$/.test(file) && existsSync(file) ? file : undefined
}

/**
 * The files that arguments select: a path from the root or the beginning of one, or a word of it (`prompts`).
 * Without arguments every file.
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
