/**
 * `node scripts/sample-data.ts [FILE]`: the sample data that a button in the web app adds, as a module in
 * `web/dist/sample-data.js` that is loaded when the button is pressed. Part of `npm run build`.
 */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const [file = join(root, 'web/dist/sample-data.js')] = process.argv.slice(2)

await build({
  entryPoints: [join(root, 'cli/src/demo/in-browser.ts')],
  outfile: file,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  logLevel: 'error',
})
