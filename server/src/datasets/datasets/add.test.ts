import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { add, update, get } = operations.datasets
const { newWorkspace } = await startTestApp()

describe('datasets.add', () => {
  describe('201', () => {
    it('returns the added row', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const row = { values: { question: 'Why?' }, name: 'One', idealOutput: 'So.', metadata: { a: { b: 1 } } }
      assert.deepEqual(await workspace.ok(add, { slug: 'cases', ...row }), { datasetRow: row })
    })

    it('ignores fields that the interface does not have', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const row = { values: { question: 'Why?' } }
      assert.deepEqual(await workspace.ok(add, { slug: 'cases', ...row, id: 1.5 }), { datasetRow: row })
    })

    it('omits values without a column and names them, and returns them once the column exists', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const answer = await workspace.ok(add, { slug: 'cases', values: { question: 'Why?', a: 1, b: [2] } })
      assert.deepEqual(answer, {
        datasetRow: { values: { question: 'Why?' } },
        warning: 'The following columns do not exist in the dataset and were omitted: a, b',
      })
      await workspace.ok(update, { slug: 'cases', columns: [{ name: 'b', type: 'json' }] })
      assert.deepEqual((await workspace.ok(get, { slug: 'cases' })).dataset.rows, [{ values: { b: [2] } }])
    })

    it('keeps values of every JSON type, and columns with unusual names', async () => {
      const workspace = await newWorkspace()
      const names = ['1', '__proto__', 'ü ✓', 'constructor']
      await makeDataset(workspace, { columns: names.map((name) => ({ name, type: 'json' })) })
      const values = JSON.parse('{"1":null,"__proto__":{"a":1},"ü ✓":false,"constructor":[0.5]}')
      const { datasetRow, warning } = await workspace.ok(add, { slug: 'cases', values })
      assert.equal(warning, undefined)
      assert.deepEqual(datasetRow.values, values)
    })
  })

  describe('400', () => {
    it('names the invalid field', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const refusals: [path: string, fields: object][] = [
        ['values', { values: undefined }],
        ['values', { values: [] }],
        ['values', { values: {} }],
        ['name', { name: 5 }],
        ['idealOutput', { idealOutput: {} }],
        ['metadata', { metadata: 'x' }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(add, { slug: 'cases', values: { a: 'x' }, ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })

  describe('404', () => {
    it('the dataset does not exist', async () => {
      await (await newWorkspace()).refused(add, { slug: 'nobody', values: { a: 'x' } }, 404)
    })
  })
})
