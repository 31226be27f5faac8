import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'

/** How many days something is kept; undefined keeps it forever. */
export type RetentionRules = {
  /** Traces with their logs and scores. */
  readonly days: number | undefined
  /** Traces of single features, overriding `days`. */
  readonly features: readonly { readonly featureSlug: string; readonly days: number | undefined }[]
  /** Traces of single environments, unless their feature has a rule. */
  readonly environments: readonly { readonly environment: string; readonly days: number | undefined }[]
  readonly ledgerSampleDays: number | undefined
  /** Files that nothing refers to. */
  readonly fileDays: number | undefined
  /** Finished evaluations; undefined uses the service default. */
  readonly evaluationDays: number | undefined
  /** Responses for an `Idempotency-Key`; undefined uses the service default. */
  readonly idempotencyDays: number | undefined
}

type StoredRules = {
  readonly features?: readonly { featureSlug: string; days: number | null }[]
  readonly environments?: readonly { environment: string; days: number | null }[]
  readonly ledgerSampleDays?: number
  readonly fileDays?: number
  readonly evaluationDays?: number
  readonly idempotencyDays?: number
}

/** The rules of the workspace, by its primary key. */
export async function find({ sql, workspaceId }: WorkspaceSql): Promise<RetentionRules> {
  const [workspace] = await sql<{ retention_days: number | null; retention_rules: string | null }>`
    SELECT retention_days, retention_rules FROM workspaces WHERE id = ${workspaceId}`
  // Safe: only `update` writes this column.
  const storedRules = JSON.parse(workspace?.retention_rules ?? '{}') as StoredRules
  return {
    days: workspace?.retention_days ?? undefined,
    features: (storedRules.features ?? []).map(({ featureSlug, days }) => ({
      featureSlug,
      days: days ?? undefined,
    })),
    environments: (storedRules.environments ?? []).map(({ environment, days }) => ({
      environment,
      days: days ?? undefined,
    })),
    ledgerSampleDays: storedRules.ledgerSampleDays,
    fileDays: storedRules.fileDays,
    evaluationDays: storedRules.evaluationDays,
    idempotencyDays: storedRules.idempotencyDays,
  }
}

/** Changes the given rules; returns those that apply now. */
export function update(db: WorkspaceDb, change: Partial<RetentionRules>): Promise<RetentionRules> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const rules = { ...(await find(tx)), ...change }
    const { days, features, environments, ...others } = rules
    const storedRules = {
      features: features.map((rule) => ({ ...rule, days: rule.days ?? null })),
      environments: environments.map((rule) => ({ ...rule, days: rule.days ?? null })),
      ...others,
    }
    await sql`
      UPDATE workspaces SET retention_days = ${days ?? null}, retention_rules = ${JSON.stringify(storedRules)}
      WHERE id = ${workspaceId}`
    return rules
  })
}

/** Samples of rejected records up to a given time, by primary key. */
export const countLedgerSamples = async ({ sql, workspaceId }: WorkspaceSql, cutoff: Date): Promise<number> =>
  countOf(
    await sql<Count>`
    SELECT count(*) AS count FROM ledger_rejections
    WHERE workspace_id = ${workspaceId} AND last_at <= ${cutoff.getTime()} AND last_sample <> ''`,
  )

/** Evaluations that ended or failed before a given time; served by evaluations_by_status. */
export const countEvaluations = async (
  { sql, workspaceId }: WorkspaceSql,
  { endedCutoff, failedCutoff }: { readonly endedCutoff: Date; readonly failedCutoff: Date },
): Promise<number> =>
  countOf(
    await sql<Count>`
    SELECT count(*) AS count FROM evaluations
    WHERE workspace_id = ${workspaceId}
      AND ((status IN ('done', 'skipped') AND changed_at < ${endedCutoff.getTime()})
        OR (status = 'failed' AND changed_at < ${failedCutoff.getTime()}))`,
  )

/** Requests with an `Idempotency-Key` before a given time; served by idempotent_requests_by_age. */
export const countRequests = async ({ sql, workspaceId }: WorkspaceSql, cutoff: Date): Promise<number> =>
  countOf(
    await sql<Count>`
    SELECT count(*) AS count FROM idempotent_requests
    WHERE workspace_id = ${workspaceId} AND created_at < ${cutoff.getTime()}`,
  )

type Count = { count: number }
const countOf = ([row]: readonly Count[]): number => row?.count ?? 0
