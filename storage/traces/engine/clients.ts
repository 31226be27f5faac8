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
 * The location of the store: a folder for the embedded engine, or a ClickHouse server, of a cluster where one is named.
 * Several addresses with commas between them are shards.
 */
export type TraceStoreLocation = { folder: string } | { url: string; cluster?: string | undefined }

/** Values for the `{name:Type}` of a statement. */
export type Parameters = Readonly<Record<string, string | number | bigint | boolean | readonly string[]>>

/** A block of rows in Native format with some columns of a table; stored once per token. */
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
  /** A check of every byte, which takes as long as it takes. */
  check<Row>(sql: string, parameters: Parameters): Promise<Row[]>
  /** A read that returns tab-separated lines without escaping. */
  readLines(sql: string, parameters: Parameters): Promise<string>
  insert(insert: Insert): Promise<void>
  /** Short statements; an insert waits for those before it. */
  command(sql: string, parameters?: Parameters): Promise<void>
  /** Migrations and deletes, which may take long: no insert waits for them. */
  maintain(sql: string, parameters?: Parameters): Promise<void>
  /** Begins a mutation that the engine runs in the background, beside inserts and not in their way. */
  mutateInBackground(sql: string): Promise<void>
  ping(): Promise<boolean>
  /** Reads bind what they need to know of replacements. */
  readonly replacements: Replacements
  close(): Promise<void>
}

const readSettings: ClickHouseSettings = {
  max_execution_time: 10,
  // Few rows have large texts; more threads than cores only use memory.
  max_threads: 2,
  // A row and the one that replaces it are counted once only if a statement sees one state of a table.
  enable_shared_storage_snapshot_in_query: 1,
}

/** Beyond the memory the search fails, and the service survives; before that it spills to the disk. */
const searchSettingsOf = ({ searchBytes, spillBytes }: MemoryLimits): ClickHouseSettings => ({
  ...readSettings,
  max_execution_time: 30,
  max_memory_usage: String(searchBytes),
  max_bytes_before_external_group_by: String(spillBytes),
  max_bytes_before_external_sort: String(spillBytes),
})

/** A server has memory of its own. */
const serverMemory = 64 * 1024 ** 3

const insertSettings: ClickHouseSettings = {
  insert_deduplicate: 1,
  // A replay must not count again in the roll-ups either.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // The spool batches already, and the insert must be durable when this resolves.
  async_insert: 0,
  // A third of an insert's work. The first merge builds it; until then a search scans the part, which is small.
  exclude_materialize_skip_indexes_on_insert: 'word_index',
}

const embeddedInsertSettings: ClickHouseSettings = {
  // The engine does not notice when it cannot write the token of a batch down, and a process that ends then does not
  // recognize the batch when it comes again. So nothing is inserted into the last of a disk. It is less than what appends
  // to the spool leave.
  min_free_disk_bytes_to_perform_insert: String(8 * 1024 ** 2),
  // The older analyzer plans an insert and the statements of its materialized views for less: a sixth to a quarter of all.
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
 * The engine would compile an expression to machine code once three statements have had it: 50 to 100 ms more for the next
 * one, and nothing less for those that follow. None of ours computes so much for a row.
 */
const withoutCompilation = [
  'compile_expressions',
  'compile_aggregate_expressions',
  'compile_sort_description',
].map((setting) => `--${setting}=0`)

/** A selection of 10,000 ids takes 400 KB; the engine's own limit is 256 KiB. */
const statementBytesMax = 4 * 1024 * 1024

/**
 * The engine shares the service's process, so its caches are smaller than on a machine of its own (marks: 5 GB), and it
 * merges less at once where there is little memory.
 */
export const embeddedArguments: string[] = argumentsOf(memoryLimitsOf(availableMemoryBytes()))

function argumentsOf({ markCacheBytes, indexMarkCacheBytes, merges }: MemoryLimits): string[] {
  const caches = [`--mark_cache_size=${markCacheBytes}`, `--index_mark_cache_size=${indexMarkCacheBytes}`]
  const always = [...caches, ...withoutCompilation, `--max_query_size=${statementBytesMax}`]
  if (merges === undefined) return always
  const { running } = merges
  return [...always, `--background_pool_size=${running}`, '--background_merges_mutations_concurrency_ratio=1']
}

/** Failures are thrown; the client's log of them would contain what callers sent. */
const quiet = { level: ClickHouseLogLevel.OFF }

/** An ALTER of a large table may take hours. */
const maintenanceTimeoutMs = 24 * 3_600_000

/** Headers that come meanwhile, so that nothing between us and the server takes the connection for dead. */
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
