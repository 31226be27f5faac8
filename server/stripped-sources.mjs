/**
 * Loads our modules from files whose types are stripped already, where `strip-sources.mjs` has made them. Node's own
 * stripping is a WebAssembly module that stays in memory for as long as the process runs, and takes a fifth of a start.
 * A source that has changed since has no such file: Node strips it, as without this.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

/** As safe as the packages beside it: whoever can write there can change those. */
export const strippedFolder = fileURLToPath(
  new URL(`node_modules/.cache/plumbline/stripped/${process.version}/`, root),
)

/** The file for a source, by what is in it. */
export const strippedFile = (source) => `${strippedFolder}${hash('sha256', source)}.js`

/** The source without its types, for which there are spaces; undefined if there is none, or one that a crash cut short. */
export function readStripped(source) {
  try {
    const stripped = readFileSync(strippedFile(source), 'utf8')
    return stripped.length === source.length ? stripped : undefined
  } catch {
    // Node strips it.
    return undefined
  }
}

/** Runs on import, so that worker threads do the same for an `--import` of the process. */
if (existsSync(strippedFolder))
  registerHooks({
    load(url, context, nextLoad) {
      const isOurs = url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/')
      const source = isOurs ? readStripped(readFileSync(fileURLToPath(url), 'utf8')) : undefined
      return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })
