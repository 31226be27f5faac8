/**
 * Erases one of fifty users in a workspace of ten thousand traces, and then searches for the user's id, name and words: in
 * every column of every table of both stores, in every file, and in every export.
 */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { type Operation, operations } from '@plumbline/contract'
import { rowsOfControl } from '@plumbline/storage/control/testing'
import { rowsOnDisk } from '@plumbline/storage/traces/testing'
import { eventually } from '../../../../fixtures/eventually.ts'
import { filesWith, fillWithSubject, subject, uniqueWords } from '../../../testing/erased-subject.ts'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const traceCount = 10_000
const userCount = 50
const parallel = 20

let offsetMs = 0
const testApp = await startTestApp({ now: () => new Date(Date.now() + offsetMs) })
const { app, newWorkspace, dataFolder, traceFolder, controlLocation } = testApp
const searched = [subject.id, subject.name, ...uniqueWords]
// Also as JSON, as part of a URL, and with every other character escaped.
const searchedBytes = searched.flatMap((text) => {
  const ascii = text.replaceAll('ë', '\\u00eb')
  return [...new Set([text, ascii, encodeURIComponent(text)])]
})

const userOf = (index: number) =>
  index % userCount === 0 ? subject : { id: `user-${index % userCount}`, name: `User ${index % userCount}` }

async function recordTraces(workspace: TestWorkspace): Promise<void> {
  const record = async (index: number): Promise<void> => {
    const user = userOf(index)
    const word = user === subject ? uniqueWords[index % 3] : 'Alltagswort'
    await workspace.ok(operations.monitor.trace, {
      user,
      featureSlug: 'chat',
      input: `${word} ${index}`,
      metadata: { by: user.name },
      logs: [
        {
          id: 'a',
          type: 'generation',
          input: { text: word },
          output: `${index} ${word}`,
          metadata: { user },
        },
        { id: 'b', parentId: 'a', type: 'tool', name: `look up ${word}`, output: [word] },
      ],
    })
  }
  for (let start = 0; start < traceCount; start += parallel)
    await Promise.all(Array.from({ length: parallel }, (_, index) => record(start + index)))
}

/** The lines of every export, by the kind of export. */
async function exportsOf(workspace: TestWorkspace): Promise<Map<string, string[]>> {
  const operator = await workspace.newKey(['operate', 'read', 'manage'])
  const lines = async (operation: Operation, input: object = {}) => {
    const answer = await workspace.call(operation, input, { key: operator.secret })
    assert.equal(answer.status, 200, answer.text)
    return answer.text.split('\n').filter((line) => line !== '')
  }
  return new Map([
    ['traces.export', await lines(operations.traces.export, { format: 'jsonl' })],
    ['datasets.export', await lines(operations.datasets.export, { slug: 'cases', format: 'jsonl' })],
    ['exchange.export', await lines(operations.exchange.export)],
    ['audit.export', await lines(operations.audit.export)],
  ])
}

const namesSubject = (text: string): boolean => searchedBytes.some((each) => text.includes(each))

/** The line of another user's trace, without the score that the subject gave. */
function withoutScores(line: string): string {
  if (!line.includes('"scores":')) return line
  const { scores, ...rest } = JSON.parse(line) as { scores?: { userId?: string | null }[] }
  return JSON.stringify({ ...rest, scores: scores?.filter(({ userId }) => userId !== subject.id) })
}

it(`${traceCount} traces of ${userCount} users: one is erased, and no byte of the user remains`, async (t) => {
  const workspace = await newWorkspace()
  const { others } = await fillWithSubject(testApp, workspace)
  await recordTraces(workspace)
  await app.flush()
  const before = await exportsOf(workspace)
  const rowsBefore = await rowsOnDisk(traceFolder, searchedBytes)
  for (const table of ['traces', 'logs', 'scores', 'spans'])
    assert.ok((rowsBefore[table] ?? 0) > 0, `the search finds nothing in ${table} beforehand`)
  t.diagnostic(`beforehand in the trace store: ${JSON.stringify(rowsBefore)}`)
  t.diagnostic(
    `beforehand in the control store: ${JSON.stringify(await rowsOfControl(controlLocation, namesSubject))}`,
  )
  t.diagnostic(`beforehand in ${filesWith([dataFolder, traceFolder], searchedBytes).length} files`)

  const startedAt = Date.now()
  const { erasure } = await workspace.ok(operations.erasures.create, { userId: subject.id })
  const report = async () => (await workspace.ok(operations.erasures.get, { id: erasure.id })).erasure
  await eventually(async () => {
    await app.jobsDrained()
    assert.notEqual((await report()).deletedAt, null)
  })
  t.diagnostic(`no request finds a row after ${Date.now() - startedAt} ms`)
  // The grace period for records that other requests may have accepted is over.
  offsetMs += 120_000
  const check = async () => {
    const current = await report()
    assert.equal(current.status, 'done', JSON.stringify(current))
    return current
  }
  // The engine rewrites parts when its other work permits.
  const done = await eventually(check, { timeoutMs: 600_000 })
  t.diagnostic(`finished after ${Date.now() - startedAt} ms: ${JSON.stringify(done.deleted)}`)
  t.diagnostic(`found afterwards: ${JSON.stringify(done.found)}`)
  assert.ok((done.deleted.traces ?? 0) >= traceCount / userCount)
  assert.ok(Object.values(done.found ?? {}).every((rows) => rows === 0))

  assert.deepEqual(await rowsOnDisk(traceFolder, searchedBytes), {})
  assert.deepEqual(await rowsOfControl(controlLocation, namesSubject), {})
  assert.deepEqual(filesWith([dataFolder, traceFolder], searchedBytes), [])
  assert.ok(existsSync(join(dataFolder, 'spool')))
  t.diagnostic(
    `searched ${[dataFolder, traceFolder].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' })).length} files and folders`,
  )
  for (const q of uniqueWords)
    assert.deepEqual((await workspace.ok(operations.traces.list, { q })).traces, [], q)

  const after = await exportsOf(workspace)
  for (const [name, lines] of after)
    assert.deepEqual(lines.filter(namesSubject), [], `${name} names the subject`)
  for (const name of ['traces.export', 'datasets.export']) {
    const expected = before
      .get(name)!
      .map(withoutScores)
      .filter((line) => !namesSubject(line))
    assert.deepEqual(after.get(name)!.map(withoutScores), expected, name)
    t.diagnostic(`${name}: ${expected.length} lines of others are as they were`)
  }
  const traceLines = (lines: readonly string[]) => lines.filter((line) => line.startsWith('{"type":"trace"'))
  assert.deepEqual(
    traceLines(after.get('exchange.export')!),
    traceLines(before.get('exchange.export')!)
      .map(withoutScores)
      .filter((line) => !namesSubject(line)),
  )
  for (const id of others) await workspace.ok(operations.traces.get, { id })
})
