import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, update, delete: remove } = operations.views
const { newWorkspace } = await startTestApp()

const makeView = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(create, { name: 'Costly', page: 'traces', search: '?minCost=1', ...fields })).view

describe('views.create', () => {
  it('201: returns the view; its name may repeat that of another', async () => {
    const workspace = await newWorkspace()
    const { id, createdAt, ...view } = await makeView(workspace)
    assert.deepEqual(view, { name: 'Costly', page: 'traces', search: '?minCost=1' })
    assert.ok(Date.parse(createdAt) > 0)
    assert.notEqual((await makeView(workspace)).id, id)
  })

  it('400: names the wrong field', async () => {
    const workspace = await newWorkspace()
    const body = { name: 'Costly', page: 'traces', search: '' }
    const wrong: Record<string, unknown> = { name: '', page: 'No Page', search: 5 }
    for (const [field, value] of Object.entries(wrong)) {
      const error = await workspace.refused(create, { ...body, [field]: value }, 400)
      assert.ok(error.startsWith(`${field}: `), error)
    }
  })
})

describe('views.list', () => {
  it('200: lists the views of the workspace by name, or those of one page', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await makeView(other)
    await makeView(workspace, { name: 'B' })
    await makeView(workspace, { name: 'A' })
    await makeView(workspace, { name: 'C', page: 'datasets' })
    const names = async (input: object) =>
      (await workspace.ok(list, input)).views.map(({ page, name }) => `${page} ${name}`)
    assert.deepEqual(await names({}), ['datasets C', 'traces A', 'traces B'])
    assert.deepEqual(await names({ page: 'traces' }), ['traces A', 'traces B'])
  })
})

describe('views.update', () => {
  it('200: changes the given fields and leaves the rest', async () => {
    const workspace = await newWorkspace()
    const view = await makeView(workspace)
    const renamed = await workspace.ok(update, { id: view.id, name: 'Dear', search: null })
    assert.deepEqual(renamed.view, { ...view, name: 'Dear' })
    const moved = await workspace.ok(update, { id: view.id, search: '?q=x' })
    assert.deepEqual(moved.view, { ...view, name: 'Dear', search: '?q=x' })
  })

  it('400: for an empty name', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeView(workspace)
    assert.match(await workspace.refused(update, { id, name: '' }, 400), /^name: /)
  })

  it('404: for a view of another workspace', async () => {
    const { id } = await makeView(await newWorkspace())
    await (await newWorkspace()).refused(update, { id, name: 'Mine' }, 404)
  })
})

describe('views.delete', () => {
  it('204: deletes the view, and returns 404 from then on', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeView(workspace)
    await workspace.ok(remove, { id })
    assert.deepEqual(await workspace.ok(list), { views: [] })
    await workspace.refused(remove, { id }, 404)
  })
})
