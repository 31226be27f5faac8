#!/usr/bin/env node
/**
 * `node server/strip-sources.mjs`: strips the types of what the service runs for `stripped-sources.mjs`. `npm ci` and the
 * container do it; nothing depends on it but the memory and the time of a start.
 */
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readStripped, strippedFile, strippedFolder } from './stripped-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The last two hold the service of the benchmark. */
const patterns = '{contract,storage,server,fixtures,scripts}/**/*.ts'
const isLeftOut = (path) => path.includes('node_modules') || /\.(?:test|d)\.ts$/.test(path)

// Node says of each use of its function that it is experimental, and nothing of running TypeScript, which uses it.
process.removeAllListeners('warning')
mkdirSync(strippedFolder, { recursive: true })
const needed = new Set()
for (const path of globSync(patterns, { cwd: root, exclude: isLeftOut })) {
  if (isLeftOut(path)) continue
  const source = readFileSync(join(root, path), 'utf8')
  const file = strippedFile(source)
  needed.add(basename(file))
  if (readStripped(source) !== undefined) continue
  // Moved when it is whole: a service may start meanwhile.
  const unfinished = `${file}-${process.pid}`
  writeFileSync(unfinished, stripTypeScriptTypes(source))
  renameSync(unfinished, file)
}

// Of earlier sources, and of other versions of Node.
for (const name of readdirSync(strippedFolder))
  if (name.endsWith('.js') && !needed.has(name)) rmSync(join(strippedFolder, name), { force: true })
const versions = dirname(strippedFolder)
for (const version of readdirSync(versions))
  if (version !== process.version) rmSync(join(versions, version), { recursive: true })
