/** Where the control plane holds data about an end user or an organization, apart from data that belongs to a trace. */
import { settleRun } from '../experiments/experiment-run-queue.ts'
import { erasedRowProblem } from '../experiments/experiment-run-rows.ts'
import type { WorkspaceDb } from '../store/workspace.ts'

export * from './subject-settings.ts'

/** A preview and a check only count what an erasure would remove. */
export type RemovalMode = 'remove' | 'count'

/** The fields of a dataset row that an erasure examines. */
export type ExaminedRow = {
  datasetId: string
  position: number
  id: string
  /** JSON texts and texts of the row. */
  texts: readonly string[]
  metadata: string | undefined
}

const rowsPerRead = 200
const idsPerStatement = 500

/** Every row of every dataset, in chunks; by primary key. */
export async function* examineDatasetRows({
  sql,
  workspaceId,
}: WorkspaceDb): AsyncGenerator<ExaminedRow[], void> {
  const datasets = await sql<{
    id: string
  }>`SELECT id FROM datasets WHERE workspace_id = ${workspaceId} ORDER BY id`
  for (const { id: datasetId } of datasets) {
    for (let position = 0; ; ) {
      const rows = await sql<{
        position: number
        id: string
        name: string | null
        row_values: string
        ideal_output: string | null
        metadata: string | null
        split: string | null
        labels: string | null
      }>`
        SELECT position, id, name, row_values, ideal_output, metadata, split, labels FROM dataset_rows
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position > ${position}
        ORDER BY position LIMIT ${rowsPerRead}`
      const last = rows.at(-1)
      if (last === undefined) break
      position = last.position
      yield rows.map((row) => ({
        datasetId,
        position: row.position,
        id: row.id,
        texts: textsOf(row),
        metadata: row.metadata ?? undefined,
      }))
    }
  }
}

