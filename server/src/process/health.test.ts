import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { type ControlStore, openControlStore } from '@plumbline/storage/control'
import { openFileSpool, type Spool } from '@plumbline/storage/spool'
import type { TraceStore } from '@plumbline/storage/traces'
import { eventually } from '../../../fixtures/eventually.ts'
import { type Health, makeHealthCheck } from './health.ts'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-'))
const spoolFolder = join(folder, 'spool')
const spool = await openFileSpool({
  folder: spoolFolder,
  bytesMax: 1e9,
  recordsMax: 1000,
  segmentBytesMax: 1e6,
  onDamage: () => {},
})
const control: ControlStore = await openControlStore({ file: join(folder, 'control.db') })
/** Only the ping of an engine that has stopped responding, since a real engine cannot be made to. */
const storeThat = (...pings: (() => Promise<boolean>)[]) =>
  ({ pings }) as Pick<TraceStore, 'pings'> as TraceStore

/** On a busy machine even a healthy disk may respond late once. */
const assertHealth = (check: () => Promise<Health>, health: Health): Promise<void> =>
  eventually(async () => assert.deepEqual(await check(), health))

it('a node whose trace store hangs is ready, and reports it within a second', async () => {
  const health = makeHealthCheck({ control, spool, traceStore: storeThat(() => new Promise(() => {})) })
  const degraded = { problem: undefined, degradedParts: ['the trace store'], areShardsUp: [false] } as const
  await Promise.all([assertHealth(health.check, degraded), assertHealth(health.check, degraded)])
})

it('reports a shard that hangs while the others respond', async () => {
  const traceStore = storeThat(
    async () => true,
    () => new Promise(() => {}),
    async () => true,
  )
  await assertHealth(makeHealthCheck({ control, spool, traceStore }).check, {
    problem: undefined,
    degradedParts: ['shard 2 of the trace store'],
    areShardsUp: [true, false, true],
  })
})

it('a node whose control plane is unavailable is ready: it accepts records and serves prompts from memory', async () => {
  const closed = await openControlStore({ file: join(folder, 'closed.db') })
  await closed.close()
  const health = makeHealthCheck({ control: closed, spool, traceStore: storeThat(async () => true) })
  await assertHealth(health.check, {
    problem: undefined,
    degradedParts: ['the control plane'],
    areShardsUp: [true],
  })
})

it('a node whose spool hangs reports whether it is on disk or in PostgreSQL', async () => {
  /** A real engine cannot be made to hang. */
  const spoolThatHangs = (isShared: boolean) =>
    ({ isShared, problem: () => new Promise(() => {}) }) as Partial<Spool> as Spool
  const problems = [false, true].map(async (isShared) => {
    const parts = { control, spool: spoolThatHangs(isShared), traceStore: storeThat(async () => true) }
    return (await makeHealthCheck(parts).check()).problem
  })
  assert.deepEqual(await Promise.all(problems), [
    'The spool disk does not respond.',
    'PostgreSQL, which holds the spool, does not respond.',
  ])
})

it('a node whose spool cannot be written is not ready, and ready again once it can', async () => {
  const health = makeHealthCheck({ control, spool, traceStore: storeThat(async () => true) })
  const healthy = { problem: undefined, degradedParts: [], areShardsUp: [true] }
  await assertHealth(health.check, healthy)
  await rm(spoolFolder, { recursive: true })
  await assertHealth(health.check, { ...healthy, problem: 'The spool could not be written.' })
  await mkdir(spoolFolder)
  await assertHealth(health.check, healthy)
  await spool.close()
  await control.close()
  await rm(folder, { recursive: true })
})
