/** A workspace with data of one user in every place, and data of others beside it. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@plumbline/contract'
import { eventually } from '../../fixtures/eventually.ts'
import { makeQueue } from './annotation-queues.ts'
import { otlpTraceId, sendSpans } from './deleted-spans.ts'
import { makeDataset, makeEvaluator, makeFeature, type TestApp, type TestWorkspace } from './test-app.ts'

export const subject = { id: 'user-Zoë-4711', name: 'Zoë Quastenflosser' }
/** Words that occur only in texts of the subject. */
export const uniqueWords = ['Blaufarnkraut', 'Morgenrotwurz', 'Silberdistelherz']

/** Files below some folders that contain one of the texts. */
export const filesWith = (folders: readonly string[], texts: readonly string[]): string[] =>
  folders.flatMap(filesBelow).filter((path) => {
    const bytes = ifThere(() => readFileSync(path))
    return bytes !== undefined && texts.some((text) => bytes.includes(text))
  })

const filesBelow = (folder: string): string[] =>
  (ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })

/** Undefined if a file has disappeared: the engine merges and removes parts meanwhile. */
function ifThere<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Responses about others that an erasure must not change. */
export async function answersAbout(workspace: TestWorkspace, traceIds: readonly string[]): Promise<string[]> {
  const answers: string[] = []
  for (const id of traceIds) answers.push((await workspace.call(operations.traces.get, { id })).text)
  return answers
}

/** Waits for the end of an erasure, and returns its report. Only the service's clock is advanced. */
export async function erase({
  testApp,
  workspace,
  id,
  passTime,
}: {
  testApp: TestApp
  workspace: TestWorkspace
  id: string
  passTime: (ms: number) => void
}) {
  return eventually(async () => {
    await testApp.app.jobsDrained()
    const { erasure } = await workspace.ok(operations.erasures.get, { id })
    if (erasure.status !== 'done') passTime(300_000)
    assert.equal(erasure.status, 'done', JSON.stringify(erasure))
    return erasure
  })
}

/** Records data of the subject in every place, and returns the data of others. */
export async function fillWithSubject(
  testApp: TestApp,
  workspace: TestWorkspace,
): Promise<{ others: string[]; traceId: string; fileKey: string; sharedFileKey: string }> {
  const { app, dataFolder } = testApp
  const [word, spanWord, fileWord] = uniqueWords as [string, string, string]
  await makeFeature(workspace)
  await makeEvaluator(workspace, { sampleRate: 0 })
  const record = async (fields: object, headers: Record<string, string> = {}): Promise<string> => {
    const logs = [{ id: 'g', type: 'generation', input: 'Hi', output: 'Hello' }]
    const body = { featureSlug: 'chat', logs, evaluators: [{ slug: 'polite' }], ...fields }
    return (await workspace.ok(operations.monitor.trace, body, { headers })).trace.id
  }
  const other = await record({ user: { id: 'bob', name: 'Bob' }, input: 'of Bob' })
  const shared = await record({ user: { id: 'bob', name: 'Bob' }, metadata: { sessionId: 'shared' } })
  const inShared = await record({ metadata: { sessionId: 'shared' } })
  const input = `She wrote ${word} to us.`
  const key = { 'idempotency-key': 'erased' }
  const traceId = await record({ user: subject, input, metadata: { sessionId: 'own' } }, key)
  await record({ user: subject, metadata: { sessionId: 'shared' } })
  await record({ input: `${word} again`, metadata: { sessionId: 'own' } })
  const otelTraceId = otlpTraceId()
  await sendScoresAhead(testApp, workspace, otelTraceId)
  await sendSpans(testApp, workspace, otelTraceId, [
    {
      spanId: '3'.repeat(16),
      name: spanWord,
      attributes: [
        { key: 'user.id', value: { stringValue: subject.id } },
        { key: 'gen_ai.prompt', value: { stringValue: spanWord } },
      ],
    },
  ])
  // A score by the subject on another user's trace.
  const score = { name: 'thumb', value: true, comment: word, userId: subject.id }
  await workspace.ok(operations.scores.create, { traceId: other, name: 'kept', value: 1 })
  await workspace.ok(operations.scores.create, { traceId: other, ...score })
  await app.flush()
  const { fileKey, sharedFileKey } = await fillDataset(testApp, workspace, { traceId, other, fileWord })
  const queue = await makeQueue(workspace, 0)
  await workspace.ok(operations.annotationQueues.add, {
    id: queue.id,
    items: [{ traceId }, { traceId: other }],
  })
  // A rejected body, and a record that the trace store rejected.
  await workspace.call(
    operations.monitor.trace,
    {},
    { payload: JSON.stringify({ name: 5, user: subject, input: word }) },
  )
  mkdirSync(join(dataFolder, 'refused'), { recursive: true })
  const refusedLine = (text: string) =>
    `${JSON.stringify({ table: 'logs', line: 0, error: 'x', content: JSON.stringify({ workspace_id: workspace.id, user_id: text }) })}\n`
  writeFileSync(
    join(dataFolder, 'refused', `${workspace.id}.ndjson`),
    refusedLine(subject.id) + refusedLine('somebody else'),
  )
  await workspace.ok(operations.views.create, {
    name: `Traces of ${subject.id}`,
    page: 'traces',
    search: `?user=${encodeURIComponent(subject.id)}`,
  })
  await workspace.ok(operations.dashboards.create, {
    slug: 'theirs',
    name: 'Theirs',
    charts: [{ title: 'Cost', measure: 'cost', chart: 'lines', filters: { userId: subject.id } }],
  })
  await workspace.ok(operations.alerts.create, {
    name: 'Theirs',
    measure: 'errorRate',
    windowMinutes: 5,
    condition: 'above',
    threshold: 0.5,
    filters: { userId: subject.id },
  })
  const liveRule = { filters: { userId: subject.id }, subject: 'trace', sampleRate: 0 } as const
  await workspace.ok(operations.evaluators.update, { slug: 'polite', liveRule })
  await app.jobsDrained()
  return { others: [other, shared, inShared], traceId, fileKey, sharedFileKey }
}

