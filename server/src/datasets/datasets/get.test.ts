import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { get, add, append, update } = operations.datasets
const { newWorkspace } = await startTestApp()

const columns = [
  { name: 'question', type: 'text' },
  { name: 'context', type: 'json' },
]

describe('datasets.get', () => {
  describe('200', () => {
    it('returns the columns and every row, in the order they were added, with only the fields that were set', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace, { columns })
      const full = {
        values: { question: 'Why?', context: { deep: [1, null, 'ü'] } },
        name: 'First',
        idealOutput: 'Because.',
        metadata: { source: 'web' },
      }
      await workspace.ok(add, { slug: 'cases', ...full })
      await workspace.ok(add, {
        slug: 'cases',
        values: { question: null },
        name: null,
        idealOutput: null,
        metadata: null,
      })
      assert.deepEqual(await workspace.ok(get, { slug: 'cases' }), {
        dataset: { slug: 'cases', name: 'Cases', columns, rows: [full, { values: { question: null } }] },
      })
    })

    it('has no rows at first', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      assert.deepEqual((await workspace.ok(get, { slug: 'cases' })).dataset.rows, [])
    })

    it('omits values whose column was removed, with a warning, and returns them when it is added again', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace, { columns })
      await workspace.ok(add, { slug: 'cases', values: { question: 'Why?', context: 1 } })
      await workspace.ok(update, { slug: 'cases', columns: [columns[0]] })
      const deletedItem = await workspace.ok(get, { slug: 'cases' })
      assert.deepEqual(deletedItem.dataset.rows, [{ values: { question: 'Why?' } }])
      assert.equal(
        deletedItem.warning,
        'Some rows contained columns that do not exist in the dataset and were omitted.',
      )
      await workspace.ok(update, { slug: 'cases', columns })
      const back = await workspace.ok(get, { slug: 'cases' })
      assert.deepEqual(back.dataset.rows, [{ values: { question: 'Why?', context: 1 } }])
      assert.equal(back.warning, undefined)
    })

    it('has each value under its own column, even if names need escapes in JSON', async () => {
      const workspace = await newWorkspace()
      // The engine mistakes the second of these keys for the first, which it has just read.
      const names = ['a', '\\\\', '\\"']
      await makeDataset(workspace, { columns: names.map((name) => ({ name, type: 'text' })) })
      const rows = [{ values: { a: '1', '\\\\': 'x' } }, { values: { a: '1', '\\"': 'y' } }]
      await workspace.ok(append, { slug: 'cases', rows })
      assert.deepEqual((await workspace.ok(get, { slug: 'cases' })).dataset.rows, rows)
    })

    it('streams twenty thousand rows as one JSON document', async () => {
      const workspace = await newWorkspace()
      await makeDataset(workspace)
      const values = { question: 'Why is the sky blue, and what does it take to see it so? '.repeat(4) }
      const rows = Array.from({ length: 1000 }, () => ({ values }))
      for (let part = 0; part < 20; part++) await workspace.ok(append, { slug: 'cases', rows })
      const { dataset } = await workspace.ok(get, { slug: 'cases' })
      assert.equal(dataset.rows.length, 20_000)
      assert.deepEqual(dataset.rows.at(-1), { values })
    })
  })

  describe('404', () => {
    it('the dataset does not exist, or belongs to another workspace', async () => {
      await makeDataset(await newWorkspace())
      const error = await (await newWorkspace()).refused(get, { slug: 'cases' }, 404)
      assert.equal(error, 'No dataset has the slug "cases".')
    })
  })
})
