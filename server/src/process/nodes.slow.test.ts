/** Several nodes act as one service: every node reads what another acknowledged, and nothing depends on one node's disk. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { makeNodeMutex } from '@plumbline/storage/control'
import { connectionNames } from '@plumbline/storage/control/testing'
import { eventually } from '../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan } from '../../testing/otlp-export.ts'
import { type SeveralNodes, startSeveralNodes } from '../../testing/several-nodes.ts'

const apiKey = 'pl_several_nodes_key_0123456789'
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const kills = 10
const tracesPerKill = 60

interface StoredTrace {
  readonly trace: {
    readonly name: string
    readonly logs: readonly unknown[]
    readonly id: string
    readonly output: unknown
    readonly scores: readonly { value: unknown }[]
  }
}

describe('several nodes', () => {
  let nodes: SeveralNodes
  before(async () => {
    nodes = await startSeveralNodes(3, apiKey)
  })
  after(() => nodes.stop())

  const post = async (url: string, path: string, body: unknown): Promise<Response> =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const record = async (url: string, output: string): Promise<string> => {
    const response = await post(url, '/monitor/trace', {
      name: 'of a node',
      output,
      logs: [{ id: randomUUID(), type: 'span', name: 'a log' }],
    })
    assert.equal(response.status, 200, await response.clone().text())
    return ((await response.json()) as { trace: { id: string } }).trace.id
  }
  const find = (url: string, id: string): Promise<Response> =>
    fetch(`${url}/monitor/traces/${id}`, { headers })

  it('another node reads and scores an acknowledged trace at once', async () => {
    let misses = 0
    for (let index = 0; index < 100; index++) {
      const [first, other, third] = nodes.urls.map((_, node) => nodes.urls[(node + index) % 3]!)
      const id = await record(first!, `output ${index}`)
      const response = await find(other!, id)
      if (response.status !== 200) misses++
      const scored = await post(third!, '/scores', { traceId: id, name: 'quality', value: index / 100 })
      if (scored.status >= 300) misses++
      const { trace } = (await (await find(other!, id)).json()) as StoredTrace
      if (trace.output !== `output ${index}` || trace.scores.length !== 1) misses++
    }
    assert.equal(misses, 0)
  })

  it('another node reads acknowledged spans at once, by either id, and the trace grows', async () => {
    let misses = 0
    for (let index = 0; index < 100; index++) {
      const [first, other] = [nodes.urls[index % 3]!, nodes.urls[(index + 1) % 3]!]
      const otelTraceId = idOf(1000 + index, 16)
      const send = async (url: string, spans: Parameters<typeof jsonExport>[0]) =>
        assert.equal((await post(url, '/v1/traces', jsonExport(spans))).status, 200)
      const child = { traceId: otelTraceId, spanId: idOf(1, 8), parentSpanId: idOf(0, 8), name: 'child' }
      await send(first, [jsonSpan(child)])
      const incomplete = (await (await find(other, otelTraceId)).json()) as StoredTrace
      if (incomplete.trace?.logs.length !== 1) misses++
      await send(other, [jsonSpan({ traceId: otelTraceId, spanId: idOf(0, 8), name: 'root' })])
      const whole = (await (await find(first, otelTraceId)).json()) as StoredTrace
      if (whole.trace?.name !== 'root' || whole.trace.logs.length !== 2) misses++
      const byOurs = (await (await find(nodes.urls[(index + 2) % 3]!, whole.trace.id)).json()) as StoredTrace
      if (byOurs.trace?.logs.length !== 2) misses++
    }
    assert.equal(misses, 0)
  })

  it('another node reads an uploaded file', async () => {
    const [first, other, third] = nodes.urls as [string, string, string]
    const bytes = randomBytes(700_000)
    const file = { fileName: 'a.bin', contentType: 'application/octet-stream' }
    const { uploadUrl, fileKey } = (await (await post(first, '/files/generate-upload-url', file)).json()) as {
      uploadUrl: string
      fileKey: string
    }
    const { pathname, search } = new URL(uploadUrl, first)
    const upload = await fetch(other + pathname + search, {
      method: 'PUT',
      headers: { 'content-type': file.contentType },
      body: bytes,
    })
    assert.equal(upload.status, 200, await upload.text())
    for (const url of nodes.urls) {
      const response = await fetch(`${url}/files/${fileKey}`, { headers })
      assert.equal(response.status, 200)
      assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())))
    }
    const deletion = await fetch(`${third}/files/${fileKey}`, { method: 'DELETE', headers })
    assert.equal(deletion.status, 204)
    assert.equal((await fetch(`${first}/files/${fileKey}`, { headers })).status, 404)
  })

  it('a deletion waits for changes that another node makes to stored traces', async () => {
    const [first, other] = nodes.urls as [string, string, string]
    const id = await record(first, 'to be deleted')
    const countListed = async (): Promise<number> => {
      const response = await fetch(`${first}/monitor/traces?q=${encodeURIComponent('"to be deleted"')}`, {
        headers,
      })
      return ((await response.json()) as { traces: unknown[] }).traces.length
    }
    await eventually(async () => assert.equal(await countListed(), 1))
    await makeNodeMutex(nodes.databaseUrl).runExclusive(async () => {
      assert.equal((await post(other, '/deletions', { ids: [id] })).status, 201)
      await eventually(async () => {
        const names = await connectionNames(nodes.databaseUrl)
        assert.equal(names.filter((name) => name === 'plumbline changes of traces').length, 2)
      })
      assert.equal(await countListed(), 1)
    })
    await eventually(async () => assert.equal(await countListed(), 0))
  })

  it(`loses and duplicates nothing when a node is killed under load, ${kills} times, with its disk`, async () => {
    const acknowledged: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const [victim] = nodes.urls
      let isKilled = false
      const countBefore = acknowledged.length
      const load = nodes.urls.map(async (url) => {
        for (let index = 0; index < tracesPerKill; index++) {
          try {
            acknowledged.push(await record(url, `kill ${kill}`))
          } catch (error) {
            if (url !== victim) throw error
            assert.ok(isKilled, String(error))
            return
          }
        }
      })
      await eventually(async () => assert.ok(acknowledged.length > countBefore + tracesPerKill / 2))
      isKilled = true
      await nodes.lose(victim!)
      await Promise.all(load)
      // The other nodes read them at once, and they are drained within half a minute.
      const last = acknowledged.slice(-20)
      for (const [index, id] of last.entries())
        assert.equal((await find(nodes.urls[index % nodes.urls.length]!, id)).status, 200)
      await nodes.start()
    }
    assert.equal(new Set(acknowledged).size, acknowledged.length)
    const missing: string[] = []
    for (const [index, id] of acknowledged.entries())
      if ((await find(nodes.urls[index % 3]!, id)).status !== 200) missing.push(id)
    assert.deepEqual(missing, [])
    await eventually(async () => {
      const metrics = await (await fetch(`${nodes.urls[0]}/metrics`)).text()
      assert.match(metrics, /^plumbline_spool_records 0$/m)
    })
    const listed = new Map<string, number>()
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ limit: '100', ...(cursor === undefined ? {} : { cursor }) })
      const page = (await (await fetch(`${nodes.urls[1]}/monitor/traces?${query}`, { headers })).json()) as {
        traces: { id: string }[]
        nextCursor?: string
      }
      for (const { id } of page.traces) listed.set(id, (listed.get(id) ?? 0) + 1)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(
      [...listed].filter(([, times]) => times > 1),
      [],
    )
    assert.deepEqual(
      acknowledged.filter((id) => !listed.has(id)),
      [],
    )
    console.log(`${acknowledged.length} acknowledged over ${kills} kills: 0 lost, 0 doubled`)
  })
})
