/** A workspace with one object of every kind, and their ids, for tests of access rights. */
import assert from 'node:assert/strict'
import { type Operation, operations, pathFields } from '@plumbline/contract'
import { makeQueue } from './annotation-queues.ts'
import {
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
  makeVersion,
  recordTrace,
  type TestApp,
  type TestWorkspace,
} from './test-app.ts'

/** Ids by resource of the contract and path field: `prompts.slug`, `annotationQueues.itemId`. */
export type Ids = Readonly<Record<string, string>>

/** Creates one of every kind of object that an operation can name. */
export async function makeThings(workspace: TestWorkspace, { app, send }: TestApp): Promise<Ids> {
  const feature = await makeFeature(workspace, { slug: 'our-feature' })
  const prompt = { slug: 'our-prompt', featureSlug: feature.slug }
  await makeLivePrompt(workspace, { slug: prompt.slug, version: '1.0.0' }, prompt)
  await makeVersion(workspace, { slug: prompt.slug, version: '2.0.0' })
  await makeDataset(workspace, { slug: 'our-dataset' })
  await workspace.ok(operations.datasets.add, { slug: 'our-dataset', values: { question: 'q' } })
  const { rows } = await workspace.ok(operations.datasets.rows, { slug: 'our-dataset' })
  await workspace.ok(operations.datasetVersions.create, { slug: 'our-dataset' })
  await makeEvaluator(workspace, { slug: 'our-evaluator' })
  const experiment = await makeExperiment(workspace, { featureSlug: feature.slug })
  const { id: traceId } = await recordTrace(workspace, {
    featureSlug: feature.slug,
    sessionId: 'our-session',
    logs: [{ id: 'our-log', type: 'event' }],
  })
  const { share } = await workspace.ok(operations.shares.create, { traceId })
  const { comment } = await workspace.ok(operations.comments.create, {
    subjectType: 'trace',
    subjectId: traceId,
    text: 'Look at this.',
  })
  const score = await workspace.ok(operations.scores.create, { traceId, name: 'quality', value: true })
  const queue = await makeQueue(workspace, 1)
  const { items } = await workspace.ok(operations.annotationQueues.items, { id: queue.id })
  const { rollout } = await workspace.ok(operations.rollouts.create, {
    promptSlug: prompt.slug,
    candidateVersion: '2.0.0',
    share: 0.5,
  })
  await workspace.ok(operations.approvals.configure, { tags: ['guarded'] })
  const { approval } = await workspace.ok(operations.approvals.create, {
    promptSlug: prompt.slug,
    tag: 'guarded',
    version: '2.0.0',
  })
  const { deletion } = await workspace.ok(operations.deletions.create, { filter: { userId: 'nobody' } })
  const { recomputation } = await workspace.ok(operations.recomputations.create, {})
  const { erasure } = await workspace.ok(operations.erasures.create, { userId: 'nobody' })
  const ids = { ...(await makeSettings(workspace)), ...(await makeRun(workspace, prompt.slug)) }
  return {
    ...ids,
    'features.slug': feature.slug,
    'prompts.slug': prompt.slug,
    'versions.slug': prompt.slug,
    'replays.slug': prompt.slug,
    'versions.version': '1.0.0',
    'rollouts.id': rollout.id,
    'datasets.slug': 'our-dataset',
    'datasets.id': rows[0]!.id,
    'datasetVersions.slug': 'our-dataset',
    'evaluators.slug': 'our-evaluator',
    'experiments.id': experiment.id,
    'traces.id': traceId,
    'logs.id': traceId,
    'conversations.id': 'our-session',
    'deletions.id': deletion.id,
    'recomputations.id': recomputation.id,
    'erasures.id': erasure.id,
    'comments.id': comment.id,
    'shares.id': share.id,
    'approvals.id': approval.id,
    'scores.id': score.score.id,
    'annotationQueues.id': queue.id,
    'annotationQueues.itemId': items[0]!.id,
    'jobs.id': await makeJob(workspace, app),
    'files.fileKey': await makeFile(workspace, send),
  }
}

async function makeSettings(workspace: TestWorkspace): Promise<Ids> {
  const { alert } = await workspace.ok(operations.alerts.create, {
    name: 'Ours',
    measure: 'errorRate',
    windowMinutes: 5,
    condition: 'above',
    threshold: 0.5,
  })
  const { channel } = await workspace.ok(operations.channels.create, {
    name: 'Ours',
    type: 'webhook',
    url: 'https://example.com/hook',
  })
  const { invitation } = await workspace.ok(operations.invitations.create, {
    email: 'ada@example.com',
    role: 'viewer',
  })
  const owner = await workspace.signIn('owner')
  const search = { name: 'Ours', page: 'traces', search: '?a=b' }
  await workspace.ok(operations.dashboards.create, { slug: 'our-dashboard', name: 'Ours' }, owner)
  const { view } = await workspace.ok(operations.views.create, search, owner)
  const { priceOverride } = await workspace.ok(operations.prices.create, {
    provider: 'open-ai',
    model: 'ours',
    inputPerMillion: 1,
    outputPerMillion: 2,
  })
  return {
    'alerts.id': alert.id,
    'channels.id': channel.id,
    'invitations.id': invitation.id,
    'dashboards.slug': 'our-dashboard',
    'views.id': view.id,
    'prices.id': priceOverride.id,
    'members.id': owner.id,
    'keys.id': (await workspace.newKey(['read'])).id,
  }
}

