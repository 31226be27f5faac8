import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  drainStream,
} from '@clickhouse/client'
import type { Table } from '../types.ts'
import { ChdbConnection } from './chdb-connection.ts'
import { quorumSettings, statementSettings } from './cluster.ts'
import { mapErrors } from './errors.ts'
import { availableMemoryBytes, type MemoryLimits, memoryLimitsOf } from './memory-limits.ts'
import { makeReplacements, type Replacements } from './replacements.ts'

/**
 * The location of the store: a folder for the embedded engine, or a ClickHouse server, which belongs to a cluster if
 * one is named. Several addresses separated by commas are shards.
 */
export type TraceStoreLocation = { folder: string } | { url: string; cluster?: string | undefined }

/** Values for the `{name:Type}` placeholders of a statement. */
export type Parameters = Readonly<Record<string, string | number | bigint | boolean | readonly string[]>>

/** A block of rows in Native format with some of a table's columns; stored once per token. */
export type Insert = {
  readonly table: Table | 'traces_hourly' | 'logs_hourly'
  readonly columns: readonly string[]
  readonly block: Buffer
  readonly token: string
}

/** The same statements on either engine, separated by how long they may occupy it. */
export type Clients = {
  /** Short reads by key. */
  read<Row>(sql: string, parameters: Parameters): Promise<Row[]>
  /** Searches and aggregations over many rows, which must never block a short read. */
  search<Row>(sql: string, parameters: Parameters): Promise<Row[]>
  /** A check of every byte, without a time limit. */
  check<Row>(sql: string, parameters: Parameters): Promise<Row[]>
  /** A read that returns tab-separated lines without escaping. */
  readLines(sql: string, parameters: Parameters): Promise<string>
  insert(insert: Insert): Promise<void>
  /** Short statements; an insert waits for the ones before it. */
  command(sql: string, parameters?: Parameters): Promise<void>
  /** Migrations and deletes, which may take long, so no insert waits for them. */
  maintain(sql: string, parameters?: Parameters): Promise<void>
  /** Starts a mutation that the engine runs in the background without blocking inserts. */
  mutateInBackground(sql: string): Promise<void>
  ping(): Promise<boolean>
  /** Tells reads whether they must leave out replaced rows. */
  readonly replacements: Replacements
  close(): Promise<void>
}

const readSettings: ClickHouseSettings = {
  max_execution_time: 10,
  // Few rows have large texts; more threads than cores only use memory.
  max_threads: 2,
  // A row and its replacement are counted once only if a statement sees a single state of the table.
  enable_shared_storage_snapshot_in_query: 1,
}

/** A search spills to disk at the lower limit and fails at the upper one, so the service survives. */
const searchSettingsOf = ({ searchBytes, spillBytes }: MemoryLimits): ClickHouseSettings => ({
  ...readSettings,
  max_execution_time: 30,
  max_memory_usage: String(searchBytes),
  max_bytes_before_external_group_by: String(spillBytes),
  max_bytes_before_external_sort: String(spillBytes),
})

/** Stands for the memory of a server, which is separate from ours. */
const serverMemory = 64 * 1024 ** 3

const insertSettings: ClickHouseSettings = {
  insert_deduplicate: 1,
  // A replay must not count twice in the roll-ups either.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // The spool batches already, and the insert must be durable when this resolves.
  async_insert: 0,
  // Building this index is a third of the work of an insert. The first merge builds it; until then searches scan the
  // part, which is small.
  exclude_materialize_skip_indexes_on_insert: 'word_index',
}

const embeddedInsertSettings: ClickHouseSettings = {
  // The engine does not notice when it fails to record the token of a batch; if the process then ends, it does not
  // recognize the repeated batch. So inserts stop before the disk is full. The limit is below the free space that
  // appends to the spool leave.
  min_free_disk_bytes_to_perform_insert: String(8 * 1024 ** 2),
  // The older analyzer plans an insert and its materialized views faster, which saves a sixth to a quarter of the total
  // time.
  enable_analyzer: 0,
}

