import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readParquet } from './parquet.ts'

// Written by pyarrow: three rows of decimals in 4, 8 and 16 bytes, of instants and of days.
const file = fileURLToPath(new URL('../../fixtures/exchange/decimals.parquet', import.meta.url))

it('decimals, instants and days keep their digits', async () => {
  assert.deepEqual(await Array.fromAsync(readParquet(file)), [
    {
      price: 0.35,
      rate: 1e-7,
      id: '9223372036854775807',
      micros: '2026-01-02T03:04:05.123456Z',
      nanos: '2026-01-02T03:04:05.123456789Z',
      day: '2026-01-02',
    },
    {
      price: -1.2,
      rate: 0,
      id: `-1${'0'.repeat(36)}1`,
      micros: '1969-12-31T23:59:59.999999Z',
      nanos: '1970-01-01T00:00:00.000000001Z',
      day: '1969-12-31',
    },
    {
      price: null,
      rate: -1e-12,
      id: 9_007_199_254_740_991,
      micros: '2026-01-02T03:04:05.120Z',
      nanos: null,
      day: null,
    },
  ])
})
