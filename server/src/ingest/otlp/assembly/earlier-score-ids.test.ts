/** Scores stored by an earlier version, which derived their ids in another way. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { StoredTrace } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { openTraceStore } from '@plumbline/storage/traces'
import { encodeScores } from '@plumbline/storage/traces/rows'
import { pino } from 'pino'
import { idOf, jsonExport, jsonSpan } from '../../../../testing/otlp-export.ts'
import { createApp } from '../../../app.ts'
import { readConfig } from '../../../config.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(dataFolder, { recursive: true, force: true }))

const key = `pl_${'k'.repeat(40)}`
const start = () =>
  createApp({
    config: readConfig({ PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0', PLUMBLINE_API_KEY: key }),
    dataFolder,
    logger: pino({ level: 'silent' }),
    now: () => new Date(),
  })

const traceId = idOf(1, 16)
const evaluationEvent = (number: number, value: number) => ({
  name: 'gen_ai.evaluation.result',
  timeUnixNano: `176000000${number}000000000`,
  attributes: [
    { key: 'gen_ai.evaluation.name', value: { stringValue: 'relevance' } },
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: value } },
  ],
})
const span = (number: number, events: readonly object[]) =>
  jsonSpan({
    ...{ traceId, spanId: idOf(number, 8), events },
    ...(number === 1 ? {} : { parentSpanId: idOf(1, 8) }),
  })

/** The id that earlier versions gave the event at a position of a span. */
function earlierId(spanId: string, position: number, name: string): string {
  const hex = createHash('sha256').update(`${traceId}/${spanId}/${position}/${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

test('a score stored by an earlier version is not stored again when its trace is assembled again', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const use = async <Result>(work: (app: Awaited<ReturnType<typeof start>>) => Promise<Result>) => {
    const app = await start()
    try {
      return await work(app)
    } finally {
      await app.close()
    }
  }
  const send = async ({ server }: Awaited<ReturnType<typeof start>>, spans: readonly object[]) => {
    const payload = JSON.stringify(jsonExport(spans))
    const response = await server.inject({ method: 'POST', url: '/v1/traces', headers, payload })
    assert.equal(response.payload, '{}')
  }
  const read = async ({ server }: Awaited<ReturnType<typeof start>>): Promise<StoredTrace> =>
    (await server.inject({ url: `/monitor/traces/${traceId}`, headers })).json().trace

  const first = await use(async (app) => {
    await send(app, [span(1, [])])
    await app.flush()
    return read(app)
  })
  const store = await openTraceStore({ folder: join(dataFolder, 'traces') })
  const { trace } = (await store.scopedTo(defaultWorkspaceId).find(first.id))!
  const score = {
    ...{ workspaceId: trace.workspaceId, traceId: first.id, logId: idOf(2, 8), sessionId: null },
    ...{ name: 'relevance', comment: null, source: 'otlp' as const, evaluatorSlug: null },
    ...{ evaluatorVersion: null, model: null, judgeTraceId: null, cost: null, inputTokens: null },
    ...{ outputTokens: null, apiKeyId: trace.apiKeyId, author: null, userId: null, revision: 0 },
  }
  const scores = [
    { value: 0.5, createdAtMs: 1_760_000_001_000 },
    { value: 0.75, createdAtMs: 1_760_000_002_000 },
  ].map((each, position) => ({ ...score, ...each, scoreId: earlierId(idOf(2, 8), position, 'relevance') }))
  const noRows = Buffer.alloc(0)
  await store.insert({ token: 'earlier', traces: noRows, logs: noRows, scores: encodeScores(scores) })
  await store.close()

  await use(async (app) => {
    const valuesOf = async () => (await read(app)).scores.map(({ value }) => value).sort()
    await send(app, [span(2, [evaluationEvent(1, 0.5), evaluationEvent(2, 0.75), evaluationEvent(3, 0.75)])])
    assert.deepEqual(await valuesOf(), [0.5, 0.75, 0.75])
    await app.flush()
    assert.deepEqual(await valuesOf(), [0.5, 0.75, 0.75])
    // From then on it is settled which of them are stored under which id.
    await send(app, [span(3, [])])
    await app.flush()
    assert.deepEqual(await valuesOf(), [0.5, 0.75, 0.75])
  })
})
