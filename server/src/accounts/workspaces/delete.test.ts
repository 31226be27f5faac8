import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  errorOf,
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeLivePrompt,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'
import { makeFolderFiles } from '../../datasets/files/folder-files.ts'
import { deletionSteps, graceMs } from './deletion.ts'

const { delete: remove, list } = operations.workspaces
let now = new Date()
const { app, newWorkspace, send, dataFolder } = await startTestApp({ now: () => now })

const filesOf = (id: string) => join(dataFolder, 'files', id)

/** A workspace with something of each kind, and the ids of its traces. */
async function fillWorkspace() {
  const workspace = await newWorkspace()
  await workspace.ok(operations.features.create, { slug: 'chat', name: 'Chat' })
  await makeLivePrompt(workspace)
  await makeDataset(workspace)
  await makeEvaluator(workspace)
  await makeExperiment(workspace)
  await workspace.ok(operations.datasets.add, { slug: 'cases', values: { question: 'Why?' } })
  const { trace } = await workspace.ok(operations.monitor.trace, {
    featureSlug: 'chat',
    logs: [{ id: 'g', type: 'generation', input: 'Hi', output: 'Hello' }],
  })
  await workspace.ok(operations.scores.create, { traceId: trace.id, name: 'good', value: true })
  await workspace.call(operations.monitor.trace, {}, { payload: '{"name":5}' })
  const otelTraceId = crypto.randomUUID().replaceAll('-', '')
  const span = {
    traceId: otelTraceId,
    spanId: '00f067aa0ba902b7',
    name: 'chat',
    startTimeUnixNano: `${Date.now()}000000`,
    endTimeUnixNano: `${Date.now() + 1}000000`,
  }
  const otlp = await send({
    method: 'POST',
    url: '/v1/traces',
    headers: { authorization: `Bearer ${workspace.key.secret}` },
    payload: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
  })
  assert.equal(otlp.status, 200, otlp.text)
  const { uploadUrl } = await workspace.ok(operations.files.sign, {
    fileName: 'a.txt',
    contentType: 'text/plain',
  })
  const upload = (payload: string) => {
    const { pathname, search } = new URL(uploadUrl)
    return send({
      method: 'PUT',
      url: pathname + search,
      payload,
      headers: { 'content-type': 'text/plain' },
    })
  }
  assert.equal((await upload('the bytes')).status, 200)
  await app.flush()
  return { workspace, traceIds: [trace.id, otelTraceId], upload }
}

const nameOf = { name: 'Test' }
const deleteIt = async (workspace: TestWorkspace) => {
  const owner = await workspace.signIn('owner')
  await workspace.ok(remove, nameOf, owner)
  return owner
}

/** Lets the grace period pass, and the pauses after failed attempts. */
async function finish(): Promise<void> {
  const before = now
  now = new Date(before.getTime() + graceMs)
  await eventually(async () => {
    await app.jobsDrained()
    now = new Date(now.getTime() + 60_000)
    assert.deepEqual(await app.control.deletions.list(), [])
  })
  now = before
}

async function assertGone({ id }: TestWorkspace, traceIds: readonly string[]): Promise<void> {
  assert.equal(existsSync(filesOf(id)), false)
  const traces = app.traceStore.scopedTo(id)
  assert.deepEqual((await traces.list({}, { limit: 10 })).traces, [])
  assert.deepEqual((await traces.scores({}, { limit: 10 })).scores, [])
  assert.equal(await traces.find(traceIds[0]!), undefined)
  assert.equal(await traces.idOf(traceIds[1]!), undefined)
  assert.deepEqual(await traces.measure({ measures: ['traces'], dimensions: [], filters: {} }), [
    { traces: 0 },
  ])
  assert.equal(
    await app.traceStore.readSpans([{ workspaceId: id, otelTraceId: traceIds[1]!, firstAtMs: 0 }]),
    '',
  )
  assert.equal(await app.control.scopedTo({ workspaceId: id }).workspaceName.find(), undefined)
  assert.equal(
    (await app.control.deletions.list()).some(({ workspaceId }) => workspaceId === id),
    false,
  )
}

const exportText = async (workspace: TestWorkspace) =>
  (await workspace.call(operations.exchange.export)).text.replaceAll(/"exportedAt":"[^"]*"/g, '')

describe('workspaces.delete', () => {
  it('204: deletes everything in the workspace, and nothing of another', async () => {
    const { workspace, traceIds, upload } = await fillWorkspace()
    const { workspace: other } = await fillWorkspace()
    const before = await exportText(other)
    const member = await workspace.signIn('editor')
    const owner = await deleteIt(workspace)
    await workspace.refused(operations.features.list, {}, 401)
    for (const person of [owner, member]) {
      assert.deepEqual((await workspace.ok(list, {}, person)).workspaces, [])
      await workspace.refused(operations.features.list, {}, 403, person)
    }
    assert.equal((await upload('other bytes')).status, 403)
    await finish()
    assert.equal((await upload('other bytes')).status, 403)
    await assertGone(workspace, traceIds)
    assert.equal(await exportText(other), before)
    assert.equal(existsSync(filesOf(other.id)), true)
  })

  it('204: continues where a process died, whatever step it was at', async () => {
    const parts = {
      deletions: app.control.deletions,
      traceStore: app.traceStore,
      fileStoreOf: (id: string) => makeFolderFiles(filesOf(id)),
      pauseDrainWhile: <Result>(work: () => Promise<Result>) => work(),
    }
    const steps = deletionSteps(parts)
    for (let done = 0; done <= steps.length; done++) {
      const { workspace, traceIds } = await fillWorkspace()
      await app.control.deletions.begin(workspace.id, now)
      for (const step of steps.slice(0, done)) await step(workspace.id)
      await workspace.refused(operations.features.list, {}, 403, await workspace.signIn())
      await finish()
      await assertGone(workspace, traceIds)
    }
  })

  it('204: drops records that were acknowledged before another node’s deletion was noticed', async () => {
    for (;;) {
      const workspace = await newWorkspace()
      await workspace.ok(operations.features.list)
      await app.control.deletions.begin(workspace.id, now)
      const answer = await workspace.call(operations.monitor.trace, { name: 'late' })
      // The deletion may have been noticed at that very moment.
      if (answer.status !== 200) continue
      await app.flush()
      assert.deepEqual((await app.traceStore.scopedTo(workspace.id).list({}, { limit: 1 })).traces, [])
      return finish()
    }
  })

  it('400: needs the name of the workspace', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    for (const name of ['', 'test', 'Other'])
      assert.match(await workspace.refused(remove, { name }, 400, owner), /^name: must be the name of/)
    assert.match(await workspace.refused(remove, {}, 400, owner), /^name: /)
    await workspace.ok(operations.features.list)
  })

  it('403: only owners may do it, with no API key, and never to the first workspace', async () => {
    const workspace = await newWorkspace()
    for (const caller of [await workspace.signIn('admin'), {}])
      await workspace.refused(remove, nameOf, 403, caller)
    const operator = await workspace.signInOperator()
    const headers = { ...operator.headers, 'plumbline-workspace': defaultWorkspaceId }
    const { name } = (await workspace.ok(operations.workspaces.get, {}, { ...operator, headers })).workspace
    const answer = await workspace.call(remove, { name }, { ...operator, headers })
    assert.deepEqual(
      [answer.status, errorOf(answer)],
      [403, 'The first workspace belongs to the installation and cannot be deleted.'],
    )
  })
})
