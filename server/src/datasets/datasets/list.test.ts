import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { list, add } = operations.datasets
const { newWorkspace } = await startTestApp()

describe('datasets.list', () => {
  it('200: lists all datasets of the workspace with their row counts, and none of another', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await makeDataset(other)
    assert.deepEqual(await workspace.ok(list), { datasets: [] })
    await makeDataset(workspace)
    await makeDataset(workspace, { slug: 'second' })
    await workspace.ok(add, { slug: 'cases', values: { question: 'Why?' } })
    const { datasets } = await workspace.ok(list)
    const counts = Object.fromEntries(datasets.map(({ slug, rowCount }) => [slug, rowCount]))
    assert.deepEqual(counts, { cases: 1, second: 0 })
    assert.ok(datasets.every((dataset) => !('rows' in dataset)))
  })
})
