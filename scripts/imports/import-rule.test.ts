import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { findImportProblems, serverOrder } from './import-rule.ts'

const packages = ['contract', 'storage', 'server', 'sdk', 'cli', 'web'] as const
type Package = (typeof packages)[number]

/** Which package may import which. Repeated here, so that changing the rule requires changing its test. */
const allowed: Readonly<Record<Package, readonly Package[]>> = {
  contract: [],
  storage: ['contract'],
  server: ['storage', 'contract'],
  sdk: ['contract'],
  cli: ['sdk'],
  web: ['sdk'],
}

const forms: Readonly<Record<string, (specifier: string) => string>> = {
  static: (specifier) => `import { one } from '${specifier}'\none()\n`,
  'side effect': (specifier) => `import '${specifier}'\n`,
  'type-only': (specifier) => `import type { One } from '${specifier}'\nexport const one: One = 1\n`,
  're-export': (specifier) => `export { one } from '${specifier}'\n`,
  're-export of all': (specifier) => `export * from '${specifier}'\n`,
  're-export of types': (specifier) => `export type { One } from '${specifier}'\n`,
  dynamic: (specifier) => `export const one = await import('${specifier}')\n`,
  'dynamic with a template': (specifier) => `export const one = await import(\`${specifier}\`)\n`,
  'type of import()': (specifier) => `export type One = import('${specifier}').One\n`,
  require: (specifier) => `declare const require: (name: string) => unknown\nrequire('${specifier}')\n`,
}

