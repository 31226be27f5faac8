import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testUnit } from './run-units.ts'

test('an uncaught error fails the run, even after its test has ended', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tests.ts')
  writeFileSync(
    file,
    `import { test } from 'node:test'
     const wait = () => new Promise((resolve) => setTimeout(resolve, 100))
     test('explodes', async () => {
       setTimeout(() => { throw new Error('boom') }, 1)
       await wait()
     })
     test('explodes later', async () => {
       for (let i = 0; i < 1000; i++) await undefined
       setTimeout(() => { throw new Error('boom later') }, 1)
       await wait()
     })
     test('ends', () => { setTimeout(() => { Promise.reject(new Error('late')) }, 1) })
     test('waits', wait)`,
  )
  const { report, output } = await testUnit('tests', [[file]], {}).run({})
  const { passed, failed } = report!.files[file]!
  assert.deepEqual({ passed, failed }, { passed: 2, failed: 3 }, output)
  assert.match(output, /FAILED .*explodes\nError: boom/)
  assert.match(output, /FAILED .*explodes later\nError: boom later/)
  assert.match(output, /late/)
})
