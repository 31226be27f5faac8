import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const rule = { kind: 'contains', config: '{"value":"yes"}' }

forEachControlStore('evaluators', (open) => {
  test('an evaluator judges a tenth of the traces by default', async () => {
    const { workspace } = await open()
    const usual = await workspace.evaluators.create({ slug: 'a', name: 'A', ...rule }, now)
    const all = await workspace.evaluators.create(
      { slug: 'b', name: 'B', ...rule, sampleRate: 1 },
      new Date(0),
    )
    assert.deepEqual(usual, {
      id: usual.id,
      slug: 'a',
      name: 'A',
      ...rule,
      sampleRate: 0.1,
      liveRule: undefined,
      version: 1,
      createdAt: now,
    })
    assert.equal(all.sampleRate, 1)
    assert.deepEqual(await workspace.evaluators.list(), [all, usual])
  })

  test('existing evaluators are found among the requested slugs', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const evaluator = await workspace.evaluators.create({ slug: 'a', name: 'A', ...rule }, now)
    await workspace.evaluators.create({ slug: 'b', name: 'B', ...rule }, now)
    assert.deepEqual(await workspace.evaluators.findMany(['a', 'unknown']), [evaluator])
    assert.deepEqual(await workspace.evaluators.findMany([]), [])
    assert.deepEqual(await other.evaluators.findMany(['a']), [])
    assert.deepEqual(await other.evaluators.list(), [])
  })

  test('a slug in use is refused', async () => {
    const { workspace } = await open()
    await workspace.evaluators.create({ slug: 'a', name: 'A', ...rule }, now)
    await assert.rejects(workspace.evaluators.create({ slug: 'a', name: 'B', ...rule }, now), AlreadyExists)
  })
})
