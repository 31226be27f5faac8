/**
 * The import rule: which package may import which, which subsystem of the server may import which, and which files may
 * import `server/src/http`. Specifiers are resolved, so that a bare package name, a path inside a package and a
 * relative path that leaves a package are treated alike.
 */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { type ParseResult, parseSync } from 'rolldown/utils'

/** Packages that the production files of a package may import, besides their own. */
const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  storage: ['contract'],
  server: ['storage', 'contract'],
  sdk: ['contract'],
  cli: ['sdk'],
  web: ['sdk'],
  examples: ['sdk'],
}

/** Files that no production file may import. They may import more, see `problemOfTestSupport`. */
const testSupport =
  /\.test\.tsx?$|(?:^|\/)testing[^/]*\.ts$|-for-tests\.ts$|-suite\.ts$|\/suite-[^/]*\.ts$|^(?:scripts|fixtures)\/|^web\/e2e\/|^server\/testing\/|^server\/src\/ingest\/otlp\/instrumentations\/|-until-killed\.ts$/

/** Sample data of the CLI's `demo`, which goes into its bundle. It contains no code, so it may be imported. */
const demoData = /^fixtures\/demo\/[^/]+\.json$/

/** Files that build and check a package: they belong to no layer. */
const tooling = /^(?:web|sdk|cli|server)\/[^/]+\.ts$/

/** Whole programs, which may import anything that they start. */
const programs = /^(?:scripts|web\/e2e)\//

/** Production files of another package that tests may import, with the reason. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  // The sample data of the CLI must be valid for the service.
  cli: ['server/src/requests/validate.ts', 'server/src/ingest/monitor/check-trace.ts'],
  // The client's importers must be able to read the service's exports.
  sdk: ['server/src/table-files/csv.ts'],
}

/** The production files outside of `server/src/http` that may import it. */
const mayImportHttp = /^server\/src\/(?:http\/.*|app\.ts|main\.ts)$/

/**
 * The entries of `server/src`, from lowest to highest. Each imports only entries before it, for types as well as
 * values, so that no two depend on each other.
 */
export const serverOrder = [
  // Independent of the service.
  ...['id.ts', 'statistics', 'detectors', 'network'],
  // The process: its settings, secrets and stores.
  ...['config.ts', 'secrets', 'process', 'json', 'table-files', 'jobs'],
  // Shared by all verbs.
  ...['workspace', 'requests', 'module.ts', 'traces', 'outbound'],
  // The subsystems: recording at the bottom, accounts and overarching ones at the top.
  ...['datasets', 'ingest', 'prompts', 'evaluate', 'observe', 'operate', 'accounts', 'langfuse'],
  // The network interfaces, and the files that assemble the service.
  ...['mcp', 'http', 'make-workspaces.ts', 'app.ts', 'maintenance.ts', 'startup-banner.ts', 'main.ts'],
] as const

export interface ImportProblem {
  readonly file: string
  readonly specifier: string
  readonly problem: string
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Every forbidden import below a folder, and every package that a manifest lists but nothing imports. */
export function findImportProblems(root: string): ImportProblem[] {
  const files = globSync(
    '{contract,storage,server,sdk,cli,web,examples,scripts,fixtures}/**/*.{ts,tsx,mts}',
    {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path),
    },
  ).toSorted()
  const manifests = readManifests(root)
  const imported = new Map<string, Set<string>>()
  const problems: ImportProblem[] = []
  for (const file of files) {
    for (const specifier of specifiersOf(file, readFileSync(join(root, file), 'utf8'))) {
      const problem = problemOf(file, specifier, manifests)
      if (problem !== undefined) problems.push({ file, specifier, problem })
      if (!testSupport.test(file)) add(imported, packageOf(file), bareName(specifier))
    }
  }
  return [...problems, ...findUnusedPackages(manifests, imported)]
}

/** The modules that a file imports: statically, for types, for re-export, dynamically, or as a worker file. */
function specifiersOf(file: string, source: string): string[] {
  const result = parseFile(file, source)
  const { staticImports, staticExports } = result.module
  return [
    ...new Set([
      ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
      ),
      ...dynamicSpecifiersOf(result, source),
    ]),
  ]
}

export function parseFile(file: string, source: string): ParseResult {
  const result = parseSync(file, source)
  if (result.errors.length > 0) throw new Error(`${file} cannot be read: ${result.errors[0]?.message}`)
  return result
}

/** The specifiers in `import()`, the type `import()`, `require()` and `new URL('….ts', import.meta.url)`. */
export function dynamicSpecifiersOf(result: ParseResult, source: string): string[] {
  const specifiers: string[] = []
  // The tree is walked only if it may contain one of these: creating it takes ten times as long as the rest.
  if (/\bimport\s*\(|\brequire\s*\(|import\.meta\.url/.test(source)) collect(result.program, specifiers)
  return specifiers
}

function collect(node: unknown, specifiers: string[]): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const inner of node) collect(inner, specifiers)
    return
  }
  // Safe: the parser produces only trees of such objects.
  const { type, source, callee, arguments: inputs } = node as Record<string, unknown>
  if (type === 'ImportExpression' || type === 'TSImportType') addText(source, specifiers)
  const calleeName = (callee as { name?: string } | undefined)?.name
  const [first] = (inputs as unknown[] | undefined) ?? []
  if (type === 'CallExpression' && calleeName === 'require') addText(first, specifiers)
  if (type === 'NewExpression' && calleeName === 'URL') {
    const [name] = textsOf(first)
    if (name !== undefined && /^\..*\.[cm]?[jt]sx?$/.test(name)) specifiers.push(name)
  }
  for (const inner of Object.values(node)) collect(inner, specifiers)
}

