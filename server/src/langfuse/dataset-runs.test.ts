import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../testing/test-app.ts'

const { newWorkspace, send } = await startTestApp()

async function post({ key }: TestWorkspace, path: string, payload: object) {
  const answer = await send({
    method: 'POST',
    url: `/api/public${path}`,
    payload,
    headers: { authorization: `Basic ${Buffer.from(`pk:${key.secret}`).toString('base64')}` },
  })
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text) as {
    readonly id: string
    readonly datasetRunId: string
    readonly input: unknown
  }
}

describe('POST /api/public/dataset-items', () => {
  it('accepts an item without an input for a dataset that has other columns', async () => {
    const workspace = await newWorkspace()
    const columns = [{ name: 'question', type: 'text' }]
    await workspace.ok(operations.datasets.create, { slug: 'asked', name: 'asked', columns })
    const item = (input: object) => post(workspace, '/dataset-items', { datasetName: 'asked', input })
    assert.deepEqual((await item({})).input, {})
    assert.deepEqual((await item({ question: 'Why?' })).input, { question: 'Why?' })
  })
})

describe('POST /api/public/dataset-run-items', () => {
  it('creates one experiment for a run, however many links arrive at once, with one entry in the audit log', async () => {
    const workspace = await newWorkspace()
    await post(workspace, '/v2/datasets', { name: 'capitals' })
    const { id: datasetItemId } = await post(workspace, '/dataset-items', {
      datasetName: 'capitals',
      input: 'France',
    })
    const link = () =>
      post(workspace, '/dataset-run-items', { runName: 'first', datasetItemId, traceId: randomUUID() })
    const links = await Promise.all([link(), link(), link()])
    links.push(await link())
    const { experiments } = await workspace.ok(operations.experiments.list, { featureSlug: 'capitals' })
    assert.deepEqual(
      experiments.map(({ id, name }) => [id, name]),
      [[links[0]?.datasetRunId, 'first']],
    )
    assert.deepEqual(new Set(links.map(({ datasetRunId }) => datasetRunId)).size, 1)
    const { entries } = await workspace.ok(operations.audit.list, { operation: 'experiments.create' })
    assert.deepEqual(
      entries.map(({ actor, outcome, resourceId }) => [actor.id, outcome, resourceId]),
      [[workspace.key.id, 'done', experiments[0]?.id]],
    )
    assert.match(JSON.stringify(entries[0]?.after), /"name":"first"/)
  })
})
