/**
 * Ten kinds of personal data, sent over every interface, appear in no file of the data folder: not after a `kill -9`
 * between acknowledgement and drain, not after the drain, and not after a clean stop.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { type MaskingRule, maskingDetectors } from '@plumbline/contract'
import { freePort } from '../../../../fixtures/free-port.ts'
import { idOf, jsonExport, jsonSpan } from '../../../testing/otlp-export.ts'
import { startServer } from '../../../testing/server-process.ts'
import { makeSecret } from '../../accounts/keys/secret.ts'

const apiKey = 'masking-test-key'
/** Texts that no file may contain. They are parts that no replacement could contain either, so that half a match is found too. */
const personal = {
  email: 'jane.roe@private-mail.example',
  phone: '+49 151 23456789',
  card: '4111 1111 1111 1111',
  iban: 'DE89 3704 0044 0532 0130 00',
  ip: '203.0.113.77',
  ipv6: '2001:db8:85a3::8a2e:370:7334',
  aws: 'AKIAIOSFODNN7EXAMPLE',
  openai: `sk-proj-${'Ab1'.repeat(16)}`,
  own: makeSecret(),
  employee: 'EMP-4455667',
  passport: 'C01X00T47',
}
const needles = Object.values(personal)
const sentence = `Data: ${needles.join(' ; ')} .`

const rules: MaskingRule[] = [
  { type: 'path', path: '**.passport', name: 'passports', action: 'drop' },
  { type: 'pattern', pattern: 'EMP-\\d{7}|C01X\\w{5}', name: 'staff', action: 'mask' },
  ...maskingDetectors.map(
    (detector, index): MaskingRule => ({
      type: 'detector',
      detector,
      name: detector,
      action: index % 2 === 0 ? 'mask' : 'hash',
    }),
  ),
]

const nested = {
  text: sentence,
  list: [{ deep: { text: sentence } }],
  [sentence]: 'a key',
  json: JSON.stringify({ text: sentence, again: JSON.stringify({ text: sentence }) }),
  card: 4111111111111111,
  passport: personal.passport,
}

const traceBody = {
  name: sentence,
  user: { id: personal.email, name: sentence },
  organization: { id: sentence, name: sentence },
  input: nested,
  output: sentence,
  idealOutput: nested,
  metadata: { ...nested, sessionId: personal.email },
  evaluators: [{ slug: personal.email }],
  ignored: sentence,
  logs: [
    {
      id: 'a',
      type: 'span',
      name: sentence,
      input: sentence,
      metadata: { error: { message: sentence } },
      variables: sentence,
    },
    {
      id: 'b',
      type: 'generation',
      parentId: 'a',
      input: [{ role: 'user', content: sentence }],
      output: nested,
      variables: [{ label: 'text', value: nested }, sentence],
      prompt: { slug: personal.email, tag: personal.phone },
    },
  ],
}

const value = (text: string) => ({ stringValue: text })
const attributes = [
  {
    key: 'gen_ai.input.messages',
    value: value(JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: sentence }] }])),
  },
  { key: 'output.value', value: value(sentence) },
  { key: 'user.id', value: value(personal.email) },
  { key: sentence, value: value('a key') },
  { key: 'basalt.span.feature_slug', value: value(personal.email) },
  {
    key: 'deep',
    value: { kvlistValue: { values: [{ key: 'x', value: { arrayValue: { values: [value(sentence)] } } }] } },
  },
  { key: 'bytes', value: { bytesValue: Buffer.from(sentence).toString('base64') } },
]
const spanOf = (number: number) =>
  jsonSpan({
    traceId: idOf(number, 16),
    spanId: idOf(number, 8),
    name: sentence,
    attributes,
    events: [
      {
        name: 'exception',
        timeUnixNano: '1760000000500000000',
        attributes: [
          { key: 'exception.message', value: value(sentence) },
          { key: 'exception.stacktrace', value: value(`Error: ${sentence}\n  at x`) },
        ],
      },
    ],
    links: [{ traceId: idOf(number, 16), spanId: idOf(number, 8), attributes }],
    status: { code: 2, message: sentence },
    traceState: sentence,
  })

const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as {
  opentelemetry: {
    proto: {
      collector: { trace: { v1: Record<string, { encode(value: object): { finish(): Uint8Array } }> } }
    }
  }
}

