/**
 * A hundred thousand requests that no client should send, over all operations including streams: each gets a response that
 * the interface allows, and nothing breaks. PLUMBLINE_FUZZ_REQUESTS sets the number.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { allOperations, operations } from '@plumbline/contract'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { seededRandom } from '../../src/statistics/seeded-random.ts'
import {
  makeDataset,
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
} from '../test-app.ts'
import type { FuzzReport, FuzzTask } from './fuzz-worker.ts'
import { fuzzedRoutes } from './fuzzed-routes.ts'
import { type FuzzedRequest, Fuzzer, withoutExample } from './fuzzer.ts'
import { wireOf } from './wire.ts'

const seed = 20_250_602
const requests = Number(hostEnvironment.PLUMBLINE_FUZZ_REQUESTS ?? 100_000)
const overSocket = 400

const served = await startTestApp()
const workspace = await served.newWorkspace()
await makeFeature(workspace)
await makeLivePrompt(workspace, { text: 'Say {{ name }}.', version: '1.0.0' })
await makeDataset(workspace)
await makeEvaluator(workspace)
const authorization = `Bearer ${workspace.key.secret}`

/** Checks that a response is allowed, whatever the request was. */
function check(request: FuzzedRequest, status: number, text: string): void {
  const report = () =>
    JSON.stringify({
      ...request,
      payload: request.payload.toString('latin1').slice(0, 2000),
      status,
      text: text.slice(0, 500),
    })
  assert.ok(status < 500, report())
  if (status < 400 || request.method === 'HEAD') return
  let error: unknown
  try {
    error = (JSON.parse(text) as { error: unknown }).error
  } catch {
    assert.fail(report())
  }
  assert.ok(typeof error === 'string' && error !== '', report())
}

test('every operation with a body is fuzzed', () => {
  assert.deepEqual(
    withoutExample.map(({ name }) => name),
    [],
  )
})

test('100,000 malformed requests never break the service, and each gets an allowed response', async (context) => {
  const { recordedIds, ...report } = await fuzz()
  for (const [name, value] of Object.entries(report))
    if (name !== 'targets') context.diagnostic(`${name}: ${JSON.stringify(value)}`)
  assert.deepEqual(report.failures, [])
  const total = Object.values(report.classes).reduce((sum, count) => sum + count, 0)
  context.diagnostic(
    `requests: ${total}, of which ${report.closed} connections were closed without a response`,
  )
  assert.equal(total, requests)
  // Otherwise the key was lost on the way, and nothing that requires one was fuzzed.
  assert.ok((report.statuses[401] ?? 0) < requests / 20)
  const names = Object.keys(report.targets)
  assert.deepEqual(
    allOperations.map(({ name }) => name).filter((name) => !names.includes(name) && !isFile(name)),
    [],
    'an operation was not called',
  )
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)

  await served.app.flush()
  const aside = join(served.dataFolder, 'refused')
  assert.deepEqual(existsSync(aside) ? readdirSync(aside) : [], [], 'an accepted record was put aside')
  const deleted = await deletedTraces()
  const answers = await Promise.all(recordedIds.map((id) => workspace.call(operations.traces.get, { id })))
  const missing = answers.filter(({ status }) => status !== 200)
  assert.ok(missing.every(({ status }) => status === 404))
  assert.ok(missing.length <= deleted, `${missing.length} traces are missing, and ${deleted} were deleted`)
  await readEverything()
})

/** Counts deleted traces, since a malformed body may still request a deletion; one that lost its filter deletes all traces. */
async function deletedTraces(): Promise<number> {
  await served.app.jobsDrained()
  let count = 0
  for (const list of [listDeletions, listErasures])
    for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
      const page = await list({ limit: 100, ...(cursor !== undefined && { cursor }) })
      for (const { deleted } of page.requests) count += deleted.traces ?? 0
      cursor = page.nextCursor
    }
  return count
}

const listDeletions = async (input: object) => {
  const { deletions, nextCursor } = await workspace.ok(operations.deletions.list, input)
  return { requests: deletions, nextCursor }
}

const listErasures = async (input: object) => {
  const { erasures, nextCursor } = await workspace.ok(operations.erasures.list, input)
  return { requests: erasures, nextCursor }
}

/** Operations whose body is a file are among the routes. */
const isFile = (name: string): boolean =>
  allOperations.find((operation) => operation.name === name)?.takes !== undefined

/** Sends the requests from another thread, over several connections. */
async function fuzz(): Promise<FuzzReport> {
  const task: FuzzTask = {
    port: Number(new URL(await served.listen()).port),
    seed,
    requests,
    connections: 8,
    authorization,
    // An owner of another workspace, who deletes it once both its name and the deletion come up.
    personHeaders: (await (await served.newWorkspace()).signIn('owner')).headers,
    routes: await fuzzedRoutes(workspace),
    exports: [
      '/export',
      '/datasets/cases/export?format=jsonl',
      '/monitor/traces/export?format=jsonl',
      '/audit/export',
      '/datasets/cases',
    ],
  }
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), { workerData: task })
  const [report] = (await once(worker, 'message')) as [FuzzReport]
  await worker.terminate()
  return report
}

test('malformed bytes over a socket get the same responses', async () => {
  const address = await served.listen()
  const port = Number(new URL(address).port)
  const random = seededRandom(seed)
  const fuzzer = new Fuzzer(random, { authorization })
  for (let count = 0; count < overSocket; count++) {
    const request = fuzzer.next()
    for (const { status, text } of await exchange(port, spoilWire(wireOf(request), random)))
      check(request, status, text)
  }
  await readEverything()
})

/** Checks that a valid trace is accepted, and that everything stored can be listed. */
async function readEverything(): Promise<void> {
  const { trace } = await recordTrace(workspace, { name: 'good', output: { still: 'here' } })
  assert.deepEqual(trace.output, { still: 'here' })
  await served.app.flush()
  const { traces, datasets, prompts, evaluators, features, experiments, keys, prices, ledger } = operations
  for (const { list } of [traces, datasets, prompts, evaluators, features, experiments, keys, prices, ledger])
    await workspace.ok(list, {})
  const { datasets: all } = await workspace.ok(datasets.list, {})
  for (const { slug } of all) await workspace.ok(datasets.get, { slug })
}

/** Half of the requests are sent unchanged; the others are cut, or have one byte of their head changed. */
function spoilWire(wire: Buffer, random: () => number): Buffer {
  const draw = random()
  if (draw < 0.5) return wire
  if (draw < 0.6) return wire.subarray(0, Math.floor(random() * wire.length))
  const spoiled = Buffer.from(wire)
  spoiled[Math.floor(random() * Math.min(120, wire.length))] = Math.floor(random() * 256)
  return spoiled
}

/** Sends bytes, ends its half, and returns every response that arrived before the server closed the connection. */
function exchange(port: number, wire: Buffer): Promise<{ status: number; text: string }[]> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(wire))
    socket.on('data', (piece) => pieces.push(piece))
    // A server may reset a connection if it does not want to read the rest.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answersIn(Buffer.concat(pieces))))
  })
}

/** The responses whose whole body arrived; responses in chunks are successes. */
function answersIn(bytes: Buffer): { status: number; text: string }[] {
  const answers: { status: number; text: string }[] = []
  for (let start = 0; ; ) {
    const end = bytes.indexOf('\r\n\r\n', start)
    const head = bytes.toString('latin1', start, end < 0 ? start : end)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    if (Number.isNaN(status)) return answers
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    answers.push({ status, text: bytes.toString('utf8', end + 4, end + 4 + length) })
    start = end + 4 + length
  }
}