/** Every row that exists only in dataset versions, in chunks; by primary key. */
export async function* examinePastRows({
  sql,
  workspaceId,
}: WorkspaceDb): AsyncGenerator<(ExaminedRow & { sinceVersion: number })[], void> {
  let after: readonly [datasetId: string, position: number, sinceVersion: number] = ['', 0, 0]
  for (;;) {
    const rows = await sql<{
      dataset_id: string
      position: number
      since_version: number
      id: string
      name: string | null
      row_values: string
      ideal_output: string | null
      metadata: string | null
      split: string | null
      labels: string | null
    }>`
      SELECT dataset_id, position, since_version, id, name, row_values, ideal_output, metadata, split, labels
      FROM dataset_row_history
      WHERE workspace_id = ${workspaceId}
        AND (dataset_id, position, since_version) > (${after[0]}, ${after[1]}, ${after[2]})
      ORDER BY dataset_id, position, since_version LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = [last.dataset_id, last.position, last.since_version]
    yield rows.map((row) => ({
      datasetId: row.dataset_id,
      position: row.position,
      sinceVersion: row.since_version,
      id: row.id,
      texts: textsOf(row),
      metadata: row.metadata ?? undefined,
    }))
  }
}

/** The split is a text, and the labels are JSON. */
const textsOf = (row: {
  readonly name: string | null
  readonly row_values: string
  readonly ideal_output: string | null
  readonly metadata: string | null
  readonly split: string | null
  readonly labels: string | null
}): string[] =>
  [row.name, row.row_values, row.ideal_output, row.metadata, row.split, row.labels].filter(
    (text) => text !== null,
  )

/** Deletes rows that exist only in versions, from all versions; returns how many existed. By primary key. */
export function removePastRows(
  db: WorkspaceDb,
  rows: readonly {
    readonly datasetId: string
    readonly position: number
    readonly sinceVersion: number
  }[],
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    let removed = 0
    for (const { datasetId, position, sinceVersion } of rows) {
      const [row] = await sql<{ until_version: number }>`
        DELETE FROM dataset_row_history
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position = ${position}
          AND since_version = ${sinceVersion}
        RETURNING until_version`
      if (row === undefined) continue
      removed += 1
      await sql`
        UPDATE dataset_versions SET row_count = row_count - 1
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId}
          AND version BETWEEN ${sinceVersion} AND ${row.until_version}`
    }
    return removed
  })
}

/**
 * Deletes rows of datasets, and so of the versions that contain them unchanged; returns how many existed. By primary
 * key.
 */
export function removeDatasetRows(
  db: WorkspaceDb,
  rows: readonly { readonly datasetId: string; readonly position: number }[],
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    let removed = 0
    for (const [datasetId, entries] of Map.groupBy(rows, (row) => row.datasetId)) {
      const positions = entries.map(({ position }) => position)
      for (let start = 0; start < positions.length; start += idsPerStatement) {
        const deletedRows = await sql<{ since_version: number }>`
          DELETE FROM dataset_rows
          WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId}
            AND position IN (${positions.slice(start, start + idsPerStatement)}) RETURNING since_version`
        for (const { since_version } of deletedRows)
          await sql`
            UPDATE dataset_versions SET row_count = row_count - 1
            WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND version >= ${since_version}`
        await sql`
          UPDATE datasets SET row_count = row_count - ${deletedRows.length}
          WHERE workspace_id = ${workspaceId} AND id = ${datasetId}`
        removed += deletedRows.length
      }
    }
    return removed
  })
}

/** Rows as experiment runs pinned them, in chunks; by primary key. */
export async function* examineRunRows({ sql, workspaceId }: WorkspaceDb): AsyncGenerator<
  {
    runId: string
    position: number
    rowId: string
    texts: string[]
    metadata: string | undefined
  }[],
  void
> {
  const runs = await sql<{ id: string }>`
    SELECT id FROM experiment_runs WHERE workspace_id = ${workspaceId} ORDER BY id`
  for (const { id: runId } of runs) {
    for (let position = -1; ; ) {
      const rows = await sql<{
        position: number
        row_id: string
        name: string | null
        row_values: string
        ideal_output: string | null
        metadata: string | null
      }>`
        SELECT position, row_id, name, row_values, ideal_output, metadata FROM experiment_run_rows
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND position > ${position}
        ORDER BY position LIMIT ${rowsPerRead}`
      const last = rows.at(-1)
      if (last === undefined) break
      position = last.position
      yield rows.map((row) => ({
        runId,
        position: row.position,
        rowId: row.row_id,
        texts: [row.name, row.row_values, row.ideal_output, row.metadata].filter((text) => text !== null),
        metadata: row.metadata ?? undefined,
      }))
    }
  }
}

/** Traces that joined experiments as cases of some rows. */
export async function tracesJoinedForRows(
  { sql, workspaceId }: WorkspaceDb,
  rowIds: readonly string[],
): Promise<string[]> {
  const traceIds: string[] = []
  for (let start = 0; start < rowIds.length; start += idsPerStatement) {
    const rows = await sql<{ trace_id: string }>`
      SELECT trace_id FROM experiment_attachments
      WHERE workspace_id = ${workspaceId} AND dataset_row_id IN (${rowIds.slice(start, start + idsPerStatement)})`
    traceIds.push(...rows.map(({ trace_id }) => trace_id))
  }
  return traceIds
}

/**
 * Empties rows that runs pinned, and permanently cancels their cases that have not run; the results keep their numbers.
 * A run that has nothing else to wait for ends.
 */
export async function emptyRunRows(
  db: WorkspaceDb,
  rows: readonly { readonly runId: string; readonly position: number }[],
  now: Date,
): Promise<number> {
  let emptied = 0
  for (const { runId, position } of rows)
    await db.transaction(async ({ sql, workspaceId }) => {
      // The run before its cases, in the order of claims, so that two nodes cannot deadlock.
      await sql`UPDATE experiment_runs SET cost = cost WHERE workspace_id = ${workspaceId} AND id = ${runId}`
      const [row] = await sql`
        UPDATE experiment_run_rows SET name = NULL, row_values = '{}', ideal_output = NULL, metadata = NULL
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND position = ${position} RETURNING row_id`
      if (row !== undefined) emptied += 1
      await sql`
        UPDATE experiment_run_cases SET problem = ${erasedRowProblem}, changed_at = ${now.getTime()},
          status = CASE WHEN status = 'failed' THEN status ELSE 'cancelled' END
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND position = ${position} AND status <> 'done'`
      await settleRun(sql, { id: runId, workspaceId }, now.getTime())
    })
  return emptied
}

export type ExaminedRequest = {
  apiKeyId: string
  route: string
  key: string
  traceId: string | undefined
  response: string
}

/** Responses stored for retries, in chunks; by primary key. */
export async function* examineRequests({
  sql,
  workspaceId,
}: WorkspaceDb): AsyncGenerator<ExaminedRequest[], void> {
  let after = ['', '', '']
  for (;;) {
    const rows = await sql<{
      api_key_id: string
      route: string
      request_key: string
      trace_id: string | null
      response: string | null
    }>`
      SELECT api_key_id, route, request_key, trace_id, response FROM idempotent_requests
      WHERE workspace_id = ${workspaceId}
        AND (api_key_id, route, request_key) > (${after[0]!}, ${after[1]!}, ${after[2]!})
      ORDER BY api_key_id, route, request_key LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = [last.api_key_id, last.route, last.request_key]
    yield rows.map((row) => ({
      apiKeyId: row.api_key_id,
      route: row.route,
      key: row.request_key,
      traceId: row.trace_id ?? undefined,
      response: row.response ?? '',
    }))
  }
}

