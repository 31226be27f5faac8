/** Operator review, finding 8: bytes that were corrupted on disk. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { openTraceStore } from '../open.ts'
import { batchOf, makeTraceFolder, testLog, testTrace } from '../testing/testing.ts'
import type { DamagedPart } from '../types.ts'
import { openClients } from './clients.ts'

const rowsInPart = 200
const everything = { limit: 2 * rowsInPart + 10 }

/** Closes the store even if the test fails: the engine allows one folder per process. */
async function openStore(context: TestContext, folder: string, onDamage?: (part: DamagedPart) => void) {
  const store = await openTraceStore({ folder }, onDamage === undefined ? {} : { onDamage })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= store.close())
  context.after(close)
  return { ...store, close }
}

/** A store with two parts of traces, and the paths of one of them. */
async function makeStore(context: TestContext) {
  const folder = await makeTraceFolder()
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openStore(context, folder)
  for (const user of ['ada', 'bob']) {
    const traces = Array.from({ length: rowsInPart }, () =>
      testTrace({ workspaceId: 'w', userId: user, cost: 1, input: JSON.stringify(`hello ${user}`) }),
    )
    await store.insert(batchOf({ traces, logs: traces.map((trace) => testLog(trace)) }))
  }
  await store.close()
  const clients = openClients({ folder })
  const [part] = await clients.read<{ name: string; path: string }>(
    `SELECT name, path FROM system.parts WHERE active AND table = 'traces' ORDER BY name`,
    {},
  )
  await clients.close()
  return { folder, part: part! }
}

function flipBytes(path: string): void {
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  for (let index = middle; index < Math.min(middle + 512, bytes.length); index++) bytes[index]! ^= 0xff
  writeFileSync(path, bytes)
}

for (const file of ['data.bin', 'primary.cidx', 'skp_idx_user_ids.idx'])
  it(`a part whose ${file} is damaged is set aside, and reads continue without it`, async (context) => {
    const { folder, part } = await makeStore(context)
    flipBytes(join(part.path, file))
    const reported: DamagedPart[] = []
    const store = await openStore(context, folder, (damage) => reported.push(damage))
    const traces = store.scopedTo('w')
    // Several concurrent reads hit the same part: it is set aside once.
    const [listed, filtered] = await Promise.all([
      traces.list({}, everything),
      traces.list({ where: [{ field: 'user', is: ['bob'] }] }, everything),
      traces.facets({}, { fields: ['user'], limit: 10 }),
      traces.measure({ measures: ['traces', 'p95DurationMs'], dimensions: ['user'], filters: {} }),
    ])
    assert.equal(listed.traces.length, file.startsWith('skp') ? 2 * rowsInPart : rowsInPart)
    assert.equal(filtered.traces.length, rowsInPart)
    assert.equal(reported.length, 1)
    const [damage] = store.damagedParts()
    assert.deepEqual(
      { table: damage?.table, part: damage?.part, rows: damage?.rows },
      { table: 'traces', part: part.name, rows: rowsInPart },
    )
    await store.close()
    // The next start knows about it and does not report it again.
    const again = await openStore(context, folder, () => assert.fail('reported twice'))
    assert.deepEqual(
      again.damagedParts().map(({ part: name, rows }) => ({ name, rows })),
      [{ name: part.name, rows: rowsInPart }],
    )
    assert.deepEqual((await again.checkParts({ isRepair: false })).damagedParts, [])
    await again.close()
  })

it('a check names the damaged part, and sets it aside only as a repair', async (context) => {
  const { folder, part } = await makeStore(context)
  const intact = await openStore(context, folder)
  const before = await intact.checkParts({ isRepair: false })
  assert.ok(before.parts >= 4)
  assert.deepEqual([before.damagedParts, before.missingParts], [[], []])
  await intact.close()
  flipBytes(join(part.path, 'data.bin'))
  const store = await openStore(context, folder)
  const checked = await store.checkParts({ isRepair: false })
  assert.deepEqual(
    checked.damagedParts.map(({ table, part: name, rows }) => ({ table, name, rows })),
    [{ table: 'traces', name: part.name, rows: rowsInPart }],
  )
  assert.match(checked.damagedParts[0]!.problem, /data\.bin/)
  assert.deepEqual(checked.missingParts, [])
  const repaired = await store.checkParts({ isRepair: true })
  assert.deepEqual(
    repaired.missingParts.map(({ part: name }) => name),
    [part.name],
  )
  assert.deepEqual((await store.checkParts({ isRepair: true })).damagedParts, [])
  assert.equal((await store.scopedTo('w').list({}, everything)).traces.length, rowsInPart)
  await store.close()
})

it('a part that the engine leaves out at startup is reported, with its rows', async (context) => {
  const { folder, part } = await makeStore(context)
  flipBytes(join(part.path, 'columns.txt'))
  const store = await openStore(context, folder)
  const [damage] = store.damagedParts()
  assert.deepEqual(
    { table: damage?.table, part: damage?.part, rows: damage?.rows },
    { table: 'traces', part: `broken-on-start_${part.name}`, rows: rowsInPart },
  )
  await store.close()
})

it('reads that exceed their time or memory report that and set nothing aside', async (context) => {
  const { folder } = await makeStore(context)
  const clients = openClients({ folder })
  await assert.rejects(
    clients.search(
      `SELECT count() FROM numbers(1e12) WHERE NOT ignore(number)
       SETTINGS max_execution_time = 0.1, max_threads = 1`,
      {},
    ),
    { name: 'TraceStoreUnavailable', reason: 'too slow' },
  )
  await assert.rejects(
    clients.search('SELECT groupArray(number) FROM numbers(1e9) SETTINGS max_memory_usage = 50000000', {}),
    { name: 'TraceStoreUnavailable', reason: 'too large' },
  )
  await clients.close()
})
