/** A list of groups takes several statements, and traces that grow between them move. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { recordMovingTraces } from '../testing/testing-growth.ts'
import { groupTraces } from './trace-groups.ts'

const hourUs = 3_600_000_000n
const startUs = BigInt(Date.parse('2026-03-01T12:30:00Z')) * 1000n
const userId = 'user-1'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

const makeTraces = (workspaceId: string) =>
  [
    testTrace({ workspaceId, startUs, sessionId: 'moves', userId }),
    testTrace({ workspaceId, startUs: startUs + 2n * hourUs, sessionId: 'stays', userId }),
  ] as const

for (const sort of ['last', 'first', 'cost'] as const)
  for (const [where, moveUs] of [
    ['before', -30n * hourUs],
    ['after', 30n * hourUs],
  ] as const)
    test(`a group whose trace moves ${where} the others during the read is listed with its names, sorted by ${sort}`, async () => {
      const page = { limit: 10, sort, isAscending: sort === 'first' }
      const workspaces = await recordMovingTraces(clients, startUs + moveUs, makeTraces)
      for (const { workspaceId, movingClients, moment } of workspaces) {
        const { groups } = await groupTraces(movingClients, workspaceId, 'session_id', {}, page)
        assert.deepEqual(
          groups.map((group) => [group.id, group.traces, group.userId]).sort(),
          [
            ['moves', 1, userId],
            ['stays', 1, userId],
          ],
          moment,
        )
      }
    })
