import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { allOperations, operations } from '@plumbline/contract'
import { makeTraceFolder } from '@plumbline/storage/traces/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../fixtures/eventually.ts'
import { startPostgres } from '../../../scripts/test/postgres-for-tests.ts'
import { errorOf, startTestApp } from '../../testing/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const engine = await startHttpEngine(await makeTraceFolder(folder))
const database = await startPostgres()
const { send, newWorkspace, close } = await startTestApp({
  settings: { DATABASE_URL: database.url, CLICKHOUSE_URL: engine.url },
})
const workspace = await newWorkspace()
const { id: knownTrace } = (await workspace.ok(operations.monitor.trace, { name: 'known' })).trace

let isDatabaseThere = true
const stopDatabase = async () => {
  if (isDatabaseThere) await database.stop()
  isDatabaseThere = false
}
after(async () => {
  await close()
  await engine.stop()
  await stopDatabase()
  rmSync(folder, { recursive: true, force: true })
})

/** Valid input for each operation, so that it reaches the unavailable store. */
const inputs: Record<string, object> = {
  'monitor.trace': { featureSlug: 'chat' },
  'monitor.log': { slug: 'greeting', output: 'x' },
  'traces.get': { id: '01890000-0000-7000-8000-000000000000' },
  'traces.percentiles': { id: '01890000-0000-7000-8000-000000000000' },
  'traces.outline': { id: '01890000-0000-7000-8000-000000000000' },
  'logs.list': { id: '01890000-0000-7000-8000-000000000000' },
  'logs.get': { id: '01890000-0000-7000-8000-000000000000', logId: 'a' },
  'scores.create': { traceId: '01890000-0000-7000-8000-000000000000', name: 'a', value: 1 },
  'scores.update': { id: '01890000-0000-7000-8000-000000000000', value: 1 },
  'scores.delete': { id: '01890000-0000-7000-8000-000000000000' },
  'metrics.explain': { measure: 'cost', from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' },
  'metrics.query': { measures: 'traces' },
  'prompts.create': { slug: 'a', name: 'A' },
  'prompts.publish': { slug: 'a', newTag: 'b', version: 'c' },
  'prompts.diff': { slug: 'a', from: 'b', to: 'c' },
  'rollouts.create': { promptSlug: 'a', candidateVersion: 'b', share: 0.5 },
  'versions.create': { slug: 'a', text: 'x' },
  'datasets.create': { slug: 'a', name: 'A', columns: [] },
  'datasets.add': { slug: 'a', values: { a: 'x' } },
  'datasets.append': { slug: 'a', rows: [{ values: { a: 'x' } }] },
  'datasets.collect': { slug: 'a', sources: [{ traceId: 'a' }] },
  'datasets.discard': { slug: 'a', ids: ['a'] },
  'datasetVersions.compare': { slug: 'a', from: 1 },
  'datasetVersions.create': { slug: 'a' },
  'datasetVersions.restore': { slug: 'a', version: 1 },
  'traces.export': { format: 'jsonl' },
  'datasets.export': { slug: 'a', format: 'csv' },
  'shares.create': { traceId: '01890000-0000-7000-8000-000000000000' },
  'comments.list': { subjectType: 'prompt', subjectId: 'a' },
  'comments.create': { subjectType: 'prompt', subjectId: 'a', text: 'a' },
  'comments.update': { id: 'a', text: 'a' },
  'dashboards.create': { slug: 'a', name: 'A' },
  'dashboards.update': { slug: 'a', name: 'A' },
  'views.create': { name: 'a', page: 'a', search: '' },
  'datasets.update': { slug: 'a', name: 'A' },
  'files.get': { fileKey: '01890000-0000-7000-8000-000000000000' },
  'files.sign': { fileName: 'a', contentType: 'image/png' },
  'experiments.create': { featureSlug: 'a', name: 'A' },
  'experiments.update': { id: 'a', name: 'A' },
  'experiments.attach': { id: 'a', traceIds: ['a'] },
  'experimentRuns.create': {
    datasetSlug: 'a',
    featureSlug: 'a',
    target: { type: 'endpoint', url: 'https://example.com/run' },
  },
  'experiments.compare': { ids: 'a,b' },
  'evaluators.create': { slug: 'a', name: 'A', kind: 'human', config: {} },
  'evaluators.update': { slug: 'a', name: 'A' },
  'evaluators.estimate': {
    kind: 'contains',
    config: { value: 'a' },
    liveRule: { filters: {}, subject: 'trace', sampleRate: 1 },
  },
  'evaluators.test': { kind: 'contains', config: { value: 'a' } },
  'evaluations.create': { evaluatorSlug: 'a', traceIds: ['a'] },
  'annotationQueues.create': { name: 'a', evaluatorSlugs: ['a'] },
  'annotationQueues.update': { id: 'a', name: 'A' },
  'annotationQueues.add': { id: 'a', items: [{ traceId: 'a' }] },
  'annotationQueues.remove': { id: 'a', itemIds: ['a'] },
  'annotationQueues.submit': { id: 'a', itemId: 'a', scores: [{ evaluatorSlug: 'a', value: true }] },
  'alerts.create': { name: 'a', measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 },
  'alerts.update': { id: 'a', name: 'A' },
  'alerts.preview': { measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 },
  'channels.create': { name: 'a', type: 'slack', url: 'https://example.com/hook' },
  'channels.update': { id: 'a', name: 'A' },
  'connections.create': { name: 'a', provider: 'mistral' },
  'connections.update': { id: 'a', name: 'A' },
  'approvals.configure': { tags: ['a'] },
  'approvals.create': { promptSlug: 'a', tag: 'a', version: '1' },
  'approvals.decide': { id: 'a', isApproved: false },
  'replays.create': { slug: 'a', version: '1', connectionId: 'a' },
  'playground.run': { connectionId: 'a' },
  'retention.update': { days: 30 },
  'masking.update': { rules: [] },
  'masking.rehearse': { rules: [] },
  'retention.preview': { days: 30 },
  'traces.delete': { id: '01890000-0000-7000-8000-000000000000' },
  'deletions.preview': { ids: ['01890000-0000-7000-8000-000000000000'] },
  'deletions.create': { ids: ['01890000-0000-7000-8000-000000000000'] },
  'erasures.preview': { userId: 'a' },
  'erasures.create': { userId: 'a' },
  'files.delete': { fileKey: '01890000-0000-7000-8000-000000000000' },
  'features.create': { slug: 'a', name: 'A' },
  'workspaces.create': { name: 'a' },
  'workspaces.update': { name: 'a' },
  'workspaces.delete': { name: 'a' },
  'members.update': { id: 'a', role: 'viewer' },
  'invitations.create': { email: 'a@example.com', role: 'viewer' },
  'invitations.accept': { token: 'a' },
  'keys.create': { name: 'a', scopes: ['read'] },
  'prices.find': { model: 'a' },
  'prices.update': { list: { name: 'a', version: '2019-01-02', providers: [] } },
  'prices.create': { model: 'a', inputPerMillion: 1, outputPerMillion: 1 },
}

/** These need no store for a caller whose key is cached; an uncached key must be looked up. */
const asksNoStore: ReadonlySet<string> = new Set(['addresses.get', 'evaluators.templates'])

/** A file for each operation that accepts one. */
const bundle =
  '{"type":"bundle","version":1}\n{"type":"row","table":"features","row":{"slug":"a","name":"A","description":"","created_at":1}}\n'
const sha256 = createHash('sha256').update(bundle).digest('hex')
const files: Record<string, { payload: string; headers: Record<string, string> }> = {
  'exchange.import': {
    payload: `${bundle}${JSON.stringify({ type: 'end', lines: 2, sha256 })}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  },
}

describe('while the trace store is unavailable', () => {
  it('/metrics shows which parts respond', async () => {
    await engine.stop()
    await eventually(async () => {
      const { status, text } = await send({ method: 'GET', url: '/metrics' })
      assert.equal(status, 200)
      assert.match(text, /plumbline_part_up\{part="trace_store"\} 0/)
      assert.match(text, /plumbline_part_up\{part="control_plane"\} 1/)
      assert.match(text, /plumbline_part_up\{part="spool"\} 1/)
      assert.match(text, /plumbline_disk_free_bytes \d+/)
    })
  })
})

describe('while both stores are unavailable', () => {
  it('503: every operation that needs one says so, and when to retry', async () => {
    assert.ok(knownTrace)
    const [person, operator] = [await workspace.signIn('owner'), await workspace.signInOperator()]
    const { secret: unusedKey } = await workspace.newKey(['read'])
    await stopDatabase()
    for (const operation of allOperations) {
      const answer = await workspace.call(operation, inputs[operation.name] ?? {}, {
        ...(operation.role === 'operator' ? operator : operation.scope === null ? person : {}),
        ...files[operation.name],
        ...(asksNoStore.has(operation.name) ? { key: unusedKey } : {}),
      })
      assert.equal(answer.status, 503, `${operation.name}: ${answer.text}`)
      assert.equal(answer.headers['retry-after'], '5')
      assert.match(errorOf(answer), /is unavailable; try again soon\.$/)
    }
  })
})
