import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'

/** Counts of the records that one API key sent: each was stored, deduplicated or rejected. */
export type LedgerEntry = {
  readonly apiKeyId: string
  /** When they arrived; counted in its hour. */
  readonly time: Date
  readonly stored?: number
  readonly deduplicated?: number
  /** Stored records that will be evaluated. */
  readonly sampled?: number
  /** Stored records that will not be evaluated. */
  readonly sampledOut?: number
  readonly rejections?: readonly LedgerRejection[]
}

/** Records rejected for one reason. */
export type LedgerRejection = {
  /** An error code. */
  readonly reason: string
  readonly count: number
  /** The start of the last rejected body, at most 2 kB. */
  readonly sample: string
  readonly time: Date
}

/** One API key's hour. */
export type LedgerHour = {
  apiKeyId: string
  hour: Date
  received: number
  stored: number
  deduplicated: number
  rejected: number
  sampled: number
  sampledOut: number
  rejections: { reason: string; count: number; lastSample: string; lastAt: Date }[]
}

type HourRow = {
  api_key_id: string
  hour: number
  stored: number
  deduplicated: number
  sampled: number
  sampled_out: number
}

type RejectionRow = {
  api_key_id: string
  hour: number
  reason: string
  rejected: number
  last_sample: string
  last_at: number
}

const hourMs = 3_600_000
const sampleBytesMax = 2_048

// A segment is replayed right after a crash, before any other is counted: one day would be enough.
const batchesKeptMs = 48 * hourMs

/**
 * Adds counts to their hours, all or none. Given the token of a spool segment, adds them once, however often the
 * segment is replayed; returns false for a replay.
 */
export function add(
  db: WorkspaceDb,
  token: string | null,
  entries: readonly LedgerEntry[],
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (token !== null && !(await isNewBatch(tx, token, now))) return false
    // In a fixed order, so that two nodes cannot deadlock.
    for (const entry of entries.toSorted(byKeyAndHour)) await addEntry(tx, entry)
    return true
  })
}

/** The hours from `from` to before `to`, oldest first; served by ledger_hours_by_hour, for one key by primary key. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  {
    from,
    to,
    apiKeyId = null,
  }: { readonly from: Date; readonly to: Date; readonly apiKeyId?: string | null },
): Promise<LedgerHour[]> {
  const hours = await sql<HourRow>`
    SELECT api_key_id, hour, stored, deduplicated, sampled, sampled_out FROM ledger_hours
    WHERE workspace_id = ${workspaceId} AND hour >= ${from.getTime()} AND hour < ${to.getTime()}
      AND (CAST(${apiKeyId} AS text) IS NULL OR api_key_id = ${apiKeyId})
    ORDER BY hour, api_key_id`
  const rejections = await sql<RejectionRow>`
    SELECT api_key_id, hour, reason, rejected, last_sample, last_at FROM ledger_rejections
    WHERE workspace_id = ${workspaceId} AND hour >= ${from.getTime()} AND hour < ${to.getTime()}
      AND (CAST(${apiKeyId} AS text) IS NULL OR api_key_id = ${apiKeyId})
    ORDER BY reason`
  const rejectionsOf = Map.groupBy(rejections, (row) => `${row.hour} ${row.api_key_id}`)
  return hours.map((row) => toLedgerHour(row, rejectionsOf.get(`${row.hour} ${row.api_key_id}`) ?? []))
}

async function isNewBatch({ sql, workspaceId }: WorkspaceSql, token: string, now: Date): Promise<boolean> {
  const [inserted] = await sql<{ token: string }>`
    INSERT INTO ledger_batches (workspace_id, token, applied_at)
    VALUES (${workspaceId}, ${token}, ${now.getTime()})
    ON CONFLICT (workspace_id, token) DO NOTHING RETURNING token`
  if (inserted === undefined) return false
  await sql`
    DELETE FROM ledger_batches
    WHERE workspace_id = ${workspaceId} AND applied_at < ${now.getTime() - batchesKeptMs}`
  return true
}

async function addEntry({ sql, workspaceId }: WorkspaceSql, entry: LedgerEntry): Promise<void> {
  const hour = Math.floor(entry.time.getTime() / hourMs) * hourMs
  const { apiKeyId, stored = 0, deduplicated = 0, sampled = 0, sampledOut = 0, rejections = [] } = entry
  // Even if all counts are 0: an hour with only rejections needs a row.
  await sql`
    INSERT INTO ledger_hours (workspace_id, api_key_id, hour, stored, deduplicated, sampled, sampled_out)
    VALUES (${workspaceId}, ${apiKeyId}, ${hour}, ${stored}, ${deduplicated}, ${sampled}, ${sampledOut})
    ON CONFLICT (workspace_id, api_key_id, hour) DO UPDATE SET
      stored = ledger_hours.stored + excluded.stored,
      deduplicated = ledger_hours.deduplicated + excluded.deduplicated,
      sampled = ledger_hours.sampled + excluded.sampled,
      sampled_out = ledger_hours.sampled_out + excluded.sampled_out`
  for (const rejection of rejections) {
    await sql`
      INSERT INTO ledger_rejections (workspace_id, api_key_id, hour, reason, rejected, last_sample, last_at)
      VALUES (${workspaceId}, ${apiKeyId}, ${hour}, ${rejection.reason}, ${rejection.count},
        ${startOf(rejection.sample)}, ${rejection.time.getTime()})
      ON CONFLICT (workspace_id, api_key_id, hour, reason) DO UPDATE SET
        rejected = ledger_rejections.rejected + excluded.rejected,
        last_sample = CASE WHEN excluded.last_at >= ledger_rejections.last_at
          THEN excluded.last_sample ELSE ledger_rejections.last_sample END,
        last_at = CASE WHEN excluded.last_at >= ledger_rejections.last_at
          THEN excluded.last_at ELSE ledger_rejections.last_at END`
  }
}

/** The first 2 kB, without a partial character at the end. */
function startOf(sample: string): string {
  const bytes = new Uint8Array(sampleBytesMax)
  const { written } = new TextEncoder().encodeInto(sample, bytes)
  return new TextDecoder().decode(bytes.subarray(0, written))
}

function byKeyAndHour(a: LedgerEntry, b: LedgerEntry): number {
  if (a.apiKeyId !== b.apiKeyId) return a.apiKeyId < b.apiKeyId ? -1 : 1
  return a.time.getTime() - b.time.getTime()
}

function toLedgerHour(row: HourRow, rejections: readonly RejectionRow[]): LedgerHour {
  const rejected = rejections.reduce((sum, rejection) => sum + rejection.rejected, 0)
  return {
    apiKeyId: row.api_key_id,
    hour: new Date(row.hour),
    received: row.stored + row.deduplicated + rejected,
    stored: row.stored,
    deduplicated: row.deduplicated,
    rejected,
    sampled: row.sampled,
    sampledOut: row.sampled_out,
    rejections: rejections.map((rejection) => ({
      reason: rejection.reason,
      count: rejection.rejected,
      lastSample: rejection.last_sample,
      lastAt: new Date(rejection.last_at),
    })),
  }
}
