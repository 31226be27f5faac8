import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

describe('datasets.append', () => {
  it('201: replaces the row with the same id in its position, and adds the others', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makeDataset(workspace)
    const id = randomUUID()
    const append = (...rows: { id?: string; values: Record<string, unknown> }[]) =>
      workspace.ok(operations.datasets.append, { slug, rows })
    assert.deepEqual(
      (await append({ id, values: { question: 'a' } }, { values: { question: 'b' } })).ids[0],
      id,
    )
    const again = await append({ values: { question: 'c' } }, { id, values: { question: 'd' } })
    assert.equal(again.ids[1], id)
    const { rows } = await workspace.ok(operations.datasets.rows, { slug })
    assert.deepEqual(
      rows.map(({ values }) => values.question),
      ['d', 'b', 'c'],
    )
    const { datasets } = await workspace.ok(operations.datasets.list, {})
    assert.equal(datasets[0]?.rowCount, 3)
  })

  it('400: a row without values, and adds none', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makeDataset(workspace)
    const rows = [{ values: { question: 'a' } }, { values: {} }]
    assert.equal(
      await workspace.refused(operations.datasets.append, { slug, rows }, 400),
      'rows[1].values: must not be empty',
    )
    assert.deepEqual((await workspace.ok(operations.datasets.rows, { slug })).rows, [])
  })

  it('400: an id is invalid, or is in the request twice', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makeDataset(workspace)
    const row = { id: randomUUID(), values: { question: 'a' } }
    const refusalOf = (rows: object[]) => workspace.refused(operations.datasets.append, { slug, rows }, 400)
    assert.match(await refusalOf([row, row]), /^rows\[1\]\.id: must not be/)
    assert.match(await refusalOf([row, { ...row, id: row.id.toUpperCase() }]), /^rows\[1\]\.id: must not be/)
    assert.match(await refusalOf([{ ...row, id: 'x' }]), /^rows\[0\]\.id: /)
  })
})
