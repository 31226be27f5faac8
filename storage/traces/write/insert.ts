import type { Clients } from '../engine/clients.ts'
import { mayBeNewer, RowsRejected } from '../engine/errors.ts'
import { refuseNewer } from '../engine/migrate.ts'
import { columnsOfTable } from '../rows/encode-rows.ts'
import type { InsertBatch, InsertResult, RejectedLine, Table } from '../types.ts'

/**
 * Stores a batch, table by table. After a crash between two tables, inserting the same batch with the same token
 * completes it: the engine deduplicates by token. A batch with a rejected row is bisected until the row is isolated.
 * Rejects with `TraceStoreNewer` where the rows do not fit because a newer version has changed the tables.
 */
export async function insertBatch(clients: Clients, batch: InsertBatch): Promise<InsertResult> {
  const rejected: RejectedLine[] = []
  // Logs and scores first, so that every trace in a list is complete.
  for (const table of ['spans', 'scores', 'logs', 'traces'] as const) {
    const lines = batch[table]
    if (lines === undefined || lines.length === 0) continue
    const token = `${batch.token}/${table}`
    try {
      await clients.insert({ table, columns: columnsOfTable[table], lines, token })
    } catch (error) {
      // Before a part of the batch is stored under other tokens: the newer version stores it whole.
      if (mayBeNewer(error)) await refuseNewer(clients)
      if (!(error instanceof RowsRejected)) throw error
      for (const row of await insertHalves(clients, table, lines, token, error)) rejected.push(row)
    }
  }
  return { rejected }
}

/** The engine tells the texts of all cells, which the caller has. */
const errorCharactersMax = 1000

/** Bisection is deterministic, so that the tokens of the parts also match on a replay. */
async function insertHalves(
  clients: Clients,
  table: Table,
  batchLines: Buffer,
  token: string,
  refusal: RowsRejected,
): Promise<RejectedLine[]> {
  const ends = lineEnds(batchLines)
  const columns = columnsOfTable[table]
  const rejected: RejectedLine[] = []
  /** Inserts the lines from `first` to before `end`, of which at least one is rejected. */
  const halve = async (first: number, end: number, error: RowsRejected): Promise<void> => {
    if (end - first === 1) {
      rejected.push({ table, line: first, error: error.message.slice(0, errorCharactersMax) })
      return
    }
    const middle = (first + end) >> 1
    await attempt(first, middle)
    await attempt(middle, end)
  }
  const attempt = async (first: number, end: number): Promise<void> => {
    const lines = batchLines.subarray(first === 0 ? 0 : ends[first - 1], ends[end - 1])
    try {
      await clients.insert({ table, columns, lines, token: `${token}/${first}-${end}` })
    } catch (error) {
      if (!(error instanceof RowsRejected)) throw error
      await halve(first, end, error)
    }
  }
  await halve(0, ends.length, refusal)
  return rejected
}

/** The end of each line, after its line feed. */
function lineEnds(lines: Buffer): number[] {
  const ends: number[] = []
  for (let start = 0; start < lines.length; ) {
    const feed = lines.indexOf(0x0a, start)
    start = feed === -1 ? lines.length : feed + 1
    ends.push(start)
  }
  return ends
}
