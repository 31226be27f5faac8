import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../testing.ts'

const { update } = operations.datasets
const { newWorkspace } = await startTestApp()

describe('datasets.update', () => {
  describe('200', () => {
    it('changes what is given and leaves the rest', async () => {
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
  })

  describe('400', () => {
    it('names the field that is wrong, and a column whose name another one has', async () => {
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
    it('is a dataset that does not exist', async () => {
      await (await newWorkspace()).refused(update, { slug: 'nobody', name: 'x' }, 404)
    })
  })
})