/** A run that ends at once, since its model does not exist. */
async function makeRun(workspace: TestWorkspace, promptSlug: string): Promise<Ids> {
  const { connection } = await workspace.ok(operations.connections.create, {
    name: 'Ours',
    provider: 'open-ai',
    apiKey: 'sk-any',
    baseUrl: 'https://models.invalid/v1',
  })
  const { run } = await workspace.ok(operations.experimentRuns.create, {
    datasetSlug: 'our-dataset',
    target: { type: 'prompt', slug: promptSlug, version: '1.0.0', connectionId: connection.id, model: 'm' },
  })
  return { 'connections.id': connection.id, 'experimentRuns.id': run.id }
}

/** A job of a kind that no node handles. */
async function makeJob(workspace: TestWorkspace, { control }: TestApp['app']): Promise<string> {
  const job = { kind: 'test.none', workspaceId: workspace.id, payload: null, attemptsMax: 1 }
  const [id] = await control.jobs.enqueue([job], new Date())
  assert.ok(id !== undefined)
  return id
}

export async function makeFile(workspace: TestWorkspace, send: TestApp['send']): Promise<string> {
  const { uploadUrl, fileKey } = await workspace.ok(operations.files.sign, {
    fileName: 'a.png',
    contentType: 'image/png',
  })
  const { pathname, search } = new URL(uploadUrl)
  const headers = { 'content-type': 'image/png' }
  const answer = await send({ method: 'PUT', url: pathname + search, payload: 'x', headers })
  assert.equal(answer.status, 200)
  return fileKey
}

/** The kinds of objects that fields outside of paths name, in any operation. */
const references: Readonly<Record<string, string>> = {
  featureSlug: 'features.slug',
  chainSlug: 'features.slug',
  promptSlug: 'prompts.slug',
  datasetSlug: 'datasets.slug',
  evaluatorSlug: 'evaluators.slug',
  evaluatorSlugs: 'evaluators.slug',
  evaluators: 'evaluators.slug',
  prompt: 'prompts.slug',
  experimentId: 'experiments.id',
  baselineId: 'experiments.id',
  traceId: 'traces.id',
  traceIds: 'traces.id',
  connectionId: 'connections.id',
  channelIds: 'channels.id',
  alertIds: 'alerts.id',
  alertId: 'alerts.id',
  annotationQueueId: 'annotationQueues.id',
  itemIds: 'annotationQueues.itemId',
  itemId: 'annotationQueues.itemId',
  holding: 'annotationQueues.itemId',
  rowIds: 'datasets.id',
  'datasets.discard ids': 'datasets.id',
  'monitor.log slug': 'prompts.slug',
  'experiments.compare ids': 'experiments.id',
}

/** A body in which every reference names one of our objects. */
export function namingOurs(operation: Operation, body: unknown, ids: Ids, field = ''): unknown {
  const reference = references[`${operation.name} ${field}`] ?? references[field]
  if (Array.isArray(body)) return body.map((item) => namingOurs(operation, item, ids, field))
  if (typeof body === 'string') return (reference && ids[reference]) ?? body
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      // `prompt: { slug }` and `evaluators: [{ slug }]` name objects of the kind of the outer field.
      namingOurs(operation, value, ids, name === 'slug' && field !== '' ? field : name),
    ]),
  )
}

/** Query fields that are required in addition to those that name objects. */
export const neededInQuery: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'logs.get': { logId: 'our-log' },
  'traces.export': { format: 'csv' },
  'datasets.export': { format: 'csv' },
  'datasetVersions.compare': { from: '1' },
  'prompts.diff': { from: '1.0.0', to: '2.0.0' },
  'alerts.preview': { measure: 'errorRate', windowMinutes: '5', condition: 'above', threshold: '0.5' },
}

/** The query fields that name objects, with the ids of ours. */
export const queryNamingOurs = ({ name, input, path }: Operation, ids: Ids): Record<string, string> => ({
  ...neededInQuery[name],
  ...Object.fromEntries(
    Object.keys(input.properties).flatMap((field): [string, string][] => {
      const id = ids[references[`${name} ${field}`] ?? references[field] ?? '']
      return id === undefined || pathFields(path).includes(field) ? [] : [[field, id]]
    }),
  ),
})
