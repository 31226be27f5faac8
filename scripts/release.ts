/**
 * `npm run release -- [--dry-run] [--out FOLDER] [VERSION]`: sets one version in all packages, packs the published
 * ones, tests the packed files, and prints what would be published. It publishes nothing:
 * `.github/workflows/release.yml` does that from the folder. `--dry-run` also restores the versions.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { hostEnvironment } from '../fixtures/environment.ts'
import {
  clientPackages,
  pack,
  packedFolderVariable,
  publishedPackages,
  readManifest,
} from './release/packed.ts'
import { currentVersion, hasRelease, releasedFiles, setVersion } from './release/version.ts'
import { buildWheel } from './release/wheel.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, out: { type: 'string' } },
  allowPositionals: true,
})
const version = positionals[0] ?? currentVersion(root)
const isDryRun = values['dry-run']

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) fail(`"${version}" is not a version such as 1.2.3.`)
if (!hasRelease(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version))
  fail(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with entries. Cut it from Unreleased.`)

if (!existsSync(join(root, 'web/dist/index.html')))
  fail('The web app is not built: run `npm run build` first.')

const folder = mkdtempSync(join(tmpdir(), 'plumbline-release-'))
const originals = releasedFiles(root).map((file) => [file, readFileSync(join(root, file))] as const)
try {
  setVersion(root, version)
  const archives: string[] = []
  // The server offers clients of this version for download.
  execFileSync(process.execPath, [join(root, 'scripts/packages.ts')], { cwd: root, stdio: 'inherit' })
  for (const name of publishedPackages) archives.push(await pack(name, folder))
  const wheel = buildWheel(root)
  writeFileSync(join(folder, wheel.fileName), wheel.bytes)
  installFromRegistry(archives)
  runPackageTests()
  if (values.out !== undefined) keepIn(values.out, [...archives, join(folder, wheel.fileName)])
  describe(archives)
} finally {
  if (isDryRun) for (const [file, content] of originals) writeFileSync(join(root, file), content)
}
if (isDryRun) rmSync(folder, { recursive: true, force: true })

/** Installs the archives as a user would into an empty folder, with dependencies from the registry, and runs them. */
function installFromRegistry(archives: readonly string[]): void {
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }\n')
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  run('npm', 'install', '--no-audit', '--no-fund', ...archives)
  run(
    process.execPath,
    '--input-type=module',
    '--eval',
    "import '@plumbline/sdk'; import '@plumbline/sdk/gate'",
  )
  run(join(app, 'node_modules/.bin/plumbline'), '--help')
  run(join(app, 'node_modules/.bin/plumbline'), 'serve', '--help')
  for (const name of publishedPackages) {
    const installed = readManifest(join(app, 'node_modules/@plumbline', name)).version
    if (installed !== version) fail(`The packed ${name} has the version ${installed}.`)
  }
}

/** Runs the tests of the published packages on the archives of this release. */
function runPackageTests(): void {
  const files = [
    ...clientPackages.map((name) => join(root, name, 'src/package.slow.test.ts')),
    join(root, 'scripts/release/package-rules.slow.test.ts'),
  ]
  execFileSync(process.execPath, ['--test', '--test-concurrency=1', ...files], {
    cwd: root,
    env: { ...hostEnvironment, [packedFolderVariable]: folder },
    stdio: 'inherit',
  })
}

function keepIn(target: string, files: readonly string[]): void {
  mkdirSync(target, { recursive: true })
  for (const file of files) copyFileSync(file, join(target, basename(file)))
}

function describe(archives: readonly string[]): void {
  const lines = archives.map((archive, index) => {
    const { name, engines } = readManifest(
      join(folder, 'app/node_modules/@plumbline', publishedPackages[index]!),
    )
    const kilobytes = Math.ceil(readFileSync(archive).length / 1000)
    const command = isDryRun ? '' : `\n    npm publish --access public ${archive}`
    return `  ${name} ${version}, ${kilobytes} kB, Node ${engines.node}${command}`
  })
  process.stdout.write(`Ready to publish, not published:\n${lines.join('\n')}\n`)
}
