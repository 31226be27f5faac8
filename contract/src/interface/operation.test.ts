import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editsWorkspace, isEventStream } from './operation.ts'
import { allOperations, operations } from './operations.ts'

test('operations that need the scope manage edit the workspace; recording and reading do not', () => {
  assert.equal(editsWorkspace(operations.prompts.update), true)
  assert.equal(editsWorkspace(operations.experiments.create), true)
  assert.equal(editsWorkspace(operations.prompts.get), false)
  assert.equal(editsWorkspace(operations.monitor.trace), false)
  for (const operation of allOperations.filter(({ method }) => method === 'GET'))
    assert.equal(editsWorkspace(operation), false, operation.name)
})

test('recording is for keys with the scope ingest', () => {
  const recording = allOperations.filter(({ isRecording }) => isRecording)
  assert.deepEqual(
    recording.map(({ name, scope }) => `${name} ${scope}`),
    ['monitor.trace ingest', 'monitor.log ingest'],
  )
})

test('the playground answers with an event stream', () => {
  const streamed = allOperations.filter(isEventStream)
  assert.deepEqual(
    streamed.map(({ name }) => name),
    ['playground.run'],
  )
})
