import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import { makeUnavailableLog } from './unavailable-log.ts'

test('one refusal per second is logged for each reason, with the number left out', () => {
  const lines: unknown[] = []
  const note =
    (level: string) =>
    ({ requestId, leftOut }: { requestId: string; leftOut?: number }, message: string) =>
      void lines.push([level, requestId, leftOut, message])
  let timeMs = 0
  // Safe: the log calls only these two, with an object and a sentence.
  const logger = { warn: note('warn'), error: note('error') } as never
  const log = makeUnavailableLog(logger, () => timeMs)
  const [full, damaged] = [
    new ServiceError('store_full', { store: 'spool' }),
    new ServiceError('store_damaged', { store: 'trace store' }),
  ]
  const refuse = (requestId: string, error: ServiceError): void =>
    log({ requestId, operation: 'monitor.trace', error })

  refuse('a', full)
  refuse('b', full)
  refuse('c', damaged)
  timeMs = 999
  refuse('d', full)
  timeMs = 1000
  refuse('e', full)
  refuse('f', full)
  timeMs = 5000
  refuse('g', full)
  refuse('h', damaged)
  assert.deepEqual(lines, [
    ['warn', 'a', undefined, full.message],
    ['error', 'c', undefined, damaged.message],
    ['warn', 'e', 2, full.message],
    ['warn', 'g', 1, full.message],
    ['error', 'h', undefined, damaged.message],
  ])
})
