/** When a statement includes the condition that leaves out replaced rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentRows } from './current-rows.ts'
import { makeReplacements, type Replacements } from './replacements.ts'

const conditional = `SELECT count() FROM traces WHERE ${currentRows('traces')} AND trace_id IN (SELECT trace_id FROM logs WHERE ${currentRows('logs')})`
const plain = 'SELECT count() FROM traces WHERE true AND trace_id IN (SELECT trace_id FROM logs WHERE true)'

/** The statements that a read runs, with their parameters. */
async function statementsOf(
  replacements: Replacements,
  duringRead: () => Promise<unknown> = async () => {},
): Promise<unknown[]> {
  const statements: unknown[] = []
  await replacements.read(conditional, async (sql, parameters) => {
    statements.push([sql, parameters])
    await duringRead()
    return []
  })
  return statements
}

const allComplete = { endRevision: 5, isOneUnfinished: false }

test('has it until the replacements of an earlier process are known to be complete', async () => {
  const replacements = makeReplacements({ isOnlyWriter: true })
  assert.deepEqual(await statementsOf(replacements), [[conditional, { replacedBelow: 1 }]])
  replacements.note({ endRevision: 5, isOneUnfinished: true })
  assert.deepEqual(await statementsOf(replacements), [[conditional, { replacedBelow: 5 }]])
  replacements.note(allComplete)
  assert.deepEqual(await statementsOf(replacements), [[plain, {}]])
})

test('is run again with it if a replacement began meanwhile', async () => {
  const replacements = makeReplacements({ isOnlyWriter: true })
  replacements.note(allComplete)
  let isFirst = true
  const replaceOnce = async (): Promise<void> => {
    if (isFirst) await replacements.run(5, async () => {})
    isFirst = false
  }
  assert.deepEqual(await statementsOf(replacements, replaceOnce), [
    [plain, {}],
    [conditional, { replacedBelow: 5 }],
  ])
  assert.deepEqual(await statementsOf(replacements), [[plain, {}]])
})

test('has it after a replacement has failed, until it is run again', async () => {
  const replacements = makeReplacements({ isOnlyWriter: true })
  replacements.note(allComplete)
  const fail = () => Promise.reject(new Error('cut short'))
  await assert.rejects(replacements.run(5, fail))
  assert.deepEqual(await statementsOf(replacements), [[conditional, { replacedBelow: 5 }]])
  await replacements.run(5, async () => {})
  assert.deepEqual(await statementsOf(replacements), [[plain, {}]])
})

test('always has it on a server, to which other nodes write', async () => {
  const replacements = makeReplacements({ isOnlyWriter: false })
  replacements.note(allComplete)
  assert.deepEqual(await statementsOf(replacements), [[conditional, { replacedBelow: 5 }]])
})
