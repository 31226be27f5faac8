/**
 * `kill -9`, twice, during a run, with models that fail in every way: each case ends as done or as failed with the reason,
 * and none is recorded twice. Then the same with two nodes that share their stores, one of which dies.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { OutputOf, operations } from '@plumbline/contract'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { startServer } from '../../../testing/server-process.ts'

const rows = 25
const models = ['fake-429-20', 'fake-500-20', 'fake-malformed-20', 'fake-400']
const killedAt = [0.25, 0.6]
const apiKey = 'pl_crash_test_key_0011223344'
const settings = { PLUMBLINE_PRIVATE_MODEL_URLS: 'true', PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0' }

type Run = OutputOf<typeof operations.experimentRuns.create>['run']
type Cases = OutputOf<typeof operations.experimentRuns.cases>['cases']
type Traces = OutputOf<typeof operations.traces.list>['traces']

async function call<Answer>(url: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${path} answered ${response.status}: ${await response.clone().text()}`)
  return (await response.json()) as Answer
}

/** A dataset and a prompt, and one run with each model. */
async function startRuns(url: string, provider: string): Promise<Run[]> {
  await call(url, '/features', { slug: 'chat', name: 'Chat' })
  await call(url, '/prompts', { slug: 'greeting', name: 'Greeting', featureSlug: 'chat' })
  await call(url, '/prompts/greeting/versions', { text: 'Answer {{ question }}', version: '1.0.0' })
  await call(url, '/evaluators', {
    slug: 'short',
    name: 'Short',
    kind: 'length',
    config: { max: 1_000_000 },
  })
  await call(url, '/datasets', {
    slug: 'cases',
    name: 'Cases',
    columns: [{ name: 'question', type: 'text' }],
  })
  await call(url, '/datasets/cases/items/bulk', {
    rows: Array.from({ length: rows }, (_, index) => ({ values: { question: `number ${index}` } })),
  })
  const { connection } = await call<OutputOf<typeof operations.connections.create>>(url, '/connections', {
    name: 'Failing',
    provider: 'open-ai',
    apiKey: 'sk-any',
    baseUrl: provider,
    concurrencyMax: 16,
  })
  const runs: Run[] = []
  for (const model of models) {
    const target = {
      type: 'prompt',
      slug: 'greeting',
      version: '1.0.0',
      connectionId: connection.id,
      model,
    }
    const input = { datasetSlug: 'cases', target, evaluatorSlugs: ['short'], concurrency: 4 }
    runs.push((await call<{ run: Run }>(url, '/experiment-runs', input)).run)
  }
  return runs
}

const standingOf = async (url: string, runs: readonly Run[]) => {
  const all = await Promise.all(runs.map(({ id }) => call<{ run: Run }>(url, `/experiment-runs/${id}`)))
  return all.map(({ run }) => run)
}

async function hasEnded(url: string, runs: readonly Run[], share: number): Promise<void> {
  await eventually(async () => {
    const standing = await standingOf(url, runs)
    const ended = standing.reduce((sum, { counts }) => sum + counts.done + counts.failed, 0)
    assert.ok(ended >= share * rows * models.length, `${ended} have ended`)
    if (share === 1) for (const { status } of standing) assert.equal(status, 'done')
  })
}

/** Traces and logs of an experiment, from the roll-ups or from the tables. */
async function countsOf(url: string, experimentId: string, granularity: string): Promise<number[]> {
  const { rows: resultRows } = await call<{ rows: Record<string, number | string>[] }>(
    url,
    `/metrics/query?measures=traces,logs&dimensions=experiment&granularity=${granularity}`,
  )
  const own = resultRows.filter(({ experiment }) => experiment === experimentId)
  return ['traces', 'logs'].map((column) => own.reduce((sum, row) => sum + Number(row[column]), 0))
}

async function checkRecorded(url: string, runs: readonly Run[]): Promise<string> {
  let failures = 0
  for (const { id, experimentId } of runs) {
    const { cases } = await call<{ cases: Cases }>(url, `/experiment-runs/${id}/cases?limit=1000`)
    assert.equal(cases.length, rows)
    const done = cases.filter(({ status }) => status === 'done')
    for (const { status, problem } of cases) if (status !== 'done') assert.ok(problem, status)
    failures += rows - done.length
    const traces = await eventually(async () => {
      const page = await call<{ traces: Traces }>(
        url,
        `/monitor/traces?experimentId=${experimentId}&limit=1000`,
      )
      assert.equal(page.traces.length, done.length)
      return page.traces
    })
    assert.deepEqual(
      traces.map((trace) => trace.id).toSorted(),
      done.map(({ traceId }) => traceId).toSorted(),
    )
    // While a trace is replaced, both of its revisions exist for a moment.
    for (const granularity of ['hour', 'minute'])
      await eventually(async () => {
        const counted = await countsOf(url, experimentId, granularity)
        assert.deepEqual(counted, [done.length, 2 * done.length], granularity)
      })
    await eventually(async () => {
      const judging = await call<OutputOf<typeof operations.experiments.judging>>(
        url,
        `/monitor/experiments/${experimentId}/judging`,
      )
      assert.deepEqual([judging.hasEnded, judging.judged], [true, done.length])
    })
  }
  return `${rows * runs.length} cases, ${failures} of them failed`
}

test('every case is recorded once or has failed with the reason, despite kills and failing models', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const provider = await startModelServer({ retryAfterSeconds: 0 })
  let running = startServer(folder, apiKey, settings)
  context.after(async () => {
    await running.stop('SIGKILL')
    await provider.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let url = await running.url
  const runs = await startRuns(url, provider.url)
  for (const share of killedAt) {
    await hasEnded(url, runs, share)
    await running.stop('SIGKILL')
    running = startServer(folder, apiKey, settings)
    url = await running.url
  }
  await hasEnded(url, runs, 1)
  context.diagnostic(await checkRecorded(url, runs))
  assert.equal(await running.stop('SIGTERM'), 0)
})

test('with two nodes each case runs on one, and a case that a dead node had begun is not recorded twice', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const provider = await startModelServer({ retryAfterSeconds: 0 })
  const engine = await startHttpEngine(join(folder, 'engine'))
  const postgres = await emptyDatabase()
  assert.ok('url' in postgres.location)
  const shared = {
    ...settings,
    PLUMBLINE_SECRET_KEY: 'a secret that both nodes of this test share',
    DATABASE_URL: postgres.location.url,
    CLICKHOUSE_URL: engine.url,
  }
  const start = (name: string) => startServer(join(folder, name), apiKey, shared)
  const nodes = [start('one'), start('other')]
  context.after(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await provider.close()
    await engine.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const [, url] = (await Promise.all(nodes.map((node) => node.url))) as [string, string]
  const runs = await startRuns(url, provider.url)
  await hasEnded(url, runs, 0.3)
  await nodes[0]!.stop('SIGKILL')
  const back = start('one')
  nodes.push(back)
  await back.url
  await hasEnded(url, runs, 1)
  context.diagnostic(await checkRecorded(url, runs))
})
