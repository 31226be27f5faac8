import type { Clients } from '../engine/clients.ts'
import { mayBeNewer, RowsRejected } from '../engine/errors.ts'
import { refuseNewer } from '../engine/migrate.ts'
import { countRows, selectRows, splitBlocks } from '../rows/row-block.ts'
import { columnsOfTable } from '../rows/table-columns.ts'
import type { InsertBatch, InsertResult, RejectedRow, Table } from '../types.ts'

/**
 * Stores a batch, table by table. After a crash between two tables, inserting the same batch with the same token
 * completes it: the engine deduplicates by token. A batch with a rejected row is bisected until the row is isolated.
 * Rejects with `TraceStoreNewer` if the rows do not fit because a newer version has changed the tables.
 */
export async function insertBatch(clients: Clients, batch: InsertBatch): Promise<InsertResult> {
  const rejectedRows: RejectedRow[] = []
  // Logs and scores first, so that every trace in a list is complete.
  for (const table of ['spans', 'scores', 'logs', 'traces'] as const) {
    const block = batch[table]
    if (block === undefined || block.length === 0) continue
    const token = `${batch.token}/${table}`
    try {
      await clients.insert({ table, columns: columnsOfTable[table], block, token })
    } catch (error) {
      // Checked before parts of the batch are stored under other tokens: the newer version stores it whole.
      if (mayBeNewer(error)) await refuseNewer(clients)
      if (!(error instanceof RowsRejected)) throw error
      for (const row of await insertParts(clients, table, block, token, error)) rejectedRows.push(row)
    }
  }
  return { rejectedRows }
}

/** The engine's message contains the texts of all cells, which the caller already has. */
const errorCharactersMax = 1000

/** The bytes may hold several blocks, each of which is inserted separately. */
async function insertParts(
  clients: Clients,
  table: Table,
  bytes: Buffer,
  token: string,
  refusal: RowsRejected,
): Promise<RejectedRow[]> {
  const blocks = splitBlocks(bytes)
  if (blocks.length === 1) return insertHalves(clients, table, bytes, token, refusal)
  const rejected: RejectedRow[] = []
  let rowsBefore = 0
  for (const [index, block] of blocks.entries()) {
    const blockToken = `${token}/block ${index}`
    try {
      await clients.insert({ table, columns: columnsOfTable[table], block, token: blockToken })
    } catch (error) {
      if (!(error instanceof RowsRejected)) throw error
      for (const each of await insertHalves(clients, table, block, blockToken, error))
        rejected.push({ ...each, row: rowsBefore + each.row })
    }
    rowsBefore += countRows(block)
  }
  return rejected
}

/** Bisection is deterministic, so the tokens of the halves match on a replay too. */
async function insertHalves(
  clients: Clients,
  table: Table,
  batchBlock: Buffer,
  token: string,
  refusal: RowsRejected,
): Promise<RejectedRow[]> {
  const columns = columnsOfTable[table]
  const rejected: RejectedRow[] = []
  /** Inserts the rows from `first` up to, but not including, `end`, at least one of which is rejected. */
  const halve = async (first: number, end: number, error: RowsRejected): Promise<void> => {
    if (end - first === 1) {
      rejected.push({ table, row: first, error: error.message.slice(0, errorCharactersMax) })
      return
    }
    const middle = (first + end) >> 1
    await attempt(first, middle)
    await attempt(middle, end)
  }
  const attempt = async (first: number, end: number): Promise<void> => {
    const block = selectRows(batchBlock, [[first, end]])
    try {
      await clients.insert({ table, columns, block, token: `${token}/${first}-${end}` })
    } catch (error) {
      if (!(error instanceof RowsRejected)) throw error
      await halve(first, end, error)
    }
  }
  await halve(0, countRows(batchBlock), refusal)
  return rejected
}
