import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deliveryProof, proofMessage } from './delivery-proof.ts'

const sums = { received: 1204, stored: 1204, deduplicated: 0, rejected: 0 }

it('states that everything a key sent is stored', () => {
  const proof = deliveryProof({ keyName: 'Shop', sums, pending: 0 })
  assert.deepEqual(proof, { text: '1,204 sent by “Shop”, 1,204 stored.', isWhole: true })
  const instant = new Date('2026-11-22T00:00:00Z')
  assert.match(
    proofMessage(proof, instant, instant, instant),
    /stored\. 2026-11-22T00:00:00\.000Z to .* by the ledger at/,
  )
})

it('accounts for records that are not stored, and for those still on their way', () => {
  const proof = deliveryProof({
    keyName: undefined,
    sums: { received: 10, stored: 7, deduplicated: 2, rejected: 1 },
    pending: 3,
  })
  assert.equal(proof.isWhole, false)
  assert.equal(
    proof.text,
    '10 sent by all API keys, 7 stored, 2 repeated and stored once, 1 rejected, up to 3 of those stored still on their way to the trace store.',
  )
})
