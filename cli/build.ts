/** `npm run build -w cli`: builds the published command line in `dist`, with the client bundled in. */
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const own = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
const { '@plumbline/sdk': _inside, ...dependencies } = own.dependencies

const [folder = join(import.meta.dirname, 'dist')] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })

await build({
  entryPoints: [join(import.meta.dirname, 'src/main.ts')],
  outdir: folder,
  bundle: true,
  // Lazy imports stay in their own chunks.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  external: Object.keys(dependencies),
})

const manifest = {
  name: '@plumbline/cli',
  version: own.version,
  description:
    'Works with a Plumbline service: its keys, prompts, datasets, experiments, traces and backups.',
  license: 'MIT',
  publishConfig: { access: 'public' },
  type: 'module',
  bin: { plumbline: './main.js' },
  files: ['*.js'],
  // Commander 15 requires it. The checkout's own engines say what `npm ci` runs on.
  engines: { node: '>=22.12' },
  dependencies,
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
cpSync(join(root, 'docs/cli.md'), join(folder, 'README.md'))
chmodSync(join(folder, 'main.js'), 0o755)
