import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.datasets
const { newWorkspace } = await startTestApp()

describe('datasets.create', () => {
  describe('201', () => {
    it('returns the dataset without rows, with columns of every type, or with none', async () => {
      const workspace = await newWorkspace()
      const columns = ['text', 'image', 'file', 'json'].map((type) => ({ name: type, type }))
      const { createdAt, ...dataset } = await makeDataset(workspace, { columns })
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
      assert.deepEqual(dataset, { slug: 'cases', name: 'Cases', columns, rowCount: 0 })
      assert.deepEqual((await makeDataset(workspace, { slug: 'bare', columns: [] })).columns, [])
    })
  })

  describe('400', () => {
    it('names the invalid field', async () => {
      const workspace = await newWorkspace()
      const column = { name: 'a', type: 'text' }
      const refusals: [path: string, fields: object][] = [
        ['slug', { slug: 'No Slug' }],
        ['name', { name: 5 }],
        ['columns', { columns: undefined }],
        ['columns', { columns: {} }],
        ['columns[0].type', { columns: [{ name: 'a', type: 'number' }] }],
        ['columns[0].name', { columns: [{ type: 'text' }] }],
        ['columns[0].name', { columns: [{ name: '', type: 'text' }] }],
        ['columns[1].name', { columns: [column, column] }],
      ]
      for (const [path, fields] of refusals) {
        const input = { slug: 'cases', name: 'Cases', columns: [], ...fields }
        const error = await workspace.refused(create, input, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })

  describe('409', () => {
    it('another dataset has the slug', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const error = await workspace.refused(create, { slug: 'cases', name: 'Again', columns: [] }, 409)
      assert.equal(error, 'There is already a dataset "cases".')
    })
  })
})
