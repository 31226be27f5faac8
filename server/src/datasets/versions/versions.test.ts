import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, compare, restore } = operations.datasetVersions
const { append, change, discard, facets, get, rows, update } = operations.datasets
const { newWorkspace } = await startTestApp()
const slug = 'cases'

async function makeSetup(): Promise<{ workspace: TestWorkspace; ids: string[] }> {
  const workspace = await newWorkspace()
  await makeDataset(workspace, { columns: [{ name: 'question', type: 'text' }] })
  const newRows = ['a', 'b'].map((question) => ({ values: { question } }))
  const { ids } = await workspace.ok(append, { slug, rows: newRows })
  return { workspace, ids }
}

const questions = async (workspace: TestWorkspace, version?: number) =>
  (await workspace.ok(get, { slug, ...(version && { version }) })).dataset.rows.map(
    ({ values }) => values.question,
  )

describe('datasetVersions', () => {
  it('201, 200: a version keeps its state, readable by its number, while the dataset changes', async () => {
    const { workspace, ids } = await makeSetup()
    const { version } = await workspace.ok(create, { slug, note: 'First' })
    assert.deepEqual(
      { ...version, createdAt: '' },
      {
        version: 1,
        note: 'First',
        columns: [{ name: 'question', type: 'text' }],
        rowCount: 2,
        createdBy: workspace.key.id,
        createdByName: 'Test',
        createdAt: '',
      },
    )
    assert.equal((await workspace.ok(list, { slug })).hasChanges, false)
    await workspace.ok(change, { slug, id: ids[0]!, values: { question: 'a2' } })
    await workspace.ok(update, { slug, columns: [{ name: 'answer', type: 'text' }] })
    assert.deepEqual(await questions(workspace, 1), ['a', 'b'])
    assert.deepEqual(await questions(workspace), [undefined, undefined])
    const page = await workspace.ok(rows, { slug, version: 1 })
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      ids,
    )
    const { versions, hasChanges } = await workspace.ok(list, { slug })
    assert.deepEqual([versions, hasChanges], [[version], true])
    const second = (await workspace.ok(create, { slug })).version
    const newest = await workspace.ok(list, { slug, limit: 1 })
    assert.deepEqual(newest.versions, [second])
    assert.deepEqual((await workspace.ok(list, { slug, version: 1 })).versions, [version])
    assert.deepEqual((await workspace.ok(list, { slug, version: 3 })).versions, [])
    assert.deepEqual((await workspace.ok(list, { slug, cursor: newest.nextCursor })).versions, [version])
  })

  it('200: a comparison returns rows of both sides, and columns', async () => {
    const { workspace, ids } = await makeSetup()
    await workspace.ok(create, { slug })
    await workspace.ok(discard, { slug, ids: [ids[0]!] })
    await workspace.ok(change, { slug, id: ids[1]!, values: { question: 'b2' } })
    await workspace.ok(update, {
      slug,
      columns: [
        { name: 'question', type: 'text' },
        { name: 'answer', type: 'text' },
      ],
    })
    const difference = await workspace.ok(compare, { slug, from: 1 })
    assert.deepEqual(difference.columns, { added: [{ name: 'answer', type: 'text' }], removed: [] })
    assert.deepEqual(
      difference.rows.map((row) => [row.change, row.before?.values, row.after?.values]),
      [
        ['removed', { question: 'a' }, undefined],
        ['changed', { question: 'b' }, { question: 'b2' }],
      ],
    )
    const first = await workspace.ok(compare, { slug, from: 1, limit: 1 })
    const rest = await workspace.ok(compare, { slug, from: 1, limit: 1, cursor: first.nextCursor })
    assert.deepEqual([rest.rows, rest.nextCursor], [[difference.rows[1]], undefined])
  })

  it('200: restoring a version can be undone', async () => {
    const { workspace, ids } = await makeSetup()
    await workspace.ok(create, { slug })
    await workspace.ok(discard, { slug, ids })
    const { dataset, savedVersion } = await workspace.ok(restore, { slug, version: 1 })
    assert.deepEqual([dataset.rowCount, savedVersion], [2, 2])
    assert.deepEqual(await questions(workspace), ['a', 'b'])
    assert.equal((await workspace.ok(restore, { slug, version: 2 })).dataset.rowCount, 0)
    assert.deepEqual(await questions(workspace), [])
  })

  it('400: names the invalid field', async () => {
    const { workspace } = await makeSetup()
    await workspace.ok(create, { slug })
    assert.match(await workspace.refused(create, { slug, note: 1 }, 400), /^note: /)
    assert.match(await workspace.refused(list, { slug, cursor: 'x' }, 400), /^cursor: /)
    assert.match(await workspace.refused(compare, { slug }, 400), /^from: /)
    assert.match(await workspace.refused(compare, { slug, from: 1, cursor: 'x' }, 400), /^cursor: /)
    assert.match(await workspace.refused(restore, { slug, version: 0 }, 400), /^version: /)
    assert.match(await workspace.refused(get, { slug, version: 'x' }, 400), /^version: /)
  })

  it('404: the dataset or version does not exist', async () => {
    const { workspace } = await makeSetup()
    for (const [operation, input] of [
      [get, { version: 7 }],
      [rows, { version: 7 }],
      [operations.datasets.export, { version: 7, format: 'csv' }],
      [compare, { from: 7 }],
      [restore, { version: 7 }],
    ] as const) {
      assert.match(await workspace.refused(operation, { slug, ...input }, 404), /"cases" has no version 7/)
      await workspace.refused(operation, { slug: 'nobody', ...input }, 404)
    }
    for (const operation of [list, create, facets])
      await workspace.refused(operation, { slug: 'nobody' }, 404)
  })
})

