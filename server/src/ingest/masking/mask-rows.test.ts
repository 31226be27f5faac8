import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldEntries, type MaskingRule } from '@plumbline/contract'
import type { StoredTrace } from '@plumbline/storage/traces'
import { testLog, testScore, testTrace } from '../../../../storage/traces/testing/testing.ts'
import { compileRules } from './compile-rules.ts'
import { maskStoredTrace } from './mask-rows.ts'

const email: MaskingRule = { type: 'detector', detector: 'email', name: 'E-mail', action: 'mask' }

const mask = (trace: StoredTrace, rules: readonly MaskingRule[] = [email]): StoredTrace =>
  maskStoredTrace(trace, compileRules(rules, Buffer.from('key')), { deadline: { isOver: () => false } })

/** Text fields that are not masked, and why. */
const unmasked: Readonly<Record<string, string>> = {
  feature: 'the slug of a feature, which must be there',
  experiment: 'an id that the service made',
  trace: 'an id that the service made',
  type: 'one of few words',
}

const secret = 'write to a@example.com'
const sampleOf = (type: string): unknown =>
  type === 'list' ? ['x', secret] : type === 'json' ? JSON.stringify({ text: secret }) : secret

/** `user_id` is `userId` in a row. */
const propertyOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

describe('a stored trace', () => {
  const row = testTrace({ workspaceId: 'w' })
  const texts = fieldEntries.filter(([name, { type }]) => /text|list|json/.test(type) && !(name in unmasked))

  for (const [name, { type, column, logColumn, tuple }] of texts)
    it(`is masked in its field ${name}`, () => {
      const trace: Record<string, unknown> = { ...row }
      const log: Record<string, unknown> = { ...testLog(row) }
      if (tuple !== undefined) trace[tuple.column] = [{ slug: secret, version: secret }]
      else if (column !== undefined) {
        assert.ok(propertyOf(column) in trace, `a row has no ${propertyOf(column)}`)
        trace[propertyOf(column)] = sampleOf(type)
      }
      if (logColumn !== undefined) {
        assert.ok(propertyOf(logColumn) in log, `a row of a log has no ${propertyOf(logColumn)}`)
        log[propertyOf(logColumn)] = secret
      }
      const masked = mask({ trace, logs: [log], scores: [] } as unknown as StoredTrace)
      const text = JSON.stringify([masked.trace, masked.logs], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      assert.ok(text.includes('write to [email]'), text)
      assert.ok(!text.includes('@example.com'), text)
    })

  it('keeps fields in which the rules match nothing, one by one', () => {
    const storedRows = { trace: row, logs: [testLog(row)], scores: [testScore(row)] }
    assert.deepEqual(mask(storedRows), storedRows)
  })

  it('is masked by paths in fields that were taken from its metadata', () => {
    const trace = { ...row, metadata: '{"sessionId":"s-1"}', sessionId: 's-1', release: '1' }
    const rules: MaskingRule[] = [
      { type: 'path', path: 'metadata.sessionId', name: 'Session', action: 'mask', text: '[s]' },
    ]
    const masked = mask({ trace, logs: [], scores: [] }, rules).trace
    assert.deepEqual([masked.metadata, masked.sessionId, masked.release], ['{"sessionId":"[s]"}', '[s]', '1'])
  })
})
