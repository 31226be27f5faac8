import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AlertRule } from '@plumbline/contract'
import { describeEvent } from './labels.ts'

const rule = (fields: Partial<AlertRule>): AlertRule => ({
  measure: 'cost',
  scoreName: null,
  evaluatorSlug: null,
  filters: {},
  windowMinutes: 1440,
  condition: 'above',
  threshold: 10,
  recoveryThreshold: null,
  forMinutes: 0,
  keepFiringForMinutes: 0,
  minimumSamples: 1,
  noData: 'ok',
  delaySeconds: 30,
  ...fields,
})
const firing = { type: 'firing', reason: 'threshold' } as const

it('shows a value with enough decimals to distinguish it from the threshold', () => {
  const describe = (value: number, fields: Partial<AlertRule> = {}): string =>
    describeEvent({ ...firing, value }, rule(fields))
  assert.equal(describe(10.0004), 'Cost over 1 day is $10.0004, above $10.')
  assert.equal(describe(12.3456), 'Cost over 1 day is $12.35, above $10.')
  assert.equal(describe(10.006, { threshold: 10.005 }), 'Cost over 1 day is $10.006, above $10.005.')
  assert.equal(
    describe(0.050004, { measure: 'errorRate', threshold: 0.05 }),
    'Error rate over 1 day is 5.0004%, above 5%.',
  )
  assert.equal(
    describe(1500.4, { measure: 'p95DurationMs', threshold: 1500 }),
    'p95 latency over 1 day is 1.5004 s, above 1.5 s.',
  )
})

it('shows a value that equals the threshold as it is', () => {
  assert.equal(
    describeEvent({ type: 'resolved', reason: 'threshold', value: 10 }, rule({})),
    'Cost over 1 day is $10, no longer above $10.',
  )
})
