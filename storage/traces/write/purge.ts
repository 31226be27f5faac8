/**
 * Removes deleted rows from the disk. A deletion only marks rows; the engine removes them when it merges their parts,
 * and an old part may never be merged again. The engine rewrites the parts in the background, one after another; inserts
 * and reads go on meanwhile. It keeps the files of replaced parts for another eight minutes (`old_parts_lifetime`),
 * because new parts may not be durable before.
 */
import type { Clients } from '../engine/clients.ts'
import type { Partitions, PurgeStep } from '../types.ts'

/** Patches first: a mutation that wrote the mask and removed the rows in one pass would leave them. */
export const purgeSteps = ['APPLY PATCHES', 'APPLY DELETED MASK'] as const satisfies readonly PurgeStep[]

const tables = ['traces', 'logs', 'scores', 'spans'] as const
const inTables = `database = currentDatabase() AND table IN (${tables.map((table) => `'${table}'`).join(', ')})`
const partitionId = /^[0-9a-zA-Z_-]{1,64}$/

/** Begins one step on some partitions; the engine finishes it in the background. */
export async function beginPurge(clients: Clients, partitions: Partitions, step: PurgeStep): Promise<void> {
  for (const table of tables)
    for (const id of partitions[table] ?? [])
      if (partitionId.test(id))
        await clients.mutateInBackground(`ALTER TABLE ${table} ${step} IN PARTITION ID '${id}'`)
}

/** Whether the engine still rewrites parts of these tables. */
export async function isPurging(clients: Clients): Promise<boolean> {
  const [row] = await clients.read<{ mutations: string }>(
    `SELECT toString(count()) AS mutations FROM system.mutations WHERE ${inTables} AND NOT is_done`,
    {},
  )
  return row?.mutations !== '0'
}

/** How many parts that were replaced before a moment are still on the disk. Patches have no content of rows. */
export async function countOldParts(clients: Clients, replacedBefore: Date): Promise<number> {
  const [row] = await clients.read<{ parts: string }>(
    `SELECT toString(count()) AS parts FROM system.parts
     WHERE ${inTables} AND NOT active AND NOT startsWith(partition_id, 'patch-') AND toInt64(remove_time) <= {before:Int64}`,
    { before: Math.ceil(replacedBefore.getTime() / 1000) },
  )
  return Number(row?.parts)
}

/** The time by the engine's clock, which may differ from ours. */
export async function engineTime(clients: Clients): Promise<Date> {
  const [row] = await clients.read<{ seconds: string }>(
    'SELECT toString(toUnixTimestamp(now())) AS seconds',
    {},
  )
  return new Date(Number(row?.seconds) * 1000)
}

/** Asks an idle engine to look for files that it may remove: without inserts it looks ever more rarely. */
export async function removeOldParts(clients: Clients): Promise<void> {
  for (const table of tables) await clients.mutateInBackground(`SYSTEM START MERGES ${table}`)
}

/** Partitions of which more than a quarter of the rows is deleted: rewriting them is worth it. */
export async function sparsePartitions(clients: Clients): Promise<Partitions> {
  const masked = await clients.search<{ name: string; partition: string; rows: string }>(
    `SELECT table AS name, partition_id AS partition, toString(sum(rows)) AS rows FROM system.parts
     WHERE ${inTables} AND active AND NOT startsWith(partition_id, 'patch-') GROUP BY name, partition`,
    {},
  )
  const sparse: Record<string, string[]> = {}
  for (const table of tables) {
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
