import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { rows, append, change, discard, delete: remove, list, get, add, update } = operations.datasets
const { newWorkspace } = await startTestApp()

const question = (text: string) => ({ values: { question: text } })
const listRows = async (workspace: TestWorkspace) => (await workspace.ok(rows, { slug: 'cases' })).rows

describe('datasets.rows', () => {
  it('200: walks every row once with its id, in the order they were added, while others are deleted', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const texts = ['a', 'b', 'c', 'd', 'e']
    const { ids } = await workspace.ok(append, { slug: 'cases', rows: texts.map(question) })
    const first = await workspace.ok(rows, { slug: 'cases', limit: 2 })
    await workspace.ok(discard, { slug: 'cases', ids: [ids[1]!, ids[2]!] })
    const rest = await workspace.ok(rows, { slug: 'cases', limit: 2, cursor: first.nextCursor })
    assert.equal(rest.nextCursor, undefined)
    const walked = [...first.rows, ...rest.rows]
    assert.deepEqual(
      walked.map(({ values }) => values.question),
      ['a', 'b', 'd', 'e'],
    )
    assert.deepEqual(
      walked.map(({ id }) => id),
      [ids[0], ids[1], ids[3], ids[4]],
    )
  })

  it('400: the cursor belongs to another list', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    assert.match(await workspace.refused(rows, { slug: 'cases', cursor: 'x' }, 400), /^cursor: /)
  })

  it('404: the dataset does not exist', async () => {
    await (await newWorkspace()).refused(rows, { slug: 'nobody' }, 404)
  })
})

describe('datasets.append', () => {
  it('201: adds the rows in order, and names columns that do not exist', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const full = { values: { question: 'a', other: 1 }, name: 'n', idealOutput: 'i', metadata: { m: 1 } }
    const answer = await workspace.ok(append, { slug: 'cases', rows: [full, question('b')] })
    assert.equal(answer.ids.length, 2)
    assert.equal(answer.warning, 'The following columns do not exist in the dataset and were omitted: other')
    const { dataset } = await workspace.ok(get, { slug: 'cases' })
    assert.deepEqual(dataset.rows, [{ ...full, values: { question: 'a' } }, question('b')])
  })

  it('400: refuses all of them if one is invalid, and names it', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const input = { slug: 'cases', rows: [question('a'), { values: 5 }] }
    assert.match(await workspace.refused(append, input, 400), /^rows\[1\]\.values: /)
    assert.match(await workspace.refused(append, { slug: 'cases', rows: [] }, 400), /^rows: /)
    assert.deepEqual(await listRows(workspace), [])
  })

  it('404: the dataset does not exist', async () => {
    await (await newWorkspace()).refused(append, { slug: 'nobody', rows: [question('a')] }, 404)
  })
})

describe('datasets.change', () => {
  it('200: sets the given values, keeps the others, and removes those that are null', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, {
      columns: [
        { name: 'question', type: 'text' },
        { name: 'context', type: 'json' },
      ],
    })
    const row = { values: { question: 'a', context: [1] }, name: 'n', idealOutput: 'i', metadata: { m: 1 } }
    const [id] = (await workspace.ok(append, { slug: 'cases', rows: [row] })).ids
    const first = await workspace.ok(change, { slug: 'cases', id, values: { question: 'b' }, name: null })
    const { createdAt, ...changed } = first.row
    assert.ok(createdAt)
    assert.deepEqual(changed, {
      id,
      values: { question: 'b', context: [1] },
      idealOutput: 'i',
      metadata: { m: 1 },
    })
    const second = await workspace.ok(change, { slug: 'cases', id, metadata: { n: 2 }, values: { gone: 1 } })
    assert.deepEqual(second.row, { ...first.row, metadata: { n: 2 } })
    assert.match(second.warning ?? '', /were omitted: gone$/)
    assert.deepEqual(await listRows(workspace), [second.row])
  })

  it('200: accepts a retry of a change whose response was lost', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const [id] = (await workspace.ok(append, { slug: 'cases', rows: [question('a')] })).ids
    const input = {
      slug: 'cases',
      id,
      values: { question: 'b' },
      metadata: { m: 1 },
      expected: { values: { question: 'a' }, metadata: null },
    }
    const { row } = await workspace.ok(change, input)
    assert.deepEqual((await workspace.ok(change, input)).row, row)
    await workspace.refused(change, { ...input, metadata: { m: 2 } }, 409)
    const { metadata: _unchanged, ...others } = input
    await workspace.refused(change, others, 409)
  })

  it('409: another user has changed the field, and nothing is changed', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const [id] = (await workspace.ok(append, { slug: 'cases', rows: [question('a')] })).ids
    const edit = (value: string, previous: unknown, more: object = {}) => ({
      slug: 'cases',
      id,
      values: { question: value },
      expected: { values: { question: previous }, ...more },
    })
    await workspace.ok(change, edit('b', 'a', { idealOutput: null, metadata: null }))
    assert.match(await workspace.refused(change, edit('c', 'a'), 409), /^question changed since/)
    assert.match(
      await workspace.refused(change, edit('c', 'b', { idealOutput: 'x' }), 409),
      /^idealOutput changed/,
    )
    assert.deepEqual((await listRows(workspace))[0]?.values, { question: 'b' })
    await workspace.ok(change, edit('c', 'b'))
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const [id] = (await workspace.ok(append, { slug: 'cases', rows: [question('a')] })).ids
    assert.match(await workspace.refused(change, { slug: 'cases', id, values: 5 }, 400), /^values: /)
  })

  it('404: the row or the dataset does not exist', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const missing = await workspace.refused(change, { slug: 'cases', id: 'nobody' }, 404)
    assert.equal(missing, 'The dataset "cases" has no row with the id "nobody".')
    await workspace.refused(change, { slug: 'nobody', id: 'nobody' }, 404)
  })
})

describe('datasets.discard', () => {
  it('200: removes the rows, counts them, and a row added later does not take the position of a remaining one', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const { ids } = await workspace.ok(append, { slug: 'cases', rows: ['a', 'b', 'c'].map(question) })
    const answer = await workspace.ok(discard, { slug: 'cases', ids: [ids[0], ids[1], 'nobody'] })
    assert.deepEqual(answer, { discarded: 2 })
    await workspace.ok(add, { slug: 'cases', ...question('d') })
    const left = (await listRows(workspace)).map(({ values }) => values.question)
    assert.deepEqual(left, ['c', 'd'])
    assert.equal((await workspace.ok(list)).datasets[0]?.rowCount, 2)
    assert.equal((await workspace.ok(get, { slug: 'cases' })).dataset.rows.length, 2)
  })

  it('400: needs ids', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    assert.match(await workspace.refused(discard, { slug: 'cases', ids: [] }, 400), /^ids: /)
  })

  it('404: the dataset does not exist', async () => {
    await (await newWorkspace()).refused(discard, { slug: 'nobody', ids: ['a'] }, 404)
  })
})

describe('datasets.delete', () => {
  it('204: deletes the dataset with its rows, and frees its slug', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    await workspace.ok(append, { slug: 'cases', rows: [question('a')] })
    await workspace.ok(remove, { slug: 'cases' })
    await workspace.refused(get, { slug: 'cases' }, 404)
    await makeDataset(workspace)
    assert.deepEqual(await listRows(workspace), [])
  })

  it('404: the dataset does not exist', async () => {
    const workspace = await newWorkspace()
    await makeDataset(await newWorkspace())
    await workspace.refused(remove, { slug: 'cases' }, 404)
    await workspace.refused(update, { slug: 'cases', name: 'x' }, 404)
  })
})
