import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { childrenCpuSeconds, grandchildrenCpuSeconds } from './cpu-time.ts'

/** Computes for a number of seconds, prints a line, and keeps running. */
const work = (seconds: number): string =>
  `while (process.cpuUsage().user < ${seconds * 1e6}) Math.random(); console.log('done'); setTimeout(() => {}, 100_000)`

it('counts the processes started by a child while the child runs', async (test) => {
  if (process.platform !== 'linux') return assert.equal(grandchildrenCpuSeconds(), 0)
  const before = grandchildrenCpuSeconds()
  const parent = spawn(process.execPath, [
    '--eval',
    `const child = require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(work(0.3))}], { stdio: 'inherit' })
     process.on('SIGTERM', () => { child.kill(); child.once('exit', () => process.exit()) })`,
  ])
  test.after(() => parent.kill())
  await once(parent.stdout, 'data')
  const seconds = grandchildrenCpuSeconds() - before
  assert.ok(seconds >= 0.3 && seconds < 20, `${seconds}`)
  const waitedBefore = childrenCpuSeconds()
  parent.kill()
  await once(parent, 'exit')
  assert.ok(grandchildrenCpuSeconds() < before + 0.3)
  assert.ok(childrenCpuSeconds() - waitedBefore >= 0.3)
})