/** Does not connect yet; the first statement does. */
export function openClients(place: TraceStoreLocation): Clients {
  const limits = memoryLimitsOf('folder' in place ? availableMemoryBytes() : serverMemory)
  const searchSettings = searchSettingsOf(limits)
  const [writer, reader, searcher, maintainer] =
    'folder' in place ? openEmbedded(place.folder) : remote(place.url)
  const isCluster = 'url' in place && place.cluster !== undefined
  const clusterSettings = isCluster ? quorumSettings : {}
  const placeSettings = 'folder' in place ? embeddedInsertSettings : clusterSettings
  const maintenanceSettings = isCluster ? statementSettings(maintenanceTimeoutMs) : {}
  const replacements = makeReplacements({ isOnlyWriter: 'folder' in place })
  return {
    read: (sql, parameters) =>
      replacements.read(sql, (statement, more) =>
        select(reader, statement, { ...parameters, ...more }, readSettings),
      ),
    search: (sql, parameters) =>
      replacements.read(sql, (statement, more) =>
        select(searcher, statement, { ...parameters, ...more }, searchSettings),
      ),
    replacements,
    check: (sql, parameters) => select(maintainer, sql, parameters, { max_execution_time: 0 }),
    async insert({ table, columns, block, token }) {
      const result = await mapErrors(
        writer.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`,
          values: Readable.from([block], { objectMode: false }),
          clickhouse_settings: { ...insertSettings, ...placeSettings, insert_deduplication_token: token },
        }),
      )
      await mapErrors(drainStream(result.stream))
    },
    async readLines(query, query_params) {
      const result = await mapErrors(
        reader.query({
          query,
          query_params,
          clickhouse_settings: { ...readSettings, max_execution_time: 60 },
          format: 'TabSeparatedRaw',
        }),
      )
      return mapErrors(result.text())
    },
    command: async (query, query_params = {}) =>
      void (await mapErrors(writer.command({ query, query_params }))),
    maintain: async (query, query_params = {}) =>
      void (await mapErrors(
        maintainer.command({ query, query_params, clickhouse_settings: maintenanceSettings }),
      )),
    mutateInBackground: async (query) =>
      void (await mapErrors(
        maintainer.command({ query, clickhouse_settings: { mutations_sync: '0', alter_sync: '0' } }),
      )),
    ping: async () => (await reader.ping({ select: true })).success,
    async close() {
      for (const client of new Set([writer, reader, searcher, maintainer])) await client.close()
    },
  }
}

async function select<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Parameters,
  clickhouse_settings: ClickHouseSettings,
): Promise<Row[]> {
  const result = await mapErrors(
    client.query({ query, query_params, clickhouse_settings, format: 'JSONEachRow' }),
  )
  return mapErrors(result.json<Row>())
}

type FourClients = [ClickHouseClient, ClickHouseClient, ClickHouseClient, ClickHouseClient]

/** Separate pools for writes, reads, searches and maintenance, since a session runs one statement at a time. */
function openEmbedded(folder: string): FourClients {
  const pool = (sessions: number) =>
    createClient({ connection: new ChdbConnection(folder, sessions, embeddedArguments), log: quiet })
  return [pool(1), pool(4), pool(2), pool(1)]
}

/**
 * The engine would compile an expression to machine code after three statements have used it. That adds 50 to 100 ms to
 * the next statement and saves later ones nothing: none of our statements computes enough per row.
 */
const withoutCompilation = [
  'compile_expressions',
  'compile_aggregate_expressions',
  'compile_sort_description',
].map((setting) => `--${setting}=0`)

/** A selection of 10,000 ids takes 400 KB; the engine's own limit is 256 KiB. */
const statementBytesMax = 4 * 1024 * 1024

/**
 * The engine shares the service's process, so its caches are smaller than on a dedicated machine (marks: 5 GB), and it
 * merges less at once when memory is low.
 */
export const embeddedArguments: string[] = argumentsOf(memoryLimitsOf(availableMemoryBytes()))

function argumentsOf({ markCacheBytes, indexMarkCacheBytes, merges }: MemoryLimits): string[] {
  const caches = [`--mark_cache_size=${markCacheBytes}`, `--index_mark_cache_size=${indexMarkCacheBytes}`]
  const always = [...caches, ...withoutCompilation, `--max_query_size=${statementBytesMax}`]
  if (merges === undefined) return always
  const { running } = merges
  return [...always, `--background_pool_size=${running}`, '--background_merges_mutations_concurrency_ratio=1']
}

/** Failures are thrown. The client's own log would contain data that callers sent. */
const quiet = { level: ClickHouseLogLevel.OFF }

/** An ALTER of a large table may take hours. */
const maintenanceTimeoutMs = 24 * 3_600_000

/** Progress headers, so that no proxy between us and the server considers the connection dead. */
const keepAlive = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' } as const

function remote(url: string): FourClients {
  const limits = { max_query_size: String(statementBytesMax) }
  const client = createClient({
    ...{ url, max_open_connections: 16, request_timeout: 60_000, log: quiet },
    clickhouse_settings: limits,
  })
  const maintainer = createClient({
    ...{ url, request_timeout: maintenanceTimeoutMs, log: quiet },
    clickhouse_settings: { ...limits, ...keepAlive },
  })
  return [client, client, client, maintainer]
}
