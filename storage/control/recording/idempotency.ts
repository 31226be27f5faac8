import type { WorkspaceDb } from '../store/workspace.ts'

/** Which request a retry repeats. */
export type RequestKey = { readonly apiKeyId: string; readonly route: string; readonly key: string }

export type NewClaim = RequestKey & {
  readonly bodyHash: string
  /** The id of the trace to write, so that a retry after a crash writes the same one. */
  readonly traceId?: string
}

/** An earlier request with the same key; without `answer` it is in progress, or its process died. */
export type EarlierRequest = {
  bodyHash: string
  traceId: string | undefined
  /** `body` is JSON text. */
  answer: { status: number; body: string } | undefined
  createdAt: Date
}

export type Claim = { type: 'claimed' } | { type: 'taken'; earlier: EarlierRequest }

/** Claims a key for this request, or returns the earlier request that has it; of concurrent requests, one wins. */
export async function claim(db: WorkspaceDb, input: NewClaim, now: Date): Promise<Claim> {
  const { sql, workspaceId } = db
  for (;;) {
    const [claim] = await sql<{ request_key: string }>`
      INSERT INTO idempotent_requests (workspace_id, api_key_id, route, request_key, body_hash, trace_id, created_at)
      VALUES (${workspaceId}, ${input.apiKeyId}, ${input.route}, ${input.key}, ${input.bodyHash},
        ${input.traceId ?? null}, ${now.getTime()})
      ON CONFLICT (workspace_id, api_key_id, route, request_key) DO NOTHING RETURNING request_key`
    if (claim !== undefined) return { type: 'claimed' }
    const earlier = await find(db, input)
    if (earlier !== undefined) return { type: 'taken', earlier }
    // The key was released between the two statements and is free again.
  }
}

/** The earlier request with this key, by primary key. */
async function find(
  db: WorkspaceDb,
  { apiKeyId, route, key }: RequestKey,
): Promise<EarlierRequest | undefined> {
  const { sql, workspaceId } = db
  const [row] = await sql<{
    body_hash: string
    trace_id: string | null
    status: number | null
    response: string | null
    created_at: number
  }>`
    SELECT body_hash, trace_id, status, response, created_at FROM idempotent_requests
    WHERE workspace_id = ${workspaceId} AND api_key_id = ${apiKeyId} AND route = ${route} AND request_key = ${key}`
  if (row === undefined) return undefined
  const { status, response } = row
  return {
    bodyHash: row.body_hash,
    traceId: row.trace_id ?? undefined,
    answer: status === null || response === null ? undefined : { status, body: response },
    createdAt: new Date(row.created_at),
  }
}

/** Stores the response (`body` is JSON text) for retries; by primary key. */
export async function complete(
  { sql, workspaceId }: WorkspaceDb,
  { apiKeyId, route, key }: RequestKey,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  await sql`
    UPDATE idempotent_requests SET status = ${answer.status}, response = ${answer.body}
    WHERE workspace_id = ${workspaceId} AND api_key_id = ${apiKeyId} AND route = ${route} AND request_key = ${key}`
}

/** Releases the key of a failed request, so that a retry is a new request; by primary key. */
export async function release(
  { sql, workspaceId }: WorkspaceDb,
  { apiKeyId, route, key }: RequestKey,
): Promise<void> {
  await sql`
    DELETE FROM idempotent_requests
    WHERE workspace_id = ${workspaceId} AND api_key_id = ${apiKeyId} AND route = ${route} AND request_key = ${key}`
}

/** Deletes requests claimed before a time; served by idempotent_requests_by_age. */
export async function forgetBefore({ sql, workspaceId }: WorkspaceDb, time: Date): Promise<void> {
  await sql`
    DELETE FROM idempotent_requests WHERE workspace_id = ${workspaceId} AND created_at < ${time.getTime()}`
}
