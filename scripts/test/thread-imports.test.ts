import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { reaches } from './select-files.ts'

const server = resolve(import.meta.dirname, '../../server/src')

/** Loading all schemas of the contract takes a quarter of a second of CPU, most of the startup time of a thread. */
for (const path of ['ingest/monitor/worker/worker.ts', 'evaluate/evaluators/rules/rule-thread.ts'])
  test(`the thread of ${path} loads no schemas`, () => {
    assert.equal(reaches(resolve(server, path), /^typebox$/), false)
  })

test('a module that imports all of the contract loads schemas', () => {
  assert.equal(reaches(resolve(server, 'config.ts'), /^typebox$/), true)
})
