/**
 * `npm run build -w server`: builds the published package in `dist`. It keeps the folders of the repository, file by file:
 * TypeScript without its types, other files that are read at run time, and the built web app.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { transform } from 'esbuild'

interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const manifests = {
  server: readManifest('server'),
  contract: readManifest('contract'),
  storage: readManifest('storage'),
} as const

const [folder = join(import.meta.dirname, 'dist'), webFolder = join(root, 'web/dist')] = process.argv.slice(2)
if (!existsSync(join(webFolder, 'index.html'))) {
  process.stderr.write('The web app is not built: run `npm run build` first.\n')
  process.exit(1)
}
rmSync(folder, { recursive: true, force: true })

const sources = ['server/src/**', 'server/prices/prices.json', 'storage/**', 'contract/src/**']
const isLeftOut = (path: string): boolean =>
  /\.test\.ts$|(?:^|\/)(?:testing|node_modules|dist)(?:[/-]|\.ts$|$)|\/bench\.ts$|package\.json$/.test(path)

for (const path of globSync(sources, { cwd: root })) {
  const target = join(folder, path)
  if (isLeftOut(path) || !/\.(?:ts|sql|json)$/.test(path)) continue
  mkdirSync(dirname(target), { recursive: true })
  if (!path.endsWith('.ts')) cpSync(join(root, path), target)
  else writeFileSync(target.replace(/\.ts$/, '.js'), await toJavaScript(path))
}
cpSync(webFolder, join(folder, 'web/dist'), { recursive: true, filter: (path) => !path.endsWith('.map') })
for (const name of ['start.mjs', 'process-environment.mjs'])
  cpSync(join(import.meta.dirname, name), join(folder, 'server', name))
chmodSync(join(folder, 'server/start.mjs'), 0o755)
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
cpSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))

const { version } = manifests.server
writeJson('server/package.json', { version, type: 'module' })
writeJson('package.json', {
  name: '@plumbline/server',
  version,
  description: 'Traces, prompts and evaluations of language-model applications, as one process of your own.',
  license: 'MIT',
  publishConfig: { access: 'public' },
  type: 'module',
  bin: { 'plumbline-server': './server/start.mjs' },
  // Programs to start; the package has nothing to import.
  exports: {
    './start': './server/start.mjs',
    './maintenance': './server/src/maintenance.js',
    './package.json': './package.json',
  },
  files: ['server', 'storage', 'contract', 'web'],
  engines: { node: '>=24' },
  dependencies: dependenciesOf(manifests.server, manifests.contract, manifests.storage),
})

/** The JavaScript of a source, with imports rewritten for the package. */
async function toJavaScript(path: string): Promise<string> {
  const source = readFileSync(join(root, path), 'utf8')
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node24', charset: 'utf8' })
  return code
    .replaceAll(
      /"@plumbline\/(contract|storage)(\/[\w/-]+)?"/g,
      (_whole, name: 'contract' | 'storage', entry = '') => {
        const source = join(name, manifests[name].exports[`.${entry}`]!)
        const address = relative(dirname(path), source)
        return `"${address.startsWith('.') ? address : `./${address}`}"`
      },
    )
    .replaceAll(/"(\.{1,2}\/[^"\n]+)\.ts"/g, '"$1.js"')
}

function dependenciesOf(...parts: readonly Manifest[]): Record<string, string> {
  const entries = parts.flatMap(({ dependencies }) => Object.entries(dependencies))
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('@plumbline/')).sort())
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`)
}
