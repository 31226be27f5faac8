import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeWriteGate } from './write-gate.ts'

test('yielding waits for running inserts, whether they succeed or fail, and not for later ones or other writes', async () => {
  const gate = makeWriteGate()
  const [insert, failing, later, write] = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const works = [gate.insert(() => insert!.promise), gate.insert(() => failing!.promise)]
  void gate.write(() => write!.promise)
  let hasYielded = false
  const yielding = gate.yieldToInserts().then(() => {
    hasYielded = true
  })
  works.push(gate.insert(() => later!.promise))
  insert!.resolve()
  await works[0]
  assert.equal(hasYielded, false)
  failing!.reject(new Error('away'))
  await yielding
  await assert.rejects(works[1]!, /away/)
  later!.resolve()
  write!.resolve()
  await works[2]
  // No insert is running.
  await gate.yieldToInserts()
})

test('a snapshot waits for an insert, and a later insert for the snapshot', async () => {
  const gate = makeWriteGate()
  const steps: string[] = []
  const insert = Promise.withResolvers<void>()
  const first = gate.insert(async () => {
    await insert.promise
    steps.push('insert')
  })
  const snapshot = gate.pauseWhile(async () => steps.push('snapshot'))
  const second = gate.insert(async () => steps.push('later insert'))
  insert.resolve()
  await Promise.all([first, snapshot, second])
  assert.deepEqual(steps, ['insert', 'snapshot', 'later insert'])
})
