/**
 * Deletion of a workspace. First it is marked and all access to it is removed; then its rows are deleted in idempotent
 * steps, and the row of the workspace last.
 */
import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { Database, Sql, SqlValue } from '../store/sql.ts'

/** How to delete the rows of one table, in chunks. */
interface WorkspaceTable {
  readonly name: string
  /** The columns that identify a row within its workspace. */
  readonly key: string
  /** The parent table to find the rows by, if no index starts with the workspace. */
  readonly parent?: { readonly column: string; readonly table: string }
}

const table = (name: string, key: string, column?: string, parent?: string): WorkspaceTable => ({
  name,
  key: key.replaceAll(' ', ', '),
  ...(column === undefined || parent === undefined ? {} : { parent: { column, table: parent } }),
})

/** Every table of a workspace, children before parents; a test compares the list with `schema.sql`. */
export const workspaceTables: readonly WorkspaceTable[] = [
  table('jobs', 'id'),
  table('members', 'person_id'),
  table('invitations', 'id'),
  table('api_keys', 'id'),
  table('rollout_alerts', 'rollout_id alert_id', 'rollout_id', 'rollouts'),
  table('rollout_shares', 'rollout_id ordinal', 'rollout_id', 'rollouts'),
  table('rollouts', 'id'),
  table('protected_tags', 'label'),
  table('approvals', 'id'),
  table('prompt_tags', 'id', 'prompt_id', 'prompts'),
  table('prompt_tag_moves', 'prompt_id ordinal', 'prompt_id', 'prompts'),
  table('prompt_versions', 'id', 'prompt_id', 'prompts'),
  table('prompt_fetches', 'prompt_slug hour version tag api_key_id'),
  table('prompts', 'id'),
  table('dataset_row_history', 'dataset_id position since_version', 'dataset_id', 'datasets'),
  table('dataset_versions', 'dataset_id version', 'dataset_id', 'datasets'),
  table('dataset_rows', 'dataset_id position', 'dataset_id', 'datasets'),
  table('datasets', 'id'),
  table('evaluator_versions', 'evaluator_id version', 'evaluator_id', 'evaluators'),
  table('evaluators', 'id'),
  table('experiment_run_cases', 'run_id position repetition', 'run_id', 'experiment_runs'),
  table('experiment_run_rows', 'run_id position', 'run_id', 'experiment_runs'),
  table('experiment_runs', 'id'),
  table('experiment_attachments', 'trace_id'),
  table('experiments', 'id'),
  table('features', 'slug'),
  table('annotation_assignments', 'item_id annotator_id', 'item_id', 'annotation_items'),
  table('annotation_items', 'id'),
  table('annotation_queues', 'id'),
  table('notifications', 'id', 'event_id', 'alert_events'),
  table('alert_events', 'id'),
  table('alert_channels', 'alert_id channel_id', 'alert_id', 'alerts'),
  table('alert_states', 'alert_id', 'alert_id', 'alerts'),
  table('alerts', 'id'),
  table('channels', 'id'),
  table('evaluations', 'id'),
  table('evaluation_arrivals', 'id'),
  table('evaluation_groups', 'connection_id model'),
  table('evaluation_spend', 'connection_id day'),
  table('connections', 'id'),
  table('assemblies', 'otel_trace_id'),
  table('idempotent_requests', 'api_key_id route request_key'),
  table('ledger_hours', 'api_key_id hour'),
  table('ledger_rejections', 'api_key_id hour reason'),
  table('ledger_batches', 'token'),
  table('price_overrides', 'id'),
  table('recomputations', 'id'),
  table('audit_states', 'entry_id'),
  table('audit_intents', 'id'),
  table('audit_webhooks', 'workspace_id'),
  table('views', 'id'),
  table('dashboards', 'id'),
  table('shares', 'id'),
  table('comment_mentions', 'comment_id person_id'),
  table('comments', 'id'),
  table('deletions', 'id'),
  table('masking_rules', 'workspace_id'),
  table('file_hashes', 'file_key'),
  table('file_contents', 'file_key'),
  table('file_chunks', 'file_key upload_id position'),
  table('files', 'file_key'),
]

/** Tables that outlive a workspace: the audit log stays, without the settings before and after. */
export const tablesThatStay = ['audit_entries', 'audit_retention']

/** Bounded, so that requests can run between two statements. */
const rowsPerStatement = 1000