describe('splits and labels', () => {
  it('200: rows have them, keep them, and can be read by them', async () => {
    const { workspace, ids } = await makeSetup()
    const { ids: more } = await workspace.ok(append, {
      slug,
      rows: [{ values: { question: 'c' }, split: 'test', labels: ['long', 'hard', 'long'] }],
    })
    await workspace.ok(change, { slug, id: ids[0]!, split: 'train', labels: ['hard'] })
    const select = async (selection: object) =>
      (await workspace.ok(rows, { slug, ...selection })).rows.map(({ id }) => id)
    assert.deepEqual(await select({ split: 'test' }), more)
    assert.deepEqual(await select({ label: 'hard' }), [ids[0], more[0]])
    const { dataset } = await workspace.ok(get, { slug, label: 'long' })
    assert.deepEqual(dataset.rows, [{ values: { question: 'c' }, split: 'test', labels: ['hard', 'long'] }])
    assert.deepEqual(await workspace.ok(facets, { slug }), {
      rowCount: 3,
      splits: [
        { name: 'test', count: 1 },
        { name: 'train', count: 1 },
      ],
      labels: [
        { name: 'hard', count: 2 },
        { name: 'long', count: 1 },
      ],
    })
    const { labels } = await workspace.ok(facets, { slug, split: 'train' })
    assert.deepEqual(labels, [{ name: 'hard', count: 1 }])
    const { version } = (await workspace.ok(create, { slug })).version
    await workspace.ok(change, { slug, id: more[0]!, split: null })
    const { splits } = await workspace.ok(facets, { slug, version, label: 'long' })
    assert.deepEqual(splits, [{ name: 'test', count: 1 }])
    assert.deepEqual((await workspace.ok(facets, { slug })).splits, [{ name: 'train', count: 1 }])
    assert.match(await workspace.refused(facets, { slug, version: 9 }, 404), /no version 9/)
    assert.match(await workspace.refused(facets, { slug, version: 0 }, 400), /^version: /)
    const expected = { split: 'train', labels: ['hard'] }
    const cleared = await workspace.ok(change, { slug, id: ids[0]!, split: null, labels: null, expected })
    assert.deepEqual([cleared.row.split, cleared.row.labels], [undefined, undefined])
    await workspace.refused(change, { slug, id: ids[0]!, split: 'test', expected }, 409)
  })

  it('400: a label must not contain the separator of labels', async () => {
    const { workspace, ids } = await makeSetup()
    for (const label of ['a,b', 'a"b', 'a\\b', ' a', 'a\n', ''])
      assert.match(
        await workspace.refused(change, { slug, id: ids[0]!, labels: [label] }, 400),
        /^labels\[0\]: /,
      )
    for (const label of ['a', 'très long', '长', 'a-b/c.d'])
      await workspace.ok(change, { slug, id: ids[0]!, labels: [label], split: label })
  })
})
