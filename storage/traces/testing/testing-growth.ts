/** Tests reads of several statements, between which a growing trace gets a new start. */
import { randomUUID } from 'node:crypto'
import type { Clients } from '../engine/clients.ts'
import type { TraceRow } from '../rows/row-types.ts'
import { insertBatch } from '../write/insert.ts'
import { replaceTraces } from '../write/replace.ts'
import { replacementOf } from './replacements.ts'
import { batchOf, testLog } from './testing.ts'

/** More than any read runs. */
const statementsMax = 4

interface MovingWorkspace {
  readonly workspaceId: string
  /** Clients that move the first trace once, before one of their statements. */
  readonly movingClients: Clients
  /** When it moves, for the message of an assertion. */
  readonly moment: string
}

/** Records the same traces in one workspace per statement; before that statement, the first trace gets a new start. */
export async function recordMovingTraces(
  clients: Clients,
  startUs: bigint,
  makeTraces: (workspaceId: string) => readonly [TraceRow, ...TraceRow[]],
): Promise<MovingWorkspace[]> {
  const workspaces = Array.from({ length: statementsMax }, () => makeTraces(randomUUID()))
  const traces = workspaces.flat()
  await insertBatch(clients, batchOf({ traces, logs: traces.map((trace) => testLog(trace)) }))
  return workspaces.map(([first], statement) => ({
    workspaceId: first.workspaceId,
    movingClients: movesBefore(clients, statement, first, startUs),
    moment: `before statement ${statement + 1}`,
  }))
}

const withLog = (trace: TraceRow) => ({ trace, logs: [testLog(trace)] })

function movesBefore(clients: Clients, statement: number, trace: TraceRow, startUs: bigint): Clients {
  let statements = 0
  return {
    ...clients,
    async search(sql, parameters) {
      if (statements++ === statement)
        await replaceTraces(clients, replacementOf([withLog({ ...trace, startUs })], [withLog(trace)]))
      return clients.search(sql, parameters)
    },
  }
}
