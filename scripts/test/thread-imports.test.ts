import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { reaches } from './select-files.ts'

const server = resolve(import.meta.dirname, '../../server/src')

/** All schemas of the contract take a quarter of a second of CPU to load, which is most of what a thread takes to start. */
for (const path of ['ingest/monitor/worker/worker.ts', 'evaluate/evaluators/rules/rule-thread.ts'])
  test(`the thread of ${path} loads no schemas`, () => {
    assert.equal(reaches(resolve(server, path), /^typebox$/), false)
  })

test('a module that imports all of the contract loads schemas', () => {
  assert.equal(reaches(resolve(server, 'config.ts'), /^typebox$/), true)
})