function protobufOf(number: number): Buffer {
  const { traceId, spanId, links: _, attributes: __, ...span } = spanOf(number)
  const [bytes, ...others] = [...attributes].reverse()
  return Buffer.from(
    opentelemetry.proto.collector.trace.v1
      .ExportTraceServiceRequest!.encode({
        resourceSpans: [
          {
            resource: { attributes: others },
            scopeSpans: [
              {
                scope: { name: sentence, attributes: others },
                spans: [
                  {
                    ...span,
                    kind: 1,
                    traceId: Buffer.from(traceId, 'hex'),
                    spanId: Buffer.from(spanId, 'hex'),
                    attributes: [
                      ...others,
                      { key: bytes!.key, value: { bytesValue: Buffer.from(sentence) } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      })
      .finish(),
  )
}

/** The files of a folder that contain one of the texts, in UTF-8, in base64 or escaped as in JSON. */
function findIn(folder: string): string[] {
  const hits: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    for (const needle of needles) if (bytes.includes(needle)) hits.push(`${path}: ${needle}`)
  }
  return hits
}

const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const call = async (
  url: string,
  path: string,
  body?: object | string | Buffer,
  extra = {},
  method = 'POST',
) => {
  const response = await fetch(url + path, {
    headers: { ...headers, ...extra },
    ...(body === undefined
      ? {}
      : { method, body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  } as RequestInit)
  const text = await response.text()
  return {
    status: response.status,
    text,
    json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  }
}

function exportOverGrpc(port: number, bytes: Buffer): Promise<void> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${apiKey}`)
  return new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest(
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      (message: Buffer) => message,
      (message: Buffer) => message,
      bytes,
      metadata,
      (error) => (error === null ? resolve() : reject(error)),
    )
  }).finally(() => client.close())
}

/** Sends all of it over every interface; returns the ids of the traces. */
async function sendAll(url: string, grpcPort: number): Promise<string[]> {
  const json = JSON.stringify(traceBody)
  const ids: string[] = []
  const record = async (path: string, body: object | string | Buffer, extra = {}) => {
    const { status, text, json: answer } = await call(url, path, body, extra)
    assert.equal(status, 200, text)
    for (const needle of needles) assert.ok(!text.includes(needle), `the response repeats ${needle}`)
    ids.push((answer.trace as { id: string }).id)
  }
  await record('/monitor/trace', json, { 'idempotency-key': 'once' })
  await record('/monitor/trace', gzipSync(json), { 'content-encoding': 'gzip' })
  await record('/monitor/trace', brotliCompressSync(json), { 'content-encoding': 'br' })
  // Large enough for the worker.
  await record('/monitor/trace', { ...traceBody, output: `${'word '.repeat(100_000)}${sentence}` })
  await record('/monitor/log', {
    slug: personal.email,
    output: nested,
    input: sentence,
    user: traceBody.user,
    metadata: nested,
  })
  const score = await call(
    url,
    '/scores',
    { traceId: ids[0], name: sentence, value: sentence, comment: sentence, userId: personal.email },
    { 'idempotency-key': 'score' },
  )
  assert.equal(score.status, 201, score.text)
  for (const refused of [
    { ...traceBody, logs: sentence },
    { ...traceBody, featureSlug: personal.email },
    `${json.slice(0, -1)},`,
    json.slice(0, 700),
  ])
    assert.ok((await call(url, '/monitor/trace', refused)).status >= 400)
  for (const [path, body, type] of [
    [
      '/v1/traces',
      JSON.stringify(jsonExport([spanOf(1), { ...spanOf(2), traceId: 'no id' }])),
      'application/json',
    ],
    ['/v1/traces', protobufOf(3), 'application/x-protobuf'],
    [
      '/v1/logs',
      JSON.stringify({
        resourceLogs: [
          {
            scopeLogs: [
              {
                logRecords: [
                  {
                    traceId: idOf(1, 16),
                    spanId: idOf(1, 8),
                    eventName: 'gen_ai.user.message',
                    timeUnixNano: '1760000000600000000',
                    body: value(sentence),
                    attributes,
                  },
                ],
              },
            ],
          },
        ],
      }),
      'application/json',
    ],
  ] as const) {
    const answer = await call(url, path, body, { 'content-type': type })
    assert.equal(answer.status, 200, answer.text)
  }
  await exportOverGrpc(grpcPort, protobufOf(4))
  return [...ids, idOf(1, 16), idOf(3, 16), idOf(4, 16)]
}

async function waitForDrain(url: string): Promise<void> {
  while (((await call(url, '/monitor/ledger')).json as { pending: number }).pending > 0) await pause(50)
}

test('personal data of ten kinds is in no file, whichever interface it came by, even after a kill before the drain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-masking-'))
  const grpcPort = await freePort()
  const start = () => startServer(folder, apiKey, { OTLP_GRPC_PORT: String(grpcPort), LOG_LEVEL: 'debug' })
  let output = ''
  let server = start()
  try {
    let url = await server.url
    const set = await call(url, '/masking', { rules }, {}, 'PUT')
    assert.equal(set.status, 200, set.text)
    const ids = await sendAll(url, grpcPort)
    output += server.banner()
    await server.stop('SIGKILL')
    assert.deepEqual(findIn(folder), [], 'after a kill, before all of it was drained')

    server = start()
    url = await server.url
    await waitForDrain(url)
    await sendAll(url, grpcPort)
    await waitForDrain(url)
    for (const path of [
      ...ids.map((id) => `/monitor/traces/${id}`),
      '/monitor/ledger',
      '/monitor/traces?limit=100',
      '/scores',
    ]) {
      const { status, text } = await call(url, path)
      assert.equal(status, 200, `${path} ${text}`)
      for (const needle of needles) assert.ok(!text.includes(needle), `${path} shows ${needle}`)
    }
    const { text } = await call(url, `/monitor/traces/${ids[0]}`)
    for (const replacement of ['[email]', '[phone:', '[card:', '[iban]', '[ip]', '[api-key:', '[masked]'])
      assert.ok(text.includes(replacement), replacement)
    assert.deepEqual(findIn(folder), [], 'while it runs')
    output += server.banner()
    await server.stop('SIGTERM')
    assert.deepEqual(findIn(folder), [], 'after a clean stop')
    for (const needle of needles) assert.ok(!output.includes(needle), `the log shows ${needle}`)
  } finally {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the search finds personal data that was stored without rules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-masking-'))
  const server = startServer(folder, apiKey)
  try {
    const url = await server.url
    assert.equal((await call(url, '/monitor/trace', traceBody)).status, 200)
    await server.stop('SIGKILL')
    const hits = findIn(folder)
    for (const needle of needles)
      assert.ok(
        hits.some((each) => each.endsWith(needle)),
        needle,
      )
  } finally {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
