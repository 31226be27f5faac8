import type { Clients } from '../engine/clients.ts'
import type { TraceRow } from '../rows/row-types.ts'
import { replaceTraces } from '../write/replace.ts'
import { replacementOf } from './replacements.ts'
import { testLog } from './testing.ts'

const withLog = (trace: TraceRow) => ({ trace, logs: [testLog(trace)] })

interface Move {
  /** Recorded with the log of `testLog`. */
  readonly trace: TraceRow
  readonly startUs: bigint
  /** How many statements run before it. */
  readonly statementsBefore: number
}

/** Clients through which a trace gets another start between two statements of a read, as one that grows does. */
export function movesTrace(clients: Clients, { trace, startUs, statementsBefore }: Move): Clients {
  let statements = 0
  return {
    ...clients,
    async search(sql, parameters) {
      if (statements++ === statementsBefore)
        await replaceTraces(clients, replacementOf([withLog({ ...trace, startUs })], [withLog(trace)]))
      return clients.search(sql, parameters)
    },
  }
}