/** The problems of files written to a temporary folder with the manifests of this repository. */
function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-imports-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  try {
    for (const path of ['package.json', ...packages.map((name) => `${name}/package.json`)])
      write(path, readFileSync(path, 'utf8'))
    for (const [path, text] of Object.entries(files)) write(path, text)
    // The manifests list packages that the few files of a test do not import.
    return findImportProblems(root)
      .filter(({ file }) => files[file] !== undefined)
      .map(({ file, specifier }) => `${file} ${specifier}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const folderOf = (name: Package): string => (name === 'storage' ? 'storage/control' : `${name}/src`)

describe('the import rule (code review, small move 1)', () => {
  it('is followed by the repository', () => {
    assert.deepEqual(findImportProblems('.'), [])
  })

  it('holds in every folder of a package, whatever its name', () => {
    const file = 'server/src/process/data/folder.ts'
    assert.deepEqual(problemsOf({ [file]: "import '@plumbline/sdk'\n" }), [`${file} @plumbline/sdk`])
  })

  for (const from of packages) {
    const others = packages.filter((name) => name !== from)
    it(`${from} imports ${allowed[from].join(' and ') || 'no package'}: bare, a path inside and relative, in each form`, () => {
      const files: Record<string, string> = {}
      const expected: string[] = []
      const add = (specifier: string, isAllowed: boolean): void => {
        for (const [form, write] of Object.entries(forms)) {
          const file = `${folderOf(from)}/${Object.keys(files).length}-${form}.ts`
          files[file] = write(specifier)
          if (!isAllowed) expected.push(`${file} ${specifier}`)
        }
      }
      for (const to of others) {
        add(`@plumbline/${to}`, allowed[from].includes(to))
        add(`@plumbline/${to}/deep/er`, allowed[from].includes(to))
        add(`../../${folderOf(to)}/other.ts`, false)
      }
      add('./other.ts', true)
      // The manifest lists every package, so that only the rule can refuse.
      const dependencies = Object.fromEntries(packages.map((name) => [`@plumbline/${name}`, '*']))
      const manifest = JSON.stringify({ name: `@plumbline/${from}`, dependencies })
      const problems = problemsOf({ ...files, [`${from}/package.json`]: manifest })
        // Ignores problems of the manifest itself, since these few files do not use all of it.
        .filter((problem) => !problem.startsWith(`${from}/package.json`))
      assert.deepEqual(problems.toSorted(), expected.toSorted())
    })
  }

  it('a worker file of another package counts as an import', () => {
    const file = 'storage/control/file.ts'
    const worker = "new Worker(new URL('../../server/src/main.ts', import.meta.url))\n"
    assert.deepEqual(problemsOf({ [file]: worker }), [`${file} ../../server/src/main.ts`])
  })

  it('the contract imports nothing of Node', () => {
    assert.deepEqual(problemsOf({ 'contract/src/file.ts': "import 'node:fs'\nimport 'path'\n" }), [
      'contract/src/file.ts node:fs',
      'contract/src/file.ts path',
    ])
    assert.deepEqual(problemsOf({ 'contract/src/file.test.ts': "import 'node:test'\n" }), [])
  })

  it('a package imports only what its package.json lists', () => {
    assert.deepEqual(problemsOf({ 'sdk/src/file.ts': "import 'undici'\nimport 'ajv/dist/2020.js'\n" }), [
      'sdk/src/file.ts undici',
      'sdk/src/file.ts ajv/dist/2020.js',
    ])
    assert.deepEqual(problemsOf({ 'server/src/file.ts': "import 'undici'\nimport 'ajv/dist/2020.js'\n" }), [])
    const files = { 'server/package.json': '{}', 'server/src/file.ts': "import '@plumbline/contract'\n" }
    assert.deepEqual(problemsOf(files), ['server/src/file.ts @plumbline/contract'])
  })

  it('a package lists only packages of ours that it imports', () => {
    const manifest = JSON.stringify({ dependencies: { '@plumbline/sdk': '*' } })
    assert.deepEqual(problemsOf({ 'cli/package.json': manifest }), ['cli/package.json @plumbline/sdk'])
    const files = { 'cli/package.json': manifest, 'cli/src/file.ts': "import '@plumbline/sdk/gate'\n" }
    assert.deepEqual(problemsOf(files), [])
  })

  it('only http/, app.ts and main.ts import server/src/http', () => {
    const text = "import '../../http/server.ts'\n"
    assert.deepEqual(problemsOf({ 'server/src/observe/alerts/rule.ts': text }), [
      'server/src/observe/alerts/rule.ts ../../http/server.ts',
    ])
    assert.deepEqual(problemsOf({ 'server/src/observe/alerts/routes.ts': text }), [
      'server/src/observe/alerts/routes.ts ../../http/server.ts',
    ])
    assert.deepEqual(problemsOf({ 'server/src/http/rule.ts': "import '../http/server.ts'\n" }), [])
    assert.deepEqual(problemsOf({ 'server/src/app.ts': "import './http/server.ts'\n" }), [])
  })

  it('imports inside the server point down, for types as well (code review: arrows that point up)', () => {
    const upwardImports = {
      'server/src/workspace/file.ts': "import type { One } from '../ingest/monitor/recorder.ts'\n",
      'server/src/ingest/otlp/file.ts': "export { one } from '../../evaluate/one.ts'\n",
      'server/src/operate/file.ts': "export const one = await import('../accounts/one.ts')\n",
      'server/src/config.ts': "import './process/stores.ts'\n",
    }
    assert.deepEqual(problemsOf(upwardImports), [
      'server/src/config.ts ./process/stores.ts',
      'server/src/ingest/otlp/file.ts ../../evaluate/one.ts',
      'server/src/operate/file.ts ../accounts/one.ts',
      'server/src/workspace/file.ts ../ingest/monitor/recorder.ts',
    ])
    const down = {
      'server/src/accounts/keys/file.ts':
        "import '../../ingest/one.ts'\nimport './other.ts'\nimport '../other.ts'\n",
      'server/src/workspace/file.test.ts': "import '../ingest/monitor/recorder.ts'\n",
      'server/testing/file.ts': "import '../src/app.ts'\n",
    }
    assert.deepEqual(problemsOf(down), [])
  })

  it('orders everything that is directly in server/src', () => {
    const entries = readdirSync('server/src').filter((name) => !name.endsWith('.test.ts'))
    assert.deepEqual(entries.toSorted(), serverOrder.toSorted())
  })

  it('production files import no test support', () => {
    const file = 'storage/control/file.ts'
    for (const specifier of [
      './testing.ts',
      './rows-for-tests.ts',
      '../../fixtures/eventually.ts',
      '../../scripts/test/postgres-for-tests.ts',
      '@plumbline/storage/control/testing',
    ])
      assert.deepEqual(problemsOf({ [file]: `import '${specifier}'\n` }), [`${file} ${specifier}`])
  })

  it('only the CLI imports the sample data of its demo', () => {
    const specifier = '../../../fixtures/demo/people.json'
    const source = `import people from '${specifier}' with { type: 'json' }\npeople\n`
    assert.deepEqual(problemsOf({ 'cli/src/demo/file.ts': source }), [])
    assert.deepEqual(problemsOf({ 'sdk/src/demo/file.ts': source }), [`sdk/src/demo/file.ts ${specifier}`])
    const code = '../../../fixtures/demo/people.ts'
    assert.deepEqual(problemsOf({ 'cli/src/demo/file.ts': `import '${code}'\n` }), [
      `cli/src/demo/file.ts ${code}`,
    ])
  })

  it('tests import test support of any package, the contract and the client, and no other production file', () => {
    const file = 'cli/src/file.test.ts'
    for (const specifier of [
      '../../server/testing/test-app.ts',
      '../../fixtures/eventually.ts',
      '@plumbline/contract/templates',
      '@plumbline/storage/control/testing',
    ])
      assert.deepEqual(problemsOf({ [file]: `import '${specifier}'\n` }), [], specifier)
    for (const specifier of [
      '../../server/src/app.ts',
      '@plumbline/storage/control',
      '../../web/src/main.ts',
    ])
      assert.deepEqual(problemsOf({ [file]: `import '${specifier}'\n` }), [`${file} ${specifier}`])
    const model = 'fixtures/model-server/file.ts'
    assert.deepEqual(problemsOf({ [model]: "import '@plumbline/contract'\n" }), [
      `${model} @plumbline/contract`,
    ])
  })

  it('scripts and browser tests start whole programs', () => {
    assert.deepEqual(problemsOf({ 'scripts/file.ts': "import '../server/src/app.ts'\n" }), [])
    assert.deepEqual(problemsOf({ 'web/e2e/file.ts': "import '../../server/src/app.ts'\n" }), [])
  })
})
