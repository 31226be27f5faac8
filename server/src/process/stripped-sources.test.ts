/** Starts a tiny installation whose types were stripped at install time. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'

const root = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(root, { recursive: true, force: true }))
mkdirSync(join(root, 'server/src'), { recursive: true })
writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
for (const name of ['start.mjs', 'process-environment.mjs', 'stripped-sources.mjs', 'strip-sources.mjs'])
  copyFileSync(join(import.meta.dirname, '../..', name), join(root, 'server', name))

/** Prints its name and whether Node has loaded its type stripper; then a worker thread does the same. */
const program = (name: string): string => `
  import { isMainThread, Worker } from 'node:worker_threads'
  const isStrippedByNode: boolean = process.moduleLoadList.some((loaded: string) => loaded.includes('amaro'))
  console.log(isMainThread ? 'process' : 'thread', '${name}', isStrippedByNode)
  if (isMainThread) new Worker(new URL(import.meta.url))`
const writeProgram = (name: string): void => writeFileSync(join(root, 'server/src/main.ts'), program(name))

// Without the compile cache of the test run, whose code has no types either.
const { NODE_COMPILE_CACHE: _, ...env } = hostEnvironment
const run = (script: string): string[] =>
  execFileSync(process.execPath, [join(root, 'server', script)], { env, encoding: 'utf8' })
    .trim()
    .split('\n')

it('starts with stripped sources, and so does each of its threads, until a source changes', () => {
  writeProgram('first')
  assert.deepEqual(run('start.mjs'), ['process first true', 'thread first true'])
  assert.deepEqual(run('strip-sources.mjs'), [''])
  assert.deepEqual(run('start.mjs'), ['process first false', 'thread first false'])
  writeProgram('second')
  assert.deepEqual(run('start.mjs'), ['process second true', 'thread second true'])
  run('strip-sources.mjs')
  assert.deepEqual(run('start.mjs'), ['process second false', 'thread second false'])
})

it('starts if a crash has truncated stripped sources, which stripping again repairs', () => {
  const folder = join(root, 'node_modules/.cache/plumbline/stripped', process.version)
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 100)
  assert.deepEqual(run('start.mjs'), ['process second true', 'thread second true'])
  run('strip-sources.mjs')
  assert.deepEqual(run('start.mjs'), ['process second false', 'thread second false'])
})

it('removes stripped files of earlier sources and of other Node versions', () => {
  const folder = join(root, 'node_modules/.cache/plumbline/stripped')
  mkdirSync(join(folder, 'v24.0.0'), { recursive: true })
  run('strip-sources.mjs')
  assert.deepEqual(readdirSync(folder), [process.version])
  assert.equal(readdirSync(join(folder, process.version)).length, 1)
})
