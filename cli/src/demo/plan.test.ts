import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, operations } from '@plumbline/contract'
import { checkTrace } from '../../../server/src/ingest/monitor/check-trace.ts'
import { makeValidator } from '../../../server/src/requests/validate.ts'
import { makeCalendar } from './calendar.ts'
import { readFixtureTraces } from './fixture-traces.ts'
import { experiments } from './material/workspace.ts'
import { markOf, planSessions, planSpecials } from './plan.ts'
import type { PlannedRecord } from './scene.ts'

const nowMs = Date.UTC(2026, 5, 17, 15, 30)
const ids = new Map(
  experiments.map(({ name }, index) => [name, `00000000-0000-7000-8000-00000000000${index}`]),
)
const partsOf = (seed: number) => ({ seed, nowMs, days: 30, experiments: ids })
const firstOf = (seed: number, count: number): PlannedRecord[] => [...planSessions(partsOf(seed)).take(count)]

const validateTrace = makeValidator(operations.monitor.trace)
const validateLog = makeValidator(operations.monitor.log)
const validateScore = makeValidator(operations.scores.create)

function checkBodies({ type, body, scores }: PlannedRecord): void {
  // The client sends JSON, which leaves undefined fields out.
  const json: unknown = JSON.parse(JSON.stringify(body))
  const validate = type === 'trace' ? validateTrace : validateLog
  validate({ params: {}, query: {}, body: json })
  for (const score of scores) validateScore({ params: {}, query: {}, body: { ...score, traceId: 'any' } })
}

const depthOf = (logs: readonly Log[], log: Log): number =>
  log.parentId == null ? 1 : 1 + depthOf(logs, logs.find(({ id }) => id === log.parentId)!)

test('the same seed and the same time give the same bodies, byte for byte', () => {
  assert.equal(JSON.stringify(firstOf(1, 400)), JSON.stringify(firstOf(1, 400)))
  assert.equal(
    JSON.stringify(planSpecials(partsOf(1), readFixtureTraces)),
    JSON.stringify(planSpecials(partsOf(1), readFixtureTraces)),
  )
})

test('another seed gives other bodies', () => {
  assert.notEqual(JSON.stringify(firstOf(1, 20)), JSON.stringify(firstOf(2, 20)))
})

test('every body of a session is valid, causes no warning, and lies in the calendar', async () => {
  const { startMs } = makeCalendar({ nowMs, days: 30 })
  for (const planned of firstOf(1, 1500)) {
    checkBodies(planned)
    assert.equal(planned.body.metadata?.demo, markOf(1))
    if (planned.type === 'trace') assert.deepEqual(await checkTrace(planned.body, new Date(nowMs)), [])
    const start = new Date(planned.body.startTime ?? Number.NaN).getTime()
    const end = new Date(planned.body.endTime ?? Number.NaN).getTime()
    assert.ok(start >= startMs && end >= start && end <= nowMs, JSON.stringify(planned.body).slice(0, 300))
  }
})

test('the fixtures and the odd traces are valid, and only the intended ones cause warnings', async () => {
  const specials = planSpecials(partsOf(1), readFixtureTraces)
  for (const planned of specials) {
    checkBodies(planned)
    if (planned.type === 'trace' && planned.isOdd !== true)
      assert.deepEqual(await checkTrace(planned.body, new Date(nowMs)), [])
  }
  assert.ok(specials.some(({ isOdd }) => isOdd))
})

test('sessions cover every feature, and agents go six levels deep', () => {
  const traces = firstOf(1, 1500).filter((record) => record.type === 'trace')
  const features = new Set(traces.map(({ body }) => body.featureSlug))
  assert.deepEqual([...features].sort(), [
    'code-review',
    'docs-search',
    'invoice-extraction',
    'sales-agent',
    'support-chat',
    'translation',
  ])
  const depths = traces.flatMap(({ body: { logs } }) => logs?.map((log) => depthOf(logs, log)) ?? [])
  assert.equal(Math.max(...depths), 6)
})

test('each turn of a session sends all previous turns again', () => {
  const turns = firstOf(1, 600).filter(({ body }) => body.metadata?.channel !== undefined)
  const bySession = Map.groupBy(turns, ({ body }) => body.metadata?.sessionId)
  const longest = [...bySession.values()].sort((first, second) => second.length - first.length)[0]!
  const sizes = longest.map(({ body }) =>
    'logs' in body ? JSON.stringify(body.logs?.find(({ name }) => name === 'answer')?.input).length : 0,
  )
  assert.ok(sizes.length >= 4)
  assert.ok(sizes.at(-1)! > sizes[0]! * 1.5)
})
