/** Exports of many rows through a real socket: the memory used is printed, and must be far less than the file size. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { testLog, testTrace } from '@plumbline/storage/traces/testing'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'
import { Seal } from './bundle.ts'
import { writeTraceLine } from './trace-line.ts'

// A service of its own, since the memory of other tests would be measured too.
const { app, newWorkspace, listen } = await startTestApp({})
const url = await listen()
const workspace = await newWorkspace()

const rowCount = 200_000
const traceCount = 20_000
const text = 'A sentence of a case, as long as such sentences are. '.repeat(4)
const mebibyte = 2 ** 20

/** Downloads and discards a file; returns its size, and the peak memory growth. */
async function measure(path: string, { key } = workspace): Promise<{ bytes: number; growthBytes: number }> {
  const before = process.memoryUsage().rss
  let highest = before
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key.secret}` },
  })
  assert.equal(response.status, 200)
  let bytes = 0
  // Safe: in Node a web stream can be iterated.
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    highest = Math.max(highest, process.memoryUsage().rss)
  }
  return { bytes, growthBytes: highest - before }
}

const report = (what: string, { bytes, growthBytes }: { bytes: number; growthBytes: number }): string =>
  `${what}: ${Math.round(bytes / mebibyte)} MiB, memory grew by ${Math.round(growthBytes / mebibyte)} MiB`

it(`${rowCount} rows of a dataset are exported in constant memory`, async (t) => {
  await makeDataset(workspace)
  const { datasetRows } = app.control.scopedTo({ workspaceId: workspace.id })
  for (let done = 0; done < rowCount; done += 5000) {
    const rows = Array.from({ length: 5000 }, (_none, index) => ({
      values: JSON.stringify({ question: `${done + index} ${text}` }),
    }))
    await datasetRows.addMany('cases', rows, new Date())
  }
  for (const format of ['jsonl', 'csv', 'parquet']) {
    const measured = await measure(`/datasets/cases/export?format=${format}`)
    t.diagnostic(report(`datasets.export as ${format}`, measured))
    assert.ok(measured.growthBytes < 250 * mebibyte)
  }
})

it(`${traceCount} traces are imported and exported in constant memory`, async (t) => {
  const to = await newWorkspace()
  const parts = 4
  for (let part = 0; part < parts; part++) {
    const seal = new Seal()
    const lines = ['{"type":"bundle","version":1}']
    for (let index = 0; index < traceCount / parts; index++) {
      const input = JSON.stringify(`${part} ${index} ${text}`)
      const trace = testTrace({
        workspaceId: to.id,
        startUs: BigInt(part * traceCount + index),
        input,
        logCount: 1,
      })
      lines.push(writeTraceLine({ trace, logs: [testLog(trace, { output: input })], scores: [] }))
    }
    for (const line of lines) seal.add(line)
    const payload = `${[...lines, JSON.stringify(seal.end())].join('\n')}\n`
    const headers = { 'content-type': 'application/x-ndjson' }
    const { counts } = await to.ok(operations.exchange.import, {}, { payload, headers })
    assert.deepEqual(counts, [{ what: 'traces', read: traceCount / parts, added: traceCount / parts }])
  }
  for (const path of [
    '/monitor/traces/export?format=jsonl',
    '/monitor/traces/export?format=parquet',
    '/export',
  ]) {
    const measured = await measure(path, to)
    t.diagnostic(report(path, measured))
    assert.ok(measured.growthBytes < 600 * mebibyte)
  }
})
