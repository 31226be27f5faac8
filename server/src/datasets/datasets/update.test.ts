import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { update, create, append, get } = operations.datasets
const { newWorkspace } = await startTestApp()

describe('datasets.update', () => {
  describe('200', () => {
    it('changes the given fields and keeps the rest', async () => {
      const workspace = await newWorkspace()
      const { columns } = await makeDataset(workspace)
      const renamed = await workspace.ok(update, { slug: 'cases', name: 'Renamed', columns: null })
      assert.deepEqual([renamed.dataset.name, renamed.dataset.columns], ['Renamed', columns])
      const others = [{ name: 'answer', type: 'json' }]
      const replaced = await workspace.ok(update, { slug: 'cases', columns: others })
      assert.deepEqual([replaced.dataset.name, replaced.dataset.columns], ['Renamed', others])
      assert.deepEqual((await workspace.ok(update, { slug: 'cases', columns: [] })).dataset.columns, [])
      assert.equal((await workspace.ok(update, { slug: 'cases' })).dataset.name, 'Renamed')
    })

    it('renames columns in place, and the values of rows with them', async () => {
      const workspace = await newWorkspace()
      const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'text' as const }))
      await workspace.ok(create, { slug: 'moved', name: 'Moved', columns })
      const rows = [{ values: { a: '1', b: '2', c: '3' } }, { values: { c: '4', hidden: '5' } }]
      await workspace.ok(append, { slug: 'moved', rows })
      const renames = { a: 'b', b: 'a' }
      const { dataset } = await workspace.ok(update, { slug: 'moved', name: 'New', renames })
      assert.deepEqual([dataset.name, dataset.columns.map(({ name }) => name)], ['New', ['b', 'a', 'c']])
      const { dataset: read } = await workspace.ok(get, { slug: 'moved' })
      assert.deepEqual(
        read.rows.map(({ values }) => values),
        [{ b: '1', a: '2', c: '3' }, { c: '4' }],
      )
      const error = (fields: object) => workspace.refused(update, { slug: 'moved', ...fields }, 400)
      assert.match(await error({ renames: { nobody: 'x' } }), /^renames: has "nobody"/)
      assert.match(await error({ renames: { a: 'c' } }), /^renames: must be unique/)
      assert.match(await error({ renames: { a: 'x' }, columns: [] }), /^renames: must not be combined/)
    })

    it('renames a column to the name of a removed one, whose values do not reappear under it', async () => {
      const workspace = await newWorkspace()
      const columns = ['a', 'b'].map((name) => ({ name, type: 'text' as const }))
      await workspace.ok(create, { slug: 'reused', name: 'Reused', columns })
      await workspace.ok(append, {
        slug: 'reused',
        rows: [{ values: { a: '1', b: '2' } }, { values: { b: '3' } }],
      })
      await workspace.ok(update, { slug: 'reused', columns: columns.slice(0, 1) })
      await workspace.ok(update, { slug: 'reused', renames: { a: 'b' } })
      const { dataset } = await workspace.ok(get, { slug: 'reused' })
      assert.deepEqual(
        dataset.rows.map(({ values }) => values),
        [{ b: '1' }, {}],
      )
    })

    it('renames one column while another request renames another', async () => {
      const workspace = await newWorkspace()
      const names = ['a', 'b', 'c', 'd']
      const columns = names.map((name) => ({ name, type: 'text' as const }))
      await workspace.ok(create, { slug: 'crowded', name: 'Crowded', columns })
      await Promise.all(
        names.map((name) => workspace.ok(update, { slug: 'crowded', renames: { [name]: `${name}2` } })),
      )
      const { dataset } = await workspace.ok(get, { slug: 'crowded' })
      assert.deepEqual(
        dataset.columns.map(({ name }) => name),
        ['a2', 'b2', 'c2', 'd2'],
      )
    })
  })

  describe('400', () => {
    it('names the invalid field, and a column whose name another one has', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const column = { name: 'a', type: 'text' }
      const errorOf = (fields: object) => workspace.refused(update, { slug: 'cases', ...fields }, 400)
      assert.match(await errorOf({ name: '' }), /^name: /)
      assert.match(await errorOf({ columns: [{ ...column, type: 'number' }] }), /^columns\[0\]\.type: /)
      assert.match(await errorOf({ columns: [column, column] }), /^columns\[1\]\.name: must be unique/)
    })
  })

  describe('404', () => {
    it('the dataset does not exist', async () => {
      await (await newWorkspace()).refused(update, { slug: 'nobody', name: 'x' }, 404)
    })
  })
})
