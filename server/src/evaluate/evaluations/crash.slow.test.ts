/**
 * `kill -9`, twice, during evaluation, with models that fail in every way: each sampled trace ends with a score or on the
 * list of failed evaluations, and none has two scores. PLUMBLINE_TEST_EVALUATIONS sets the number of traces, such as 10000.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { OutputOf, operations } from '@plumbline/contract'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { type Running, startServer } from '../../../testing/server-process.ts'

const traces = Number(hostEnvironment.PLUMBLINE_TEST_EVALUATIONS ?? 600)
/** When the server is killed: at these shares of ended evaluations. */
const killedAt = [0.25, 0.6]
/** Each model fails in its own way, some of the time; retries fail as often as first attempts. */
const models = ['fake-429-20', 'fake-500-20', 'fake-cut-10', 'fake-malformed-30', 'fake-hang-2', 'gpt-4o']
const apiKey = 'pl_crash_test_key_0011223344'
const writers = 16

type ListOutput = OutputOf<typeof operations.evaluations.list>
type Listing = ListOutput['evaluations'][number]
type ScoreOutput = OutputOf<typeof operations.scores.list>

test('every sampled trace is judged once or given up, despite kills and failing models', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const provider = await startModelServer({ retryAfterSeconds: 0 })
  let running: Running | undefined
  context.after(async () => {
    await running?.stop('SIGKILL')
    await provider.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async (): Promise<string> => {
    running = startServer(folder, apiKey, {
      PLUMBLINE_PRIVATE_MODEL_URLS: 'true',
      PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0',
    })
    return running.url
  }
  const call = async (url: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${path} answered ${response.status}`)
    return response.json()
  }
  const listAll = async <Item, Page extends { nextCursor?: string }>(
    url: string,
    path: string,
    itemsOf: (page: Page) => readonly Item[],
  ): Promise<Item[]> => {
    const items: Item[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = (await call(url, `${path}limit=1000${cursor && `&cursor=${cursor}`}`)) as Page
      items.push(...itemsOf(page))
      cursor = page.nextCursor
    }
    return items
  }
  const countsOf = async (url: string) => ((await call(url, '/evaluations?limit=1')) as ListOutput).counts
  const waitUntilEnded = async (url: string, count: number): Promise<void> => {
    for (;;) {
      const { doneToday, skippedToday, failed } = await countsOf(url)
      if (doneToday + skippedToday + failed >= count) return
      await pause(50)
    }
  }

  let url = await start()
  const { connection } = (await call(url, '/connections', {
    name: 'Failing',
    provider: 'open-ai',
    apiKey: 'sk-any',
    baseUrl: provider.url,
    concurrencyMax: 32,
  })) as OutputOf<typeof operations.connections.create>
  for (const model of models)
    await call(url, '/evaluators', {
      slug: model,
      name: model,
      kind: 'llm',
      config: {
        connectionId: connection.id,
        model,
        template: 'Is {{ output }} right?',
        verdict: { type: 'boolean' },
        timeoutMs: 500,
      },
    })
  await call(url, '/evaluators', { slug: 'rule', name: 'Rule', kind: 'contains', config: { value: '1' } })

  const expected = new Set<string>()
  let next = 0
  const write = async (): Promise<void> => {
    for (let index = next++; index < traces; index = next++) {
      const slugs = [models[index % models.length]!, ...(index % 4 === 0 ? ['rule'] : [])]
      const input = {
        output: `answer ${index}`,
        evaluators: slugs.map((slug) => ({ slug })),
        evaluationConfig: { sampleRate: 1 },
      }
      const { trace } = (await call(url, '/monitor/trace', input)) as { trace: { id: string } }
      for (const slug of slugs) expected.add(`${trace.id} ${slug}`)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))

  const startedAt = performance.now()
  for (const share of killedAt) {
    await waitUntilEnded(url, share * expected.size)
    await running?.stop('SIGKILL')
    url = await start()
  }
  await waitUntilEnded(url, expected.size)
  const seconds = (performance.now() - startedAt) / 1000

  const evaluations = await listAll<Listing, ListOutput>(url, '/evaluations?', (page) => page.evaluations)
  const scores = await listAll<ScoreOutput['scores'][number], ScoreOutput>(
    url,
    '/scores?source=evaluator&',
    (page) => page.scores,
  )
  const keyOf = (row: { traceId: string; evaluatorSlug: string | null }) =>
    `${row.traceId} ${row.evaluatorSlug}`
  const failed = evaluations.filter(({ status }) => status === 'failed')
  context.diagnostic(
    `${traces} traces, ${expected.size} evaluations: ${scores.length} scores and ${failed.length} given up in ${seconds.toFixed(1)} s with ${killedAt.length} kills; ${evaluations.filter(({ attempts }) => attempts > 1).length} were tried more than once`,
  )
  assert.deepEqual(new Set(evaluations.map(keyOf)), expected)
  assert.equal(evaluations.length, expected.size)
  assert.equal(new Set(scores.map(({ id }) => id)).size, scores.length, 'a score is there twice')
  assert.deepEqual(
    new Set([...scores, ...failed].map(keyOf)),
    expected,
    'an evaluation has neither a score nor failed',
  )
  assert.equal(scores.length + failed.length, expected.size, 'an evaluation has a score and has failed')
  for (const { problem } of failed) assert.ok(problem, 'one was given up without a reason')
  assert.equal(await running?.stop('SIGTERM'), 0)
})