const addText = (node: unknown, specifiers: string[]): void => {
  specifiers.push(...textsOf(node))
}

/** The text of a literal, or of a template without expressions. */
function textsOf(node: unknown): string[] {
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: unknown[] }
  if (type === 'Literal' && typeof value === 'string') return [value]
  if (type === 'TemplateLiteral' && quasis?.length === 1)
    return [(quasis[0] as { value: { cooked: string } }).value.cooked]
  return []
}

/** The problem of an import, or undefined. */
function problemOf(
  file: string,
  specifier: string,
  manifests: ReadonlyMap<string, Manifest>,
): string | undefined {
  const target = targetOf(file, specifier)
  if (target === undefined) return problemOfForeignPackage(file, specifier, manifests)
  if (testSupport.test(file)) return problemOfTestSupport(file, target)
  const home = packageOf(file)
  if (home === 'cli' && demoData.test(target)) return undefined
  const away = packageOf(target)
  if (testSupport.test(target)) return 'Production files import no test support.'
  if (tooling.test(file)) return undefined
  if (away !== home) {
    const allowed = allowedPackages[home] ?? []
    if (specifier.startsWith('.')) return `A relative import must not leave ${home}/.`
    if (!allowed.includes(away)) return `${home} imports ${allowed.join(' and ') || 'no other package'}.`
    if (manifests.get(home)?.dependencies?.[bareName(specifier)] === undefined)
      return `${home}/package.json does not list ${bareName(specifier)}.`
  }
  if (/^server\/src\/http\//.test(target) && !mayImportHttp.test(file))
    return 'Only app.ts and main.ts import server/src/http.'
  return problemOfOrder(file, target)
}

/** An import inside the server of a higher subsystem. */
function problemOfOrder(file: string, target: string): string | undefined {
  const [from, to] = [subsystemOf(file), subsystemOf(target)]
  if (from === undefined || to === undefined || from === to) return undefined
  const order: readonly string[] = serverOrder
  // The test of this rule ensures that the order has every entry.
  if (!order.includes(from) || !order.includes(to)) return undefined
  return order.indexOf(from) > order.indexOf(to)
    ? undefined
    : `${to} is higher than ${from}: move what both need down, or pass it as an argument.`
}

/** The entry of `server/src` that a file belongs to. */
const subsystemOf = (path: string): string | undefined => /^server\/src\/([^/]+)/.exec(path)?.[1]

/**
 * Tests may import their own package, the contract, the client, fixtures, the test support of any package, and what
 * `testsMayImport` lists. Fixtures import no package; scripts and browser tests start whole programs.
 */
function problemOfTestSupport(file: string, target: string): string | undefined {
  if (programs.test(file)) return undefined
  const home = packageOf(file)
  const away = packageOf(target)
  if (home === away || testSupport.test(target)) return undefined
  if (home !== 'fixtures' && (away === 'contract' || away === 'sdk')) return undefined
  if (allowedPackages[home]?.includes(away) === true || testsMayImport[home]?.includes(target) === true)
    return undefined
  return `Tests of ${home} import only test support of ${away}.`
}

function problemOfForeignPackage(
  file: string,
  specifier: string,
  manifests: ReadonlyMap<string, Manifest>,
): string | undefined {
  const home = packageOf(file)
  const isTest = testSupport.test(file) || tooling.test(file)
  if (isBuiltin(specifier)) return home === 'contract' && !isTest ? 'The contract does no I/O.' : undefined
  const own = manifests.get(home)
  // Scripts and fixtures have no manifest of their own.
  if (own === undefined) return undefined
  const root = manifests.get('.')
  const name = bareName(specifier)
  const lists = isTest
    ? [own?.dependencies, own?.peerDependencies, own?.devDependencies, root?.devDependencies]
    : [own?.dependencies, own?.peerDependencies]
  return lists.some((list) => list?.[name] !== undefined)
    ? undefined
    : `${home}/package.json does not list ${name}.`
}

/** Our packages that a manifest lists although no production file imports them or may import them. */
function findUnusedPackages(
  manifests: ReadonlyMap<string, Manifest>,
  packageNames: ReadonlyMap<string, ReadonlySet<string>>,
): ImportProblem[] {
  return [...manifests].flatMap(([folder, { dependencies = {} }]) =>
    Object.keys(dependencies)
      .filter((name) => name.startsWith('@plumbline/') && packageNames.get(folder)?.has(name) !== true)
      .map((name) => ({
        file: `${folder}/package.json`,
        specifier: name,
        problem: `No production file of ${folder} imports it.`,
      })),
  )
}

function readManifests(root: string): Map<string, Manifest> {
  const files = globSync(
    ['package.json', ...Object.keys(allowedPackages).map((name) => `${name}/package.json`)],
    {
      cwd: root,
    },
  )
  // Safe: npm has read these files before, and only the names of packages are used.
  return new Map(
    files.map((file) => [dirname(file), JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest]),
  )
}

/** The path from the root of an import of our own code; undefined for other packages and Node's modules. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  if (specifier.startsWith('/')) return specifier
  const own = /^@plumbline\/([^/]+)(.*)$/.exec(specifier)
  if (own === null) return undefined
  // `@plumbline/storage/control/testing` is the file `storage/control/testing.ts`.
  return `${own[1]}${own[2]}${own[2]?.endsWith('testing') ? '.ts' : ''}`
}

const packageOf = (path: string): string => path.split('/', 1)[0] as string

/** The package of a bare specifier: `a` of `a/b`, `@a/b` of `@a/b/c`. */
const bareName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
