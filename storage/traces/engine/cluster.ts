/**
 * A cluster of ClickHouse servers, each with all rows: the same tables, replicated. Statements that change tables run
 * on every server; rows inserted on one server reach the others by replication.
 */
import type { Clients } from './clients.ts'
import { TraceStoreRefused } from './errors.ts'

/** A statement of a migration as the servers of a cluster run it: everywhere, and with tables that replicate. */
export function onCluster(statement: string, cluster: string): string {
  return statement
    .replace(head, (words) => `${words} ON CLUSTER '${cluster}'`)
    .replace(/^(\s*)ENGINE = (\w*MergeTree)/m, '$1ENGINE = Replicated$2')
    .replace(
      /non_(replicated_deduplication_window) = \d+/,
      `$&, replicated_deduplication_window_seconds = ${tokenSeconds}`,
    )
    .replace('non_replicated_deduplication_window', 'replicated_deduplication_window')
}

/** By default servers forget tokens after an hour, but a batch may be retried after an outage of days. */
const tokenSeconds = 7 * 24 * 3600

/** A statement up to the name of its table or view. Comments may precede it in the file. */
const head =
  /^(?:CREATE (?:TABLE|MATERIALIZED VIEW) (?:IF NOT EXISTS )?|ALTER TABLE |DROP TABLE (?:IF EXISTS )?)\w+/m

/**
 * On a cluster an insert is durable once most of the servers have it. If a server then loses its disk, no batch that
 * has left the spool is lost.
 */
export const quorumSettings = { insert_quorum: 'auto', insert_quorum_timeout: '30000' } as const

/** By default a statement on all servers fails after three minutes, while an ALTER of a large table continues. */
export const statementSettings = (timeoutMs: number) => ({
  distributed_ddl_task_timeout: timeoutMs / 1000,
})

/**
 * Refuses single-server tables on a cluster and the reverse, and a cluster with several shards, where each would have
 * only part of the rows.
 */
export async function refuseOtherTopology(clients: Clients, cluster: string | undefined): Promise<void> {
  const [table] = await clients.read<{ engine: string }>(
    `SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'traces'`,
    {},
  )
  const isReplicated = table?.engine.startsWith('Replicated')
  if (cluster === undefined) {
    if (isReplicated === true)
      throw new TraceStoreRefused(
        'The tables at CLICKHOUSE_URL are those of a cluster: set CLICKHOUSE_CLUSTER to its name.',
      )
    return
  }
  if (isReplicated === false)
    throw new TraceStoreRefused(
      'The tables at CLICKHOUSE_URL were made for one server: start with CLICKHOUSE_CLUSTER on an empty database, or without it on this one.',
    )
  const [shards] = await clients.read<{ count: string }>(
    'SELECT toString(uniqExact(shard_num)) AS count FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  )
  if (shards?.count === '0')
    throw new TraceStoreRefused(`CLICKHOUSE_CLUSTER: the server has no cluster "${cluster}".`)
  if (shards?.count !== '1')
    throw new TraceStoreRefused(
      `CLICKHOUSE_CLUSTER: "${cluster}" has ${shards?.count} shards. It must have one, with any number of replicas.`,
    )
}
