import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutFirst } from './segment-file.ts'

test('a write that was cut short goes on with the very next byte', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 5 }),
      fc.nat(25),
      (chunks, byteCount) => {
        const whole = Buffer.concat(chunks)
        const rest = withoutFirst(chunks, Math.min(byteCount, whole.length))
        assert.deepEqual(Buffer.concat(rest), whole.subarray(Math.min(byteCount, whole.length)))
      },
    ),
  )
  assert.deepEqual(withoutFirst([Buffer.from('ab'), Buffer.from('c')], 3), [])
})
