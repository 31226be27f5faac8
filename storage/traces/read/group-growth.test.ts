/** A list of groups takes several statements, and traces that grow between them move. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { movesTrace } from '../testing/testing-growth.ts'
import { insertBatch } from '../write/insert.ts'
import { groupTraces } from './trace-groups.ts'

const hourUs = 3_600_000_000n
const startUs = BigInt(Date.parse('2026-03-01T12:30:00Z')) * 1000n
const userId = 'user-1'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

/** One workspace for each statement before which a trace moves. */
function makeTraces() {
  const workspaceId = randomUUID()
  const first = testTrace({ workspaceId, startUs, sessionId: 'moves', userId })
  const other = testTrace({ workspaceId, startUs: startUs + 2n * hourUs, sessionId: 'stays', userId })
  return { workspaceId, first, all: [first, other] }
}

for (const sort of ['last', 'first', 'cost'] as const)
  for (const [where, moveUs] of [
    ['before', -30n * hourUs],
    ['after', 30n * hourUs],
  ] as const)
    test(`a group whose trace moves ${where} the others meanwhile is listed with its names, sorted by ${sort}`, async () => {
      const workspaces = Array.from({ length: 4 }, makeTraces)
      const recorded = workspaces.flatMap(({ all }) => all)
      await insertBatch(clients, batchOf({ traces: recorded, logs: recorded.map((trace) => testLog(trace)) }))
      for (const [statement, { workspaceId, first }] of workspaces.entries()) {
        const moving = movesTrace(clients, {
          trace: first,
          startUs: startUs + moveUs,
          statementsBefore: statement,
        })
        const page = { limit: 10, sort, isAscending: sort === 'first' }
        const { groups } = await groupTraces(moving, workspaceId, 'session_id', {}, page)
        assert.deepEqual(
          groups.map((group) => [group.id, group.traces, group.userId]).sort(),
          [
            ['moves', 1, userId],
            ['stays', 1, userId],
          ],
          `before statement ${statement + 1}`,
        )
      }
    })
