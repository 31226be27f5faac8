import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { allTestFiles } from './select-files.ts'

it('a file that mocks the clock of its process or replaces a global shares it with no service and no service test', () => {
  const sharing = allTestFiles().filter(({ path, processMates }) => {
    const text = readFileSync(path, 'utf8')
    const movesClock = /timers\.enable\(\{ apis: \[[^\]]*'Date'/.test(text)
    const replacesGlobal = /^globalThis\.\w+ =/m.test(text)
    return processMates !== 'nothing' && (replacesGlobal || (movesClock && processMates !== 'process'))
  })
  assert.deepEqual(
    sharing.map(({ path }) => path),
    [],
  )
})
