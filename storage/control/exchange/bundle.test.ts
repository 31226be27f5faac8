import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { newId } from '../id.ts'
import { openControlStore, type WorkspaceControlStore } from '../store/open.ts'
import { engines, forEachControlStore } from '../testing.ts'
import { bundledTables, tablesLeftOut } from './bundled-tables.ts'

const now = new Date('2027-01-01T10:00:00.123Z')

/** Column names of each table in `schema.sql`. */
function tablesOfSchema(): Map<string, string[]> {
  const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
  return new Map(
    [...schema.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)^\);/gms)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^ {2}([a-z]\w*) /gm)].map(([, column = '']) => column),
    ]),
  )
}

test('every table is exported with all its columns, or left out for a reason', () => {
  const tables = tablesOfSchema()
  assert.deepEqual(
    [...tables.keys()].toSorted(),
    [...Object.keys(bundledTables), ...Object.keys(tablesLeftOut)].toSorted(),
  )
  for (const [name, { columns }] of Object.entries(bundledTables)) {
    assert.deepEqual(
      columns.toSorted(),
      tables
        .get(name)
        ?.filter((column) => column !== 'workspace_id')
        .toSorted(),
      name,
    )
  }
})

/** One row of everything, and two where order matters. */
async function fill(stores: WorkspaceControlStore): Promise<void> {
  await stores.features.create({ slug: 'chat', name: 'Chat' }, now)
  await stores.prompts.create({ slug: 'greeting', name: 'Greeting', featureSlug: 'chat' }, now)
  for (const text of ['Hi', 'Hello'])
    await stores.promptVersions.create({ slug: 'greeting', text, model: '{}', tags: ['production'] }, now)
  await stores.datasets.create(
    { slug: 'cases', name: 'Cases', columns: [{ name: 'question', type: 'text' }] },
    now,
  )
  const rows = Array.from({ length: 1200 }, (_, index) => ({
    values: JSON.stringify({ question: `${index}` }),
  }))
  await stores.datasetRows.addMany('cases', rows, now)
  const version = { note: 'First', createdBy: 'ada', now }
  await stores.datasetVersions.create('cases', version)
  const [first, second] = (await stores.datasetRows.list({ slug: 'cases', limit: 2 })).items
  await stores.datasetRows.update('cases', first!.id, { values: () => '{"question":"Why?"}', split: 'test' })
  await stores.datasetRows.removeMany('cases', [second!.id])
  await stores.datasetVersions.create('cases', { ...version, note: '' })
  await stores.datasetRows.update('cases', first!.id, { labels: ['hard'] })
  await stores.evaluators.create({ slug: 'polite', name: 'Polite', kind: 'contains', config: '{}' }, now)
  await stores.experiments.create({ name: 'Shorter', featureSlug: 'chat' }, now)
  await stores.files.create({ fileKey: 'key', fileName: 'a.txt', contentType: 'text/plain' }, now)
}

async function allRows(stores: WorkspaceControlStore) {
  const rows: Record<string, object[]> = {}
  for (const name of Object.keys(bundledTables))
    rows[name] = await Array.fromAsync(stores.bundle.rowsOf(name), (row) => ({ ...row }))
  return rows
}

async function copy(source: WorkspaceControlStore, target: WorkspaceControlStore): Promise<number> {
  let rowCount = 0
  for (const name of Object.keys(bundledTables)) {
    const rows = await Array.fromAsync(source.bundle.rowsOf(name))
    for (let start = 0; start < rows.length; start += 500)
      rowCount += (await target.bundle.restore(name, rows.slice(start, start + 500))).added
  }
  return rowCount
}

/** Ignores the order, since rows are sorted by their ids. */
const withoutIds = (tables: Record<string, object[]>): unknown =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows
        .map((row) =>
          JSON.stringify(row, (column, value) => (/^(?:\w+_)?id$/.test(column) ? undefined : value)),
        )
        .toSorted(),
    ]),
  )