export type WorkspaceDeletion = { readonly workspaceId: string; readonly since: Date }

export type WorkspaceDeletions = ReturnType<typeof workspaceDeletions>

export function workspaceDeletions(database: Database) {
  const { sql } = database
  return {
    /**
     * Marks a workspace, removes its members and keys, and adds the job that deletes it; false if it does not exist or
     * is already marked.
     */
    begin: (workspaceId: string, now: Date) => begin(database, workspaceId, now),
    /** Since when a workspace has been marked; undefined if it is not marked or no longer exists. */
    find: (workspaceId: string) => find(sql, workspaceId),
    /** Marked workspaces, oldest mark first. */
    list: () => list(sql),
    /** Deletes the rows of a workspace, except its own and those of its files. */
    deleteRows: async (workspaceId: string) => {
      for (const table of workspaceTables)
        if (table.name !== 'files') await deleteFrom(sql, table, workspaceId)
    },
    /** Keys of files, in chunks, by primary key. */
    fileKeys: (workspaceId: string) => fileKeys(sql, workspaceId),
    /** Deletes the remaining rows of a workspace, including its own. */
    finish: async (workspaceId: string) => {
      for (const table of workspaceTables) await deleteFrom(sql, table, workspaceId)
      await sql`DELETE FROM workspaces WHERE id = ${workspaceId} AND deleting_at IS NOT NULL`
    },
  }
}

function begin(database: Database, workspaceId: string, now: Date): Promise<boolean> {
  return database.transaction(async (sql) => {
    const updatedRows = await sql`
      UPDATE workspaces SET deleting_at = ${now.getTime()}, revision = revision + 1
      WHERE id = ${workspaceId} AND deleting_at IS NULL RETURNING id`
    if (updatedRows.length === 0) return false
    await sql`DELETE FROM members WHERE workspace_id = ${workspaceId}`
    await sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId}`
    await sql`DELETE FROM api_keys WHERE workspace_id = ${workspaceId}`
    await enqueueJobs(
      sql,
      [
        {
          kind: 'workspace.delete',
          key: workspaceId,
          // A job of the installation, since jobs of the workspace are deleted with it.
          workspaceId: undefined,
          payload: { workspaceId },
          attemptsMax: undefined,
        },
      ],
      now,
    )
    return true
  })
}

/** Served by the primary key. */
async function find(sql: Sql, workspaceId: string): Promise<Date | undefined> {
  const [row] = await sql<{ deleting_at: number }>`
    SELECT deleting_at FROM workspaces WHERE id = ${workspaceId} AND deleting_at IS NOT NULL`
  return row && new Date(row.deleting_at)
}

async function list(sql: Sql): Promise<WorkspaceDeletion[]> {
  const rows = await sql<{ id: string; deleting_at: number }>`
    SELECT id, deleting_at FROM workspaces WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id`
  return rows.map(({ id, deleting_at }) => ({ workspaceId: id, since: new Date(deleting_at) }))
}

async function deleteFrom(
  sql: Sql,
  { name, key, parent }: WorkspaceTable,
  workspaceId: string,
): Promise<void> {
  const head = `DELETE FROM ${name} WHERE workspace_id = `
  const rows = ` AND (${key}) IN (SELECT ${key} FROM ${name} WHERE workspace_id = `
  const parentConditions =
    parent === undefined
      ? []
      : [` AND ${parent.column} IN (SELECT id FROM ${parent.table} WHERE workspace_id = `]
  const tail = `${parent === undefined ? '' : ')'} LIMIT `
  const strings = [head, rows, ...parentConditions, tail, `) RETURNING ${key}`]
  const values: SqlValue[] = [
    workspaceId,
    workspaceId,
    ...parentConditions.map(() => workspaceId),
    rowsPerStatement,
  ]
  for (;;) {
    const deletedRows = await sql<object>(Object.assign([...strings], { raw: strings }), ...values)
    if (deletedRows.length < rowsPerStatement) return
  }
}

async function* fileKeys(sql: Sql, workspaceId: string): AsyncGenerator<string, void> {
  let after = ''
  for (;;) {
    const rows = await sql<{ file_key: string }>`
      SELECT file_key FROM files WHERE workspace_id = ${workspaceId} AND file_key > ${after}
      ORDER BY file_key LIMIT ${rowsPerStatement}`
    for (const { file_key } of rows) yield file_key
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.file_key
  }
}
