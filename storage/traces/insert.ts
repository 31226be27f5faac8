import type { Clients } from './clients.ts'
import { RowsRefused } from './errors.ts'
import type { InsertBatch, InsertResult, RefusedLine, Table } from './store.ts'

/**
 * Stores a batch, table by table. Killed between two tables, the same batch under the same token completes it: what
 * was stored is recognised by its token. A batch with a row the engine refuses is halved until that row is alone.
 */
export async function insertBatch(clients: Clients, batch: InsertBatch): Promise<InsertResult> {
  const refused: RefusedLine[] = []
  // Logs and scores first: a trace that a list shows is whole.
  for (const table of ['spans', 'scores', 'logs', 'traces'] as const) {
    const lines = batch[table]
    if (lines === undefined || lines.length === 0) continue
    const token = `${batch.token}/${table}`
    try {
      await clients.insert(table, lines, token)
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error
      for (const row of await insertHalves(clients, table, lines, token, error)) refused.push(row)
    }
  }
  return { refused }
}

/** The same batch is halved the same way each time, so that the tokens of its parts hold on a replay too. */
async function insertHalves(
  clients: Clients,
  table: Table,
  ndjson: Buffer,
  token: string,
  refusal: RowsRefused,
): Promise<RefusedLine[]> {
  const ends = lineEnds(ndjson)
  const refused: RefusedLine[] = []
  /** Inserts the lines from `first` to before `end`, of which one is known to be refused. */
  const halve = async (first: number, end: number, known: RowsRefused): Promise<void> => {
    if (end - first === 1) {
      refused.push({ table, line: first, error: known.message })
      return
    }
    const middle = (first + end) >> 1
    await attempt(first, middle)
    await attempt(middle, end)
  }
  const attempt = async (first: number, end: number): Promise<void> => {
    const lines = ndjson.subarray(first === 0 ? 0 : ends[first - 1], ends[end - 1])
    try {
      await clients.insert(table, lines, `${token}/${first}-${end}`)
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error
      await halve(first, end, error)
    }
  }
  await halve(0, ends.length, refusal)
  return refused
}

/** Where each line ends, behind its line feed. */
function lineEnds(ndjson: Buffer): number[] {
  const ends: number[] = []
  for (let start = 0; start < ndjson.length; ) {
    const feed = ndjson.indexOf(0x0a, start)
    start = feed === -1 ? ndjson.length : feed + 1
    ends.push(start)
  }
  return ends
}
