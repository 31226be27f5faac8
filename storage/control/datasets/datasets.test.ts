import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists, NotFound } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const columns = [{ name: 'question', type: 'text' }]

forEachControlStore('datasets', (open) => {
  test('a dataset is created, found and listed with its row count', async () => {
    const { workspace } = await open()
    const created = await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    assert.deepEqual(created, { slug: 'd', name: 'D', columns, rowCount: 0, createdAt: now })
    await workspace.datasetRows.add('d', { values: '{"question":"Why?"}' }, now)
    await workspace.datasetRows.addMany('d', [{ values: '{}' }, { values: '{}' }], now)
    assert.deepEqual(await workspace.datasets.find('d'), { ...created, rowCount: 3 })
    assert.deepEqual(await workspace.datasets.list(), [{ ...created, rowCount: 3 }])
    assert.equal(await workspace.datasets.find('unknown'), undefined)
    await assert.rejects(workspace.datasets.create({ slug: 'd', name: 'E', columns }, now), AlreadyExists)
  })

  test('a change replaces the given fields and leaves the rest', async () => {
    const { workspace } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    assert.equal((await workspace.datasets.update('d', { name: 'New' })).name, 'New')
    const changed = await workspace.datasets.update('d', { columns: [] })
    assert.deepEqual(changed, { slug: 'd', name: 'New', columns: [], rowCount: 0, createdAt: now })
    await assert.rejects(workspace.datasets.update('unknown', {}), NotFound)
  })

  test('a row is returned as it was given, and omitted fields are absent', async () => {
    const { workspace } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    const full = { name: 'One', values: '{"a":"\\ud800"}', idealOutput: 'Because.', metadata: '{"k":[1]}' }
    const added = await workspace.datasetRows.add('d', full, now)
    await workspace.datasetRows.add('d', { values: '{}' }, now)
    const rows = await Array.fromAsync(workspace.datasetRows.stream('d'))
    assert.deepEqual(rows[0], added)
    const { id, ...second } = rows[1]!
    assert.notEqual(id, added.id)
    const absent = { name: undefined, idealOutput: undefined, metadata: undefined, split: undefined }
    assert.deepEqual(second, { values: '{}', labels: [], createdAt: now, ...absent })
  })

  test('a row is found by its id alone, with its dataset, in its workspace only', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    const added = await workspace.datasetRows.add('d', { values: '{"a":1}' }, now)
    assert.deepEqual(await workspace.datasetRows.findAnywhere(added.id), { ...added, slug: 'd' })
    assert.equal(await workspace.datasetRows.findAnywhere('unknown'), undefined)
    assert.equal(await other.datasetRows.findAnywhere(added.id), undefined)
  })

  test('20,000 rows are streamed in insertion order, without rows added meanwhile', async () => {
    const { workspace } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ values: `{"n":${index}}` }))
    const ids = await workspace.datasetRows.addMany('d', rows, now)
    assert.equal(new Set(ids).size, 20_000)
    let count = 0
    for await (const row of workspace.datasetRows.stream('d')) {
      assert.equal(row.values, `{"n":${count}}`)
      assert.equal(row.id, ids[count])
      if (count === 500) await workspace.datasetRows.add('d', { values: '{"n":"late"}' }, now)
      count += 1
    }
    assert.equal(count, 20_000)
  })

  test('rows added at once each get their own place', async () => {
    const { workspace } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        workspace.datasetRows.add('d', { values: `{"n":${index}}` }, now),
      ),
    )
    const rows = await Array.fromAsync(workspace.datasetRows.stream('d'))
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(added.map(({ id }) => id)))
    assert.equal((await workspace.datasets.find('d'))?.rowCount, 8)
  })

  test('rows of an unknown dataset are refused', async () => {
    const { workspace } = await open()
    await assert.rejects(workspace.datasetRows.add('unknown', { values: '{}' }, now), NotFound)
    await assert.rejects(workspace.datasetRows.stream('unknown').next(), NotFound)
  })

  test('another workspace neither sees, changes nor adds to a dataset', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.datasets.create({ slug: 'd', name: 'D', columns }, now)
    assert.equal(await other.datasets.find('d'), undefined)
    assert.deepEqual(await other.datasets.list(), [])
    await assert.rejects(other.datasets.update('d', { name: 'Theirs' }), NotFound)
    await assert.rejects(other.datasetRows.add('d', { values: '{}' }, now), NotFound)
    await assert.rejects(other.datasetRows.stream('d').next(), NotFound)
    await other.datasets.create({ slug: 'd', name: 'Theirs', columns: [] }, now)
    assert.equal((await workspace.datasets.find('d'))?.name, 'D')
  })
})
