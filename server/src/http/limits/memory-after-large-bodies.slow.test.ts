/** M4: what large bodies cost in memory is given back: the real process is near its level again some time afterwards. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../../../fixtures/eventually.ts'
import { apiKey } from '../../../testing/record-until-killed.ts'
import { type Running, startServer } from '../../../testing/server-process.ts'

const mebibyte = 2 ** 20
/** A body may have as many bytes. */
const bodyBytesMax = 16 * mebibyte
const rounds = 6
/** What the process may have more than before: caches of the engine, pages that are free and not returned. */
const growthMax = 300 * mebibyte

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

async function post(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
  })
  await response.arrayBuffer()
  return response.status
}

const filled = (start: string, piece: string, end: string): Buffer => {
  const count = Math.floor((bodyBytesMax - start.length - end.length) / piece.length)
  return Buffer.from(start + piece.repeat(count) + end)
}

/** Those of the review, and legal ones of the same size. */
const bodies = (): readonly {
  path: string
  body: Buffer
  headers?: Record<string, string>
  status: number
}[] => {
  const path = '/monitor/trace'
  return [
    { path, body: filled('{"input":"', 'A sentence of a case. ', '"}'), status: 200 },
    { path, body: filled('{"input":[', '{},', '{}]}'), status: 200 },
    { path, body: Buffer.from('['.repeat(bodyBytesMax)), status: 400 },
    { path, body: filled('[', '{},', '{}]'), status: 400 },
    {
      path,
      body: gzipSync(Buffer.alloc(500 * mebibyte, ' ')),
      headers: { 'content-encoding': 'gzip' },
      status: 413,
    },
    {
      path: '/import',
      body: gzipSync(Buffer.alloc(500 * mebibyte, 'x')),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/x-ndjson' },
      status: 400,
    },
  ]
}

/** Resolves once nothing is on its way to the trace store. */
const drained = (url: string): Promise<void> =>
  eventually(async () => {
    const response = await fetch(`${url}/monitor/ledger`, { headers: { authorization: `Bearer ${apiKey}` } })
    assert.equal(((await response.json()) as { pending: number }).pending, 0)
  })

test('memory returns to its level after large bodies (M4)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  let running: Running | undefined
  t.after(async () => {
    await running?.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  running = startServer(folder, apiKey)
  const url = await running.url
  // What is loaded at the first use is part of the level.
  const small = Buffer.from(JSON.stringify({ input: 'x'.repeat(200_000), logs: [{ id: 'a', type: 'span' }] }))
  for (let index = 0; index < 50; index++) assert.equal(await post(`${url}/monitor/trace`, small), 200)
  await drained(url)
  const before = await residentBytes(url)
  let highest = before
  for (let round = 0; round < rounds; round++)
    for (const { path, body, headers, status } of bodies()) {
      assert.equal(await post(url + path, body, headers), status, `${path} ${body.length}`)
      highest = Math.max(highest, await residentBytes(url))
    }
  await drained(url)
  const shown = (bytes: number): string => `${Math.round(bytes / mebibyte)} MiB`
  t.diagnostic(`before ${shown(before)}, at its highest ${shown(highest)}`)
  const after = await eventually(async () => {
    const rss = await residentBytes(url)
    assert.ok(rss < before + growthMax, `${shown(rss)} of ${shown(before)} before`)
    return rss
  })
  t.diagnostic(`afterwards ${shown(after)}`)
})
