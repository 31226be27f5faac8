import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { interruptUnits, runUnits, testUnit } from './run-units.ts'

// A process of its own: an interruption is for all units of a process.

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('an interruption ends running tests and everything they started, and starts no others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'endless.ts')
  const pidFile = join(folder, 'pid')
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process'
     import { renameSync, writeFileSync } from 'node:fs'
     import { test } from 'node:test'
     test('endless', async () => {
       const { pid } = spawn('sleep', ['1000'])
       writeFileSync(${JSON.stringify(`${pidFile}.part`)}, String(pid))
       renameSync(${JSON.stringify(`${pidFile}.part`)}, ${JSON.stringify(pidFile)})
       await new Promise((resolve) => setTimeout(resolve, 1_000_000))
     })`,
  )
  const results: string[] = []
  const run = runUnits(
    [[testUnit('endless', [[file]], {}), testUnit('next', [[file]], {})]],
    1,
    ({ name }) => {
      results.push(name)
    },
  )
  while (!existsSync(pidFile)) await pause(20)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  assert.equal(isAlive(pid), true)
  interruptUnits()
  await run
  assert.deepEqual(results, ['endless'])
  while (isAlive(pid)) await pause(20)
})
