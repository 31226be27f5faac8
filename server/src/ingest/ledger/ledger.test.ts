import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControlStoreAway, type LedgerEntry } from '@plumbline/storage/control'
import type { Caller } from '../../requests/verb.ts'
import { makeLedger } from './ledger.ts'

test('counts that could not be written while the store was away are added to later ones', async () => {
  const now = new Date('2026-03-01T10:00:00Z')
  // Safe: only these fields of a caller are used for counting.
  const caller = { id: 'key', workspaceId: 'workspace' } as Caller
  const refuse = (sample: string) => ledger.addRefused(caller, 'invalid_request', Buffer.from(sample), now)
  let storedEntries: readonly LedgerEntry[] | undefined
  let isAway = true
  // Safe: a flush only calls `add`.
  const store = {
    async add(_token: null, entries: readonly LedgerEntry[]) {
      if (isAway) {
        refuse('second')
        ledger.addDeduplicated(caller, now)
        throw new ControlStoreAway()
      }
      storedEntries = entries
    },
  } as never
  const ledger = makeLedger(
    () => store,
    () => now,
    (_workspaceId, body) => String(body),
  )
  refuse('first')
  ledger.addDeduplicated(caller, now)
  await assert.rejects(ledger.flush(), ControlStoreAway)
  isAway = false
  await ledger.flush()
  assert.deepEqual(storedEntries, [
    {
      apiKeyId: 'key',
      time: now,
      deduplicated: 2,
      rejections: [{ reason: 'invalid_request', count: 2, sample: 'second', time: now }],
    },
  ])
})
