import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newTraces } from './new-traces.ts'

const trace = (id: string, receivedAt: string) => ({ id, receivedAt })

it('a trace received before the list was loaded is not new, whenever it started', () => {
  const listed = [trace('backfilled', '2026-01-02'), trace('older', '2026-01-01')]
  assert.equal(newTraces([trace('backfilled', '2026-01-02')], listed, '2026-01-02'), 0)
  assert.equal(newTraces([trace('unseen', '2026-01-01')], listed, '2026-01-02'), 0)
  assert.equal(
    newTraces([trace('arrived', '2026-01-03'), trace('backfilled', '2026-01-02')], listed, '2026-01-02'),
    1,
  )
})

it('a trace in two requests counts once', () => {
  const arrived = trace('arrived', '2026-01-03')
  assert.equal(newTraces([arrived, arrived], [trace('older', '2026-01-01')], ''), 1)
})
