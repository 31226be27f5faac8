#!/usr/bin/env node
/**
 * `node server/strip-sources.mjs`: strips the types of the sources that the service runs, for `stripped-sources.mjs`. `npm
 * ci` and the container run it; only memory use and startup time depend on it.
 */
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readStripped, strippedFile, strippedFolder } from './stripped-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The last two hold the benchmark's service. */
const patterns = '{contract,storage,server,fixtures,scripts}/**/*.ts'
const isLeftOut = (path) => path.includes('node_modules') || /\.(?:test|d)\.ts$/.test(path)

// Node warns that its strip function is experimental on each use, but not when it runs TypeScript, which uses the same function.
process.removeAllListeners('warning')
mkdirSync(strippedFolder, { recursive: true })
const needed = new Set()
for (const path of globSync(patterns, { cwd: root, exclude: isLeftOut })) {
  if (isLeftOut(path)) continue
  const source = readFileSync(join(root, path), 'utf8')
  const file = strippedFile(source)
  needed.add(basename(file))
  if (readStripped(source) !== undefined) continue
  // Renamed only when complete, since a service may start in the meantime.
  const unfinished = `${file}-${process.pid}`
  writeFileSync(unfinished, stripTypeScriptTypes(source))
  renameSync(unfinished, file)
}

// Remove the files of earlier sources and of other Node versions.
for (const name of readdirSync(strippedFolder))
  if (name.endsWith('.js') && !needed.has(name)) rmSync(join(strippedFolder, name), { force: true })
const versions = dirname(strippedFolder)
for (const version of readdirSync(versions))
  if (version !== process.version) rmSync(join(versions, version), { recursive: true })