/** Sends scores of Langfuse clients for a trace of the subject that arrives later, and for one that never arrives. */
async function sendScoresAhead(
  { send }: TestApp,
  { key }: TestWorkspace,
  otelTraceId: string,
): Promise<void> {
  const score = { name: 'tone', value: 1, dataType: 'NUMERIC' }
  const scores = [
    { ...score, traceId: otelTraceId, comment: uniqueWords[0] },
    { ...score, traceId: otlpTraceId(), comment: `Said by ${subject.id}.` },
  ]
  for (const payload of scores) {
    const headers = { authorization: `Bearer ${key.secret}` }
    const response = await send({ method: 'POST', url: '/api/public/scores', payload, headers })
    assert.equal(response.status, 200, response.text)
  }
}

/** Adds rows made from a trace of the subject, one written by hand that names the subject, and one of another user. */
async function fillDataset(
  { send }: TestApp,
  workspace: TestWorkspace,
  { traceId, other, fileWord }: { traceId: string; other: string; fileWord: string },
): Promise<{ fileKey: string; sharedFileKey: string }> {
  const slug = 'cases'
  await makeDataset(workspace, {
    slug,
    columns: [
      { name: 'question', type: 'text' },
      { name: 'file', type: 'file' },
    ],
  })
  const [fileKey, sharedFileKey] = [
    await upload(workspace, send, fileWord),
    await upload(workspace, send, 'of both'),
  ]
  await workspace.ok(operations.datasets.collect, {
    slug,
    sources: [{ traceId }, { traceId: other }],
    mapping: { question: 'input' },
  })
  const key = { headers: { 'idempotency-key': 'row' } }
  const metadata = { user: subject.id }
  await workspace.ok(
    operations.datasets.add,
    { slug, values: { question: fileWord, file: fileKey }, metadata },
    key,
  )
  await workspace.ok(operations.datasets.add, { slug, values: { file: sharedFileKey }, metadata })
  await workspace.ok(operations.datasets.add, { slug, values: { question: 'Why?', file: sharedFileKey } })
  const removedRows = await workspace.ok(operations.datasets.append, {
    slug,
    rows: [{ values: { question: 'Who?' }, metadata }],
  })
  await workspace.ok(operations.datasetVersions.create, { slug })
  await workspace.ok(operations.datasets.discard, { slug, ids: removedRows.ids })
  return { fileKey, sharedFileKey }
}

async function upload(workspace: TestWorkspace, send: TestApp['send'], payload: string): Promise<string> {
  const file = { fileName: 'a.txt', contentType: 'text/plain' }
  const { uploadUrl, fileKey } = await workspace.ok(operations.files.sign, file)
  const { pathname, search } = new URL(uploadUrl)
  const headers = { 'content-type': 'text/plain' }
  const response = await send({ method: 'PUT', url: pathname + search, payload, headers })
  assert.equal(response.status, 200)
  return fileKey
}
