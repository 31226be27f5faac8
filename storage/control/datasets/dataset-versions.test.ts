import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFound } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const columns = [{ name: 'q', type: 'text' }]
const newVersion = { note: '', createdBy: 'ada', now }
const cell = (q: string) => ({ values: JSON.stringify({ q }) })

forEachControlStore('dataset versions', (open) => {
  async function openDataset() {
    const { workspace } = await open()
    const { datasets, datasetRows, datasetVersions } = workspace
    await datasets.create({ slug: 'd', name: 'D', columns }, now)
    const texts = async (version?: number): Promise<string[]> =>
      (await Array.fromAsync(datasetRows.stream('d', { version }))).map(({ values }) => JSON.parse(values).q)
    return { datasets, datasetRows, datasetVersions, texts }
  }

  test('every version keeps its rows through changes, deletions, additions and renames', async () => {
    const { datasets, datasetRows, datasetVersions, texts } = await openDataset()
    const [first, second] = await datasetRows.addMany('d', [cell('a'), cell('b'), cell('c')], now)
    await datasetVersions.create('d', newVersion)
    await datasetRows.update('d', first!, { values: () => '{"q":"a2"}' })
    await datasetRows.update('d', first!, { values: () => '{"q":"a3"}' })
    await datasetRows.removeMany('d', [second!])
    await datasetVersions.create('d', { ...newVersion, note: 'Two' })
    await datasetRows.add('d', cell('e'), now)
    await datasetRows.addMany('d', [{ id: first, ...cell('a4') }], now)
    await datasetVersions.create('d', newVersion)
    await datasets.update('d', { columns: [{ name: 'r', type: 'text' }], renames: new Map([['q', 'r']]) })
    assert.deepEqual(await texts(1), ['a', 'b', 'c'])
    assert.deepEqual(await texts(2), ['a3', 'c'])
    assert.deepEqual(await texts(3), ['a4', 'c', 'e'])
    assert.deepEqual(await texts(), [undefined, undefined, undefined])
    const page = await datasetRows.list({ slug: 'd', version: 1, limit: 2 })
    assert.equal(page.items.length, 2)
    const rest = await datasetRows.list({ slug: 'd', version: 1, limit: 2, after: page.next! })
    assert.deepEqual([rest.items[0]?.values, rest.next], ['{"q":"c"}', undefined])
    const { items } = await datasetVersions.list({ slug: 'd' })
    assert.deepEqual(
      items.map(({ version, rowCount, note }) => [version, rowCount, note]),
      [
        [3, 3, ''],
        [2, 2, 'Two'],
        [1, 3, ''],
      ],
    )
  })

  test('a version is created only if something changed', async () => {
    const { datasets, datasetRows, datasetVersions } = await openDataset()
    const ensure = async () => (await datasetVersions.ensure('d', newVersion)).version
    assert.equal(await datasetVersions.hasChanges('d'), true)
    assert.deepEqual([await ensure(), await ensure()], [1, 1])
    const [id] = await datasetRows.addMany('d', [cell('a')], now)
    assert.deepEqual([await ensure(), await ensure()], [2, 2])
    await datasetRows.update('d', id!, { split: 'test' })
    assert.deepEqual([await ensure(), await ensure()], [3, 3])
    await datasetRows.removeMany('d', [id!])
    assert.deepEqual([await ensure(), await ensure()], [4, 4])
    await datasets.update('d', { columns: [] })
    assert.deepEqual([await ensure(), await ensure()], [5, 5])
  })

  test('a restored version has its rows at their places, and the previous state becomes a version too', async () => {
    const { datasets, datasetRows, datasetVersions, texts } = await openDataset()
    const ids = await datasetRows.addMany('d', [cell('a'), cell('b'), cell('c')], now)
    await datasetVersions.create('d', newVersion)
    await datasetRows.update('d', ids[0]!, { values: () => '{"q":"a2"}', labels: ['hard'] })
    await datasetRows.removeMany('d', [ids[1]!])
    await datasetRows.addMany('d', [cell('new'), { id: ids[1], ...cell('b2') }], now)
    await datasets.update('d', { columns: [] })
    assert.deepEqual(await datasetVersions.restore('d', 1, newVersion), { saved: 2 })
    assert.deepEqual(await texts(), ['a', 'b', 'c'])
    const restored = await Array.fromAsync(datasetRows.stream('d'))
    assert.deepEqual(
      restored.map(({ id, labels }) => [id, labels.length]),
      ids.map((id) => [id, 0]),
    )
    assert.deepEqual(await texts(2), ['a2', 'c', 'new', 'b2'])
    const dataset = await datasets.find('d')
    assert.deepEqual([dataset?.columns, dataset?.rowCount], [columns, 3])
    const { items } = await datasetVersions.compare({ slug: 'd', from: 1 })
    assert.deepEqual(items, [])
    assert.deepEqual(await datasetVersions.restore('d', 2, newVersion), { saved: 3 })
    assert.deepEqual(await texts(), ['a2', 'c', 'new', 'b2'])
    await assert.rejects(datasetVersions.restore('d', 9, newVersion), NotFound)
  })

  test('a comparison returns added, removed and changed rows, page by page', async () => {
    const { datasetRows, datasetVersions } = await openDataset()
    const ids = await datasetRows.addMany('d', [cell('a'), cell('b'), cell('c')], now)
    await datasetVersions.create('d', newVersion)
    await datasetRows.removeMany('d', [ids[0]!])
    await datasetRows.update('d', ids[1]!, { split: 'train' })
    const [added] = await datasetRows.addMany('d', [cell('d')], now)
    const summary = ({ id, before, after }: Awaited<ReturnType<typeof first>>['items'][number]) => [
      id,
      before?.values,
      after?.values,
      after?.split,
    ]
    const first = () => datasetVersions.compare({ slug: 'd', from: 1, limit: 2 })
    const page = await first()
    const rest = await datasetVersions.compare({ slug: 'd', from: 1, limit: 2, after: page.next! })
    assert.deepEqual([...page.items, ...rest.items].map(summary), [
      [ids[0], '{"q":"a"}', undefined, undefined],
      [ids[1], '{"q":"b"}', '{"q":"b"}', 'train'],
      [added, undefined, '{"q":"d"}', undefined],
    ])
    await datasetVersions.create('d', newVersion)
    const back = await datasetVersions.compare({ slug: 'd', from: 2, to: 1 })
    assert.deepEqual(
      back.items.map(({ before, after }) => [before === undefined, after === undefined]),
      [
        [true, false],
        [false, false],
        [false, true],
      ],
    )
  })

  test('deleting a dataset deletes its versions', async () => {
    const { datasets, datasetRows, datasetVersions } = await openDataset()
    const [id] = await datasetRows.addMany('d', [cell('a')], now)
    await datasetVersions.create('d', newVersion)
    await datasetRows.removeMany('d', [id!])
    await datasets.remove('d')
    await datasets.create({ slug: 'd', name: 'D', columns }, now)
    assert.deepEqual((await datasetVersions.list({ slug: 'd' })).items, [])
  })

  test('current rows and those of a version are read by exact split and label', async () => {
    const { datasetRows, datasetVersions } = await openDataset()
    const add = (q: string, split: string | undefined, labels: string[]) => ({
      ...cell(q),
      ...(split && { split }),
      labels,
    })
    const ids = await datasetRows.addMany(
      'd',
      [add('a', 'train', ['hard', 'b%']), add('b', 'test', ['Hard']), add('c', undefined, ['har', 'hard'])],
      now,
    )
    await datasetVersions.create('d', newVersion)
    await datasetRows.update('d', ids[0]!, { split: null, labels: null })
    const texts = async (selection: { version?: number; split?: string; label?: string }) =>
      (await Array.fromAsync(datasetRows.stream('d', selection))).map(({ values }) => JSON.parse(values).q)
    assert.deepEqual(await texts({ label: 'hard' }), ['c'])
    assert.deepEqual(await texts({ label: 'hard', version: 1 }), ['a', 'c'])
    assert.deepEqual(await texts({ label: 'b%', version: 1 }), ['a'])
    assert.deepEqual(await texts({ label: 'b_' }), [])
    assert.deepEqual(await texts({ split: 'train' }), [])
    assert.deepEqual(await texts({ split: 'train', version: 1 }), ['a'])
    assert.deepEqual(await texts({ split: 'test', label: 'Hard' }), ['b'])
    assert.deepEqual(await datasetRows.facets('d'), {
      rowCount: 3,
      splits: [{ name: 'test', count: 1 }],
      labels: [
        { name: 'Hard', count: 1 },
        { name: 'har', count: 1 },
        { name: 'hard', count: 1 },
      ],
    })
  })
})