forEachControlStore('moving a workspace', (open) => {
  test('into an empty store keeps every row with its ids', async () => {
    const { workspace: from } = await open()
    const place = await engines[0]!.emptyPlace()
    const store = await openControlStore(place.location)
    try {
      const { id: workspaceId } = await store.createWorkspace({ name: 'To' })
      const to = store.scopedTo({ workspaceId })
      await fill(from)
      await copy(from, to)
      assert.deepEqual(await allRows(to), await allRows(from))
    } finally {
      await store.close()
      await place.remove()
    }
  })

  test('into another workspace of the store keeps everything but ids, and adds nothing when repeated', async () => {
    const [{ workspace: from }, { workspace: to }] = [await open(), await open()]
    await fill(from)
    assert.ok((await copy(from, to)) > 1200)
    assert.deepEqual(withoutIds(await allRows(to)), withoutIds(await allRows(from)))
    assert.equal(await copy(from, to), 0)
    assert.equal((await to.prompts.load('greeting'))?.versions.length, 2)
    assert.equal((await Array.fromAsync(to.datasetRows.stream('cases'))).length, 1199)
  })

  test('restores versions of a dataset row by row', async () => {
    const [{ workspace: from }, { workspace: to }] = [await open(), await open()]
    await fill(from)
    await copy(from, to)
    const read = async (workspace: WorkspaceControlStore, version?: number) =>
      (await Array.fromAsync(workspace.datasetRows.stream('cases', { version }))).map(({ id, ...row }) => row)
    for (const version of [1, 2, undefined])
      assert.deepEqual(await read(to, version), await read(from, version), `version ${version}`)
    assert.deepEqual([(await read(to, 1)).length, (await read(to, 2)).length], [1200, 1199])
    const { restore } = to.datasetVersions
    await restore('cases', 1, { note: '', createdBy: 'ada', now })
    assert.deepEqual(await read(to), await read(from, 1))
  })

  test('leaves the versions of an existing dataset unchanged', async () => {
    const [{ workspace: from }, { workspace: to }] = [await open(), await open()]
    await fill(from)
    await copy(from, to)
    const read = async (version?: number) => Array.fromAsync(to.datasetRows.stream('cases', { version }))
    // The two diverge: one loses a row, the other gets a row and a version.
    const [, , third] = (await to.datasetRows.list({ slug: 'cases', limit: 3 })).items
    await to.datasetRows.removeMany('cases', [third!.id])
    await to.datasetVersions.create('cases', { note: 'Here', createdBy: 'bo', now })
    await from.datasetRows.add('cases', { values: '{"question":"there"}' }, now)
    for (const note of ['There', 'There too'])
      await from.datasetVersions.create('cases', { note, createdBy: 'ada', now })
    const before = [await read(1), await read(2), await read(3)]
    await copy(from, to)
    const [dataset] = await Array.fromAsync(to.bundle.rowsOf('datasets'))
    await to.bundle.recount({ promptIds: [], datasetIds: [String(dataset!.id)] })
    assert.deepEqual([await read(1), await read(2), await read(3)], before)
    const { items } = await to.datasetVersions.list({ slug: 'cases', limit: 9 })
    assert.deepEqual(
      items.map(({ note }) => note),
      ['Here', '', 'First'],
    )
    assert.equal((await read()).length, before[2]!.length + 2)
    const next = await to.datasetVersions.create('cases', { note: '', createdBy: 'bo', now })
    assert.deepEqual(await read(next.version), await read())
  })

  test('accepts rows of a bundle from before versions existed', async () => {
    const { workspace } = await open()
    const { restore, recount } = workspace.bundle
    const id = newId()
    const dataset = { id, slug: 'd', name: 'D', columns: '[]', row_count: 1, last_position: 1, created_at: 1 }
    const row = { dataset_id: id, position: 1, id: newId(), row_values: '{}', created_at: 1 }
    assert.equal((await restore('datasets', [dataset])).added, 1)
    assert.equal((await restore('dataset_rows', [row])).added, 1)
    await recount({ promptIds: [], datasetIds: [id] })
    const { version } = await workspace.datasetVersions.create('d', { note: '', createdBy: 'ada', now })
    assert.equal(version, 1)
    assert.equal((await Array.fromAsync(workspace.datasetRows.stream('d', { version }))).length, 1)
  })

  test('leaves an existing prompt unchanged, with its versions', async () => {
    const [{ workspace: from }, { workspace: to }] = [await open(), await open()]
    await fill(from)
    await to.prompts.create({ slug: 'greeting', name: 'Mine' }, now)
    await copy(from, to)
    const loaded = await to.prompts.load('greeting')
    assert.equal(loaded?.name, 'Mine')
    assert.deepEqual(loaded?.versions, [])
  })

  test('adds newer versions of a prompt: its tags and their history stay, and latest follows', async () => {
    const [{ workspace: from }, { workspace: to }] = [await open(), await open()]
    await from.prompts.create({ slug: 'p', name: 'P' }, now)
    const newVersion = { slug: 'p', text: '', model: '{}', tags: ['production'] }
    await from.promptVersions.create(newVersion, now)
    await copy(from, to)
    await from.promptVersions.create(newVersion, now)
    await from.promptTags.publish({ slug: 'p', newTag: 'staging', version: '1.0.1' }, now)
    await copy(from, to)
    const [prompt] = await Array.fromAsync(to.bundle.rowsOf('prompts'))
    await to.bundle.recount({ promptIds: [String(prompt!.id)], datasetIds: [] })
    assert.deepEqual(await to.promptTags.versions('p'), {
      latest: '1.0.1',
      production: '1.0.0',
      staging: '1.0.1',
    })
    const moves = await to.promptTags.history('p')
    assert.deepEqual(
      moves.map(({ label, to: version }) => `${label} ${version}`),
      ['staging 1.0.1', 'latest 1.0.1', 'production 1.0.0', 'latest 1.0.0'],
    )
    assert.equal(await copy(from, to), 0)
  })

  test('leaves out a row with a missing reference, and imports the others (M2)', async () => {
    const { workspace } = await open()
    const prompt = { id: newId(), slug: 'p', name: 'P', description: '', version_count: 0, created_at: 1 }
    const tag = { id: newId(), prompt_id: prompt.id, label: 'production' }
    const version = {
      prompt_id: prompt.id,
      text: '',
      system_text: '',
      model: '{}',
      message: '',
      created_at: 1,
    }
    const { restore, recount } = workspace.bundle
    assert.deepEqual(
      await restore('prompts', [prompt, { ...prompt, id: newId(), slug: 'q', feature_slug: 'f' }]),
      {
        added: 1,
        leftOut: [
          {
            rowIndex: 1,
            reason: 'feature_slug: refers to a row of features that does not exist here',
            missingParent: { table: 'features', name: 'f' },
          },
        ],
      },
    )
    await restore('prompt_versions', [{ ...version, id: newId(), ordinal: 7, version: '1.0.0' }])
    assert.deepEqual(
      await restore('prompt_tags', [
        { ...tag, version: '9.9.9' },
        { ...tag, id: newId(), label: 'staging', version: '1.0.0' },
      ]),
      { added: 1, leftOut: [{ rowIndex: 0, reason: 'conflicts with existing rows' }] },
    )
    // The version count of the row is recomputed, so the next version gets an unused number.
    await recount({ promptIds: [prompt.id], datasetIds: [] })
    const next = await workspace.promptVersions.create({ slug: 'p', text: '', model: '{}' }, now)
    assert.equal(next.version, '1.0.1')
  })

  test('counts the imported rows of a dataset, and uses no position twice (M2)', async () => {
    const { workspace } = await open()
    const { restore, recount } = workspace.bundle
    const id = newId()
    await restore('datasets', [
      { id, slug: 'd', name: 'D', columns: '[]', row_count: 50, last_position: 0, created_at: 1 },
    ])
    await restore('dataset_rows', [
      { dataset_id: id, position: 3, id: newId(), row_values: '{}', created_at: 1 },
    ])
    await recount({ promptIds: [], datasetIds: [id] })
    await workspace.datasetRows.add('d', { values: '{}' }, now)
    assert.equal((await workspace.datasets.find('d'))?.rowCount, 2)
    assert.equal((await Array.fromAsync(workspace.datasetRows.stream('d'))).length, 2)
  })
})
