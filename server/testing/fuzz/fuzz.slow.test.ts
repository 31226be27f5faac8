/** Ten thousand requests that no client should send: each is answered as the interface says, and nothing breaks. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { seededRandom } from '../seeded-random.ts'
import {
  makeDataset,
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
  type TestApp,
} from '../test-app.ts'
import { type FuzzedRequest, makeFuzzer, withoutExample } from './make-fuzzer.ts'

const seed = 20_250_602
const injected = 10_000
const overSocket = 400

const served = await startTestApp()
const workspace = await served.newWorkspace()
await makeFeature(workspace)
await makeLivePrompt(workspace, { text: 'Say {{ name }}.', version: '1.0.0' })
await makeDataset(workspace)
await makeEvaluator(workspace)

/** What an answer must be, whatever was asked. */
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

test('every operation that takes a body is fuzzed', () => {
  assert.deepEqual(
    withoutExample.map(({ name }) => name),
    [],
  )
})

test('spoiled requests never break the service', async (context) => {
  const next = makeFuzzer(seededRandom(seed), `Bearer ${workspace.key.secret}`)
  const statuses = new Map<number, number>()
  const recorded: string[] = []
  for (let count = 0; count < injected; count++) {
    const request = next()
    // Such addresses can be sent over a socket only.
    if (!URL.canParse(request.url, 'http://localhost')) continue
    const { status, text } = await served.send(request as Parameters<TestApp['send']>[0])
    check(request, status, text)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (
      status === 200 &&
      request.method === 'POST' &&
      request.url.startsWith('/monitor/') &&
      !request.url.includes('experiments')
    )
      recorded.push((JSON.parse(text) as { trace: { id: string } }).trace.id)
  }
  context.diagnostic(`statuses: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)

  await served.app.flush()
  const aside = join(served.dataFolder, 'refused')
  assert.deepEqual(existsSync(aside) ? readdirSync(aside) : [], [], 'an accepted record was put aside')
  for (const id of recorded.filter((_, index) => index % 10 === 0))
    await workspace.ok(operations.traces.get, { id })
  await readEverything()
})

test('spoiled bytes over a socket are answered in the same way', async () => {
  const address = await served.listen()
  const port = Number(new URL(address).port)
  const random = seededRandom(seed)
  const next = makeFuzzer(random, `Bearer ${workspace.key.secret}`)
  for (let count = 0; count < overSocket; count++) {
    const request = next()
    for (const { status, text } of await exchange(port, spoilWire(wireOf(request), random)))
      check(request, status, text)
  }
  await readEverything()
})

/** A good trace is taken, and whatever was stored can be listed. */
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

function wireOf({ method, url, headers, payload }: FuzzedRequest): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    'content-length': String(payload.length),
    connection: 'close',
    ...headers,
  })
  const head = `${method} ${url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), payload])
}

/** Half of the requests go as they are; the others are cut, or have a byte of their head changed. */
function spoilWire(wire: Buffer, random: () => number): Buffer {
  const draw = random()
  if (draw < 0.5) return wire
  if (draw < 0.6) return wire.subarray(0, Math.floor(random() * wire.length))
  const spoiled = Buffer.from(wire)
  spoiled[Math.floor(random() * Math.min(120, wire.length))] = Math.floor(random() * 256)
  return spoiled
}

/** Sends bytes, closes its half, and gives every answer that came before the server closed too. */
function exchange(port: number, wire: Buffer): Promise<{ status: number; text: string }[]> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(wire))
    socket.on('data', (piece) => pieces.push(piece))
    // A server may reset a connection whose rest it does not want to read.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answersIn(Buffer.concat(pieces))))
  })
}

/** Answers of which the whole body came; those that are sent in chunks are successes. */
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
