/** Repeatedly runs `kill -9` on the real server under load: everything that it acknowledged must be there, once. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { apiKey, type Body, makeLoad, type RecordedTrace, userId } from '../../testing/record-until-killed.ts'
import { type Running, startServer } from '../../testing/server-process.ts'
import { seededRandom } from '../statistics/seeded-random.ts'

const kills = 20
/** After this many kills, the next start is killed as well. */
const startKilledEvery = 4
const seed = 20_250_601
const readers = 24

async function get(url: string, path: string): Promise<{ status: number; json: unknown }> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } })
  return { status: response.status, json: await response.json() }
}

/** The names of records that cannot be read back as they were sent. */
async function findLost(url: string, records: readonly RecordedTrace[]): Promise<string[]> {
  const lostIds: string[] = []
  let next = 0
  const readRecords = async (): Promise<void> => {
    for (let each = records[next++]; each !== undefined; each = records[next++]) {
      const { status, json } = await get(url, `/monitor/traces/${each.id}`)
      if (status !== 200) lostIds.push(`${each.name}: ${status}`)
      else checkContent(each, (json as { trace: Body }).trace)
    }
  }
  await Promise.all(Array.from({ length: readers }, readRecords))
  return lostIds
}

function checkContent({ path, body, scores }: RecordedTrace, actual: Body): void {
  const logs = actual.logs as Body[]
  if (path === '/monitor/log') {
    const { name, user, metadata, slug, ...ofLog } = body
    assertHolds(actual, { name, user, metadata })
    assertHolds(logs[0]!, { ...ofLog, prompt: { slug } })
  } else {
    const { logs: sentLogs, ...ofTrace } = body as Body & { logs: Body[] }
    assertHolds(actual, ofTrace)
    assert.equal(logs.length, sentLogs.length)
    for (const [index, log] of sentLogs.entries()) assertHolds(logs[index]!, log)
  }
  const ids = (actual.scores as { id: string }[]).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'a score is there twice')
  for (const id of scores) assert.ok(ids.includes(id), 'an acknowledged score is lost')
}

function assertHolds(actual: Body, input: Body): void {
  for (const [field, value] of Object.entries(input)) assert.deepEqual(actual[field], value, field)
}

/** Resolves, once nothing is on its way to the trace store, with the number of records that the ledger counts. */
async function storedInLedger(url: string): Promise<number> {
  for (;;) {
    const { json } = await get(url, '/monitor/ledger')
    const { entries, pending } = json as { entries: { stored: number }[]; pending: number }
    if (pending === 0) return entries.reduce((sum, { stored }) => sum + stored, 0)
    await pause(50)
  }
}

async function listAll(url: string): Promise<{ id: string; name: string }[]> {
  const traces: { id: string; name: string }[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { json } = await get(
      url,
      `/monitor/traces?userId=${userId}&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    const page = json as { traces: typeof traces; nextCursor?: string }
    traces.push(...page.traces)
    cursor = page.nextCursor
  }
  return traces
}

test('everything acknowledged before kill -9 is there afterwards, once, over many kills', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  let running: Running | undefined
  context.after(async () => {
    await running?.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const random = seededRandom(seed)
  const load = makeLoad(random)
  const lostIds: string[] = []
  let checked = 0

  for (let kill = 0; kill < kills; kill++) {
    if (kill % startKilledEvery === startKilledEvery - 1) {
      running = startServer(folder, apiKey)
      await pause(random() * 1500)
      await running.stop('SIGKILL')
    }
    running = startServer(folder, apiKey)
    const url = await running.url
    // The last records before the kill, read while they are being replayed.
    lostIds.push(
      ...(await findLost(
        url,
        load.acknowledgedRecords.slice(Math.max(checked, load.acknowledgedRecords.length - 100)),
      )),
    )
    checked = load.acknowledgedRecords.length
    const loaded = load.recordUntilGone(url)
    await pause(150 + random() * 1350)
    await running.stop('SIGKILL')
    await loaded
  }

  running = startServer(folder, apiKey)
  const url = await running.url
  await load.retry(url)
  const storedCount = await storedInLedger(url)
  const listed = await listAll(url)
  lostIds.push(...(await findLost(url, load.acknowledgedRecords)))

  const ids = new Set(listed.map(({ id }) => id))
  const doubled = listed.length - new Set(listed.map(({ name }) => name)).size + (listed.length - ids.size)
  lostIds.push(
    ...load.acknowledgedRecords
      .filter(({ id }) => !ids.has(id))
      .map(({ name }) => `${name}: not in the list`),
  )
  context.diagnostic(
    `acknowledged ${load.acknowledgedRecords.length} traces in ${kills} kills, lost ${lostIds.length}, doubled ${doubled}`,
  )
  assert.deepEqual(lostIds, [])
  assert.equal(doubled, 0)
  assert.deepEqual(load.unansweredRequests, [])
  assert.ok(load.acknowledgedRecords.length > kills * 10, 'hardly anything was recorded')
  assert.equal(storedCount, listed.length, 'the ledger does not count what is stored')
  assert.equal(await running.stop('SIGTERM'), 0)
})
