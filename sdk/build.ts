/**
 * `npm run build -w sdk`: the package as it is published, in `dist`. JavaScript in one piece for each entry point, with
 * what they share apart; declarations file by file. The contract goes in: of it only types and two small modules are used.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, transform } from 'esbuild'

const root = join(import.meta.dirname, '..')
const own = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: unknown
}
const contract = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const [folder = join(import.meta.dirname, 'dist')] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })

await build({
  entryPoints: Object.values(own.exports).map((path) => join(import.meta.dirname, path)),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: Object.keys(own.peerDependencies),
})

// TypeScript writes declarations below the folder that sdk and contract have in common.
const declarations = join(folder, 'types')
execFileSync(join(root, 'node_modules/.bin/tsc'), [
  ...['-p', join(import.meta.dirname, 'tsconfig.build.json')],
  ...['--rootDir', root, '--outDir', declarations],
])
for (const file of globSync('**/*.d.ts', { cwd: declarations })) {
  const path = join(declarations, file)
  const toContract = relative(dirname(path), join(declarations, 'contract'))
  const text = readFileSync(path, 'utf8')
    .replaceAll(/(['"])@plumbline\/contract(\/[\w/-]+)?\1/g, (_whole, quote: string, entry = '') => {
      const source = contract.exports[`.${entry}`]!
      return `${quote}${toContract}/${source.slice(2)}${quote}`
    })
    .replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
  writeFileSync(path, text)
}

// The same for CommonJS, file by file, so that all entry points share one of each class: Jest cannot require ES modules.
const commonJs = join(folder, 'cjs')
cpSync(declarations, join(commonJs, 'types'), { recursive: true })
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n')
// The types of `typebox` are of an ES module, which types of CommonJS have to say.
const mode = `{ "resolution-mode": "import" }`
for (const file of globSync('**/*.d.ts', { cwd: commonJs })) {
  const path = join(commonJs, file)
  const text = readFileSync(path, 'utf8')
    .replaceAll(
      /import (?:type )?\{([^}]*)\} from (['"])typebox\2/g,
      (_whole, names: string) => `import type {${names.replaceAll('type ', '')}} from "typebox" with ${mode}`,
    )
    .replaceAll(/import\((['"])typebox\1\)/g, `import("typebox", { with: ${mode} })`)
  writeFileSync(path, text)
}
for (const file of globSync('*.js', { cwd: folder })) {
  const source = readFileSync(join(folder, file), 'utf8')
  const { code } = await transform(source, { format: 'cjs', platform: 'node', target: 'es2022' })
  writeFileSync(join(commonJs, file), code)
}

const nameOf = (path: string): string => path.replace(/^\.\/src\/(.+)\.ts$/, '$1')
const manifest = {
  name: '@plumbline/sdk',
  version: own.version,
  description: 'Records what language-model applications do, and serves them their prompts and datasets.',
  license: 'MIT',
  publishConfig: { access: 'public' },
  type: 'module',
  sideEffects: false,
  exports: Object.fromEntries(
    Object.entries(own.exports).map(([entry, path]) => [
      entry,
      {
        import: { types: `./types/sdk/src/${nameOf(path)}.d.ts`, default: `./${nameOf(path)}.js` },
        require: { types: `./cjs/types/sdk/src/${nameOf(path)}.d.ts`, default: `./cjs/${nameOf(path)}.js` },
      },
    ]),
  ),
  files: ['*.js', 'types', 'cjs'],
  // A floor that stays as it was published: process.getBuiltinModule, without which no log knows what it is nested in.
  engines: { node: '^20.16 || >=22.3' },
  // The types of the interface are made with it; nothing of it runs.
  dependencies: { typebox: contract.dependencies.typebox },
  peerDependencies: own.peerDependencies,
  peerDependenciesMeta: own.peerDependenciesMeta,
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
cpSync(join(root, 'docs/sdk.md'), join(folder, 'README.md'))