/** Deletes stored responses, by primary key; a retry of such a request counts as a new request. */
export async function removeRequests(
  db: WorkspaceDb,
  requests: readonly Pick<ExaminedRequest, 'apiKeyId' | 'route' | 'key'>[],
): Promise<void> {
  await db.transaction(async ({ sql, workspaceId }) => {
    for (const { apiKeyId, route, key } of requests)
      await sql`
        DELETE FROM idempotent_requests
        WHERE workspace_id = ${workspaceId} AND api_key_id = ${apiKeyId} AND route = ${route} AND request_key = ${key}`
  })
}

/** Removes samples of rejected bodies that a check attributes to the subject; their counts stay. By primary key. */
export async function removeLedgerSamples(
  { sql, workspaceId }: WorkspaceDb,
  {
    isOfSubject,
    until,
    mode,
  }: {
    readonly isOfSubject: (sample: string) => boolean
    readonly until: Date
    readonly mode: RemovalMode
  },
): Promise<number> {
  let removed = 0
  let after = ['', 0, ''] as [string, number, string]
  for (;;) {
    const rows = await sql<{ api_key_id: string; hour: number; reason: string; last_sample: string }>`
      SELECT api_key_id, hour, reason, last_sample FROM ledger_rejections
      WHERE workspace_id = ${workspaceId} AND last_at <= ${until.getTime()}
        AND (api_key_id, hour, reason) > (${after[0]}, ${after[1]}, ${after[2]})
      ORDER BY api_key_id, hour, reason LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return removed
    after = [last.api_key_id, last.hour, last.reason]
    for (const { api_key_id, hour, reason, last_sample } of rows) {
      if (last_sample === '' || !isOfSubject(last_sample)) continue
      removed += 1
      if (mode === 'remove')
        await sql`
        UPDATE ledger_rejections SET last_sample = ''
        WHERE workspace_id = ${workspaceId} AND api_key_id = ${api_key_id} AND hour = ${hour} AND reason = ${reason}
          AND last_sample = ${last_sample}`
    }
  }
}

/** The fields of a job that an erasure examines. */
export type ExaminedJob = { id: string /** JSON text. */; payload: string }

/** The jobs of some kinds in any state, in chunks; by jobs_of_workspace. */
export async function* examineJobs(
  { sql, workspaceId }: WorkspaceDb,
  kinds: readonly string[],
): AsyncGenerator<ExaminedJob[], void> {
  let after: readonly [createdAt: number, id: string] = [0, '']
  for (;;) {
    const rows = await sql<ExaminedJob & { created_at: number }>`
      SELECT id, created_at, payload FROM jobs
      WHERE workspace_id = ${workspaceId} AND kind IN (${kinds}) AND (created_at, id) > (${after[0]}, ${after[1]})
      ORDER BY created_at, id LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = [last.created_at, last.id]
    yield rows.map(({ id, payload }) => ({ id, payload }))
  }
}

/** Deletes jobs, by primary key; the result of a running handler is ignored. */
export async function removeJobs({ sql, workspaceId }: WorkspaceDb, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM jobs WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
}
