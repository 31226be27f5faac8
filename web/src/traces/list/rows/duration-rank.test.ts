import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TraceSummary } from '@plumbline/sdk'
import { slowTraces } from './duration-rank.ts'

const trace = (featureSlug: string | null, durationMs: number | null) =>
  ({ featureSlug, totals: { durationMs } }) as TraceSummary
const row = (feature: string | null, traces: number) => ({
  feature,
  traces,
  p95DurationMs: 1000,
  p99DurationMs: 2000,
})

it('a trace is slow above the percentiles of its own feature', () => {
  const slowOf = slowTraces([row('chat', 100), row(null, 100)])
  assert.equal(slowOf(trace('chat', 900)), undefined)
  assert.match(slowOf(trace('chat', 1500)) ?? '', /p95 of chat/)
  assert.match(slowOf(trace(null, 2500)) ?? '', /p99 of traces without a feature/)
})

it('too few traces, another feature or a missing end give no rank', () => {
  const slowOf = slowTraces([row('chat', 5)])
  for (const [feature, ms] of [
    ['chat', 9000],
    ['other', 9000],
    ['chat', null],
  ] as const)
    assert.equal(slowOf(trace(feature, ms)), undefined)
})
