/**
 * Loads our modules from files whose types `strip-sources.mjs` has already stripped, if they exist. Node's own stripping is
 * a WebAssembly module that stays in memory as long as the process runs, and takes a fifth of the startup time. A source
 * that has changed since has no such file, so Node strips it as usual.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

/** As safe as the packages next to it: anyone who can write here can change those too. */
export const strippedFolder = fileURLToPath(
  new URL(`node_modules/.cache/plumbline/stripped/${process.version}/`, root),
)

/** The stripped file for a source, named by a hash of its text. */
export const strippedFile = (source) => `${strippedFolder}${hash('sha256', source)}.js`

/** The source with its types replaced by spaces; undefined if there is no such file, or if a crash truncated it. */
export function readStripped(source) {
  try {
    const stripped = readFileSync(strippedFile(source), 'utf8')
    return stripped.length === source.length ? stripped : undefined
  } catch {
    // Node strips it.
    return undefined
  }
}

/** Runs on import, so that worker threads do the same when the process was started with `--import`. */
if (existsSync(strippedFolder))
  registerHooks({
    load(url, context, nextLoad) {
      const isOurs = url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/')
      const source = isOurs ? readStripped(readFileSync(fileURLToPath(url), 'utf8')) : undefined
      return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })
