/**
 * Removes deleted rows from the disk. A deletion only marks rows; the engine removes them when it merges their parts,
 * and an old part may never be merged again. The engine rewrites the parts in the background, one after another;
 * inserts and reads continue meanwhile. The files of the replaced parts are removed afterwards (`old-parts.ts`).
 */
import type { Clients } from '../engine/clients.ts'
import type { Partitions, PurgeStep } from './write-types.ts'

/** Patches first: a mutation that wrote the mask and removed the rows in one pass would leave the rows. */
export const purgeSteps = ['APPLY PATCHES', 'APPLY DELETED MASK'] as const satisfies readonly PurgeStep[]

/** The tables that rows are deleted from. */
export const purgedTables = ['traces', 'logs', 'scores', 'spans'] as const
export const inPurgedTables = `database = currentDatabase() AND table IN (${purgedTables.map((table) => `'${table}'`).join(', ')})`
const partitionId = /^[0-9a-zA-Z_-]{1,64}$/

/** Begins one step on some partitions; the engine finishes it in the background. */
export async function beginPurge(clients: Clients, partitions: Partitions, step: PurgeStep): Promise<void> {
  for (const table of purgedTables)
    for (const id of partitions[table] ?? [])
      if (partitionId.test(id))
        await clients.mutateInBackground(`ALTER TABLE ${table} ${step} IN PARTITION ID '${id}'`)
}

/** Whether the engine is still rewriting parts of these tables. */
export async function isPurging(clients: Clients): Promise<boolean> {
  const [row] = await clients.read<{ mutations: string }>(
    `SELECT toString(count()) AS mutations FROM system.mutations WHERE ${inPurgedTables} AND NOT is_done`,
    {},
  )
  return row?.mutations !== '0'
}

/** The time by the engine's clock, which may differ from ours. */
export async function engineTime(clients: Clients): Promise<Date> {
  const [row] = await clients.read<{ seconds: string }>(
    'SELECT toString(toUnixTimestamp(now())) AS seconds',
    {},
  )
  return new Date(Number(row?.seconds) * 1000)
}

/** Partitions with more than a quarter of their rows deleted, which are worth rewriting. */
export async function sparsePartitions(clients: Clients): Promise<Partitions> {
  const masked = await clients.search<{ name: string; partition: string; rows: string }>(
    `SELECT table AS name, partition_id AS partition, toString(sum(rows)) AS rows FROM system.parts
     WHERE ${inPurgedTables} AND active AND NOT startsWith(partition_id, 'patch-') GROUP BY name, partition`,
    {},
  )
  const sparse: Record<string, string[]> = {}
  for (const table of purgedTables) {
    const counts = await clients.search<{ partition: string; rows: string }>(
      `SELECT _partition_id AS partition, toString(count()) AS rows FROM ${table} GROUP BY partition`,
      {},
    )
    const alive = new Map(counts.map(({ partition, rows }) => [partition, Number(rows)]))
    sparse[table] = masked
      .filter(({ name, partition, rows }) => {
        const dead = Number(rows) - (alive.get(partition) ?? 0)
        return name === table && dead > Number(rows) / 4
      })
      .map(({ partition }) => partition)
  }
  return sparse
}
