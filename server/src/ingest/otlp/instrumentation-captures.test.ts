/**
 * Recorded exports of real instrumentations (`fixtures/captures`), each compared with what its user would expect to see.
 * Prints a table: for each capture, how many fields are right, wrong, and not in the capture.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { captures } from '../../../../fixtures/captures/captures.ts'
import { compareCapture, type ExpectedTrace } from '../../../testing/captures/compare-capture.ts'
import { storedCapture } from '../../../testing/captures/stored-capture.ts'

interface Expectation {
  readonly traces: readonly ExpectedTrace[]
  /** Fields that are still wrong, as the comparison names them. */
  readonly wrong?: readonly string[]
}

const table: string[] = []

describe('the capture of a real instrumentation is stored as its user would expect to see it', () => {
  for (const { name } of captures) {
    it(name, () => {
      const file = new URL(`../../../../fixtures/captures/${name}/expected.json`, import.meta.url)
      assert.ok(existsSync(file), 'has an expectation')
      const expectation = JSON.parse(readFileSync(file, 'utf8')) as Expectation
      const { right, absent, wrong } = compareCapture(expectation.traces, storedCapture(name))
      table.push(row(name, right, wrong.length, absent))
      assert.deepEqual(wrong, expectation.wrong ?? [])
    })
  }
  after(() => console.log([row('capture', 'right', 'wrong', 'not in it'), ...table].join('\n')))
})

const row = (name: string, ...cells: readonly (string | number)[]): string =>
  name.padEnd(34) + cells.map((cell) => String(cell).padStart(10)).join('')
