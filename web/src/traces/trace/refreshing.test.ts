import assert from 'node:assert/strict'
import { it } from 'node:test'
import { evaluationsRefreshMs, isGoingOn, traceRefreshMs } from './refreshing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const timeBefore = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString()

it('a trace without an end may grow if something arrived recently', () => {
  const isGoingOnFrom = (receivedMinutes: number, startMinutes = receivedMinutes) =>
    isGoingOn(
      { endTime: null, startTime: timeBefore(startMinutes), receivedAt: timeBefore(receivedMinutes) },
      now,
    )
  assert.equal(isGoingOnFrom(2), true)
  assert.equal(isGoingOnFrom(2, 180), true)
  assert.equal(isGoingOnFrom(180), false)
})

it('an ended trace may grow until it has settled', () => {
  const refreshesAfter = (minutes: number) =>
    isGoingOn(
      { endTime: timeBefore(minutes), startTime: timeBefore(minutes), receivedAt: timeBefore(minutes) },
      now,
    )
  assert.equal(refreshesAfter(1), true)
  assert.equal(refreshesAfter(2), false)
})

it('a large trace is refreshed less often', () => {
  const trace = { endTime: null, startTime: timeBefore(1), receivedAt: timeBefore(1) }
  const withLogs = (logCount: number) => traceRefreshMs({ ...trace, logCount }, now)
  assert.equal(withLogs(3), 2000)
  assert.equal(withLogs(3000), 10_000)
  assert.equal(traceRefreshMs(undefined, now), undefined)
})

it('evaluations are polled while one is waiting or running', () => {
  assert.equal(evaluationsRefreshMs(undefined), undefined)
  assert.equal(evaluationsRefreshMs([{ status: 'done' }, { status: 'failed' }]), undefined)
  assert.equal(evaluationsRefreshMs([{ status: 'done' }, { status: 'running' }]), 2000)
})
