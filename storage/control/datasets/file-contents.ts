/**
 * File contents in the control store, so that every node can read what another received. Each upload writes its own
 * chunks, and becomes the file when it is kept.
 */
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'

/** Adds bytes to an upload, at the position after the last one. */
export async function addChunk(
  { sql, workspaceId }: WorkspaceDb,
  { fileKey, uploadId, position }: ChunkPlace,
  bytes: Uint8Array,
): Promise<void> {
  await sql`
    INSERT INTO file_chunks (workspace_id, file_key, upload_id, position, bytes)
    VALUES (${workspaceId}, ${fileKey}, ${uploadId}, ${position}, ${bytes})`
}

/** Makes an upload the file, replacing an earlier one, by primary key. */
export async function keepUpload({ sql, workspaceId }: WorkspaceSql, upload: Upload): Promise<void> {
  const { fileKey, uploadId } = upload
  await sql`
    INSERT INTO file_contents (workspace_id, file_key, upload_id) VALUES (${workspaceId}, ${fileKey}, ${uploadId})
    ON CONFLICT (workspace_id, file_key) DO UPDATE SET upload_id = excluded.upload_id`
}

/** Deletes the chunks of an upload that was not kept, by primary key. */
export async function discardUpload({ sql, workspaceId }: WorkspaceDb, upload: Upload): Promise<void> {
  await sql`
    DELETE FROM file_chunks
    WHERE workspace_id = ${workspaceId} AND file_key = ${upload.fileKey} AND upload_id = ${upload.uploadId}`
}

/** The upload that is the file, by primary key. */
export async function findUpload(
  { sql, workspaceId }: WorkspaceDb,
  fileKey: string,
): Promise<string | undefined> {
  const [row] = await sql<{ upload_id: string }>`
    SELECT upload_id FROM file_contents WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}`
  return row?.upload_id
}

/** The bytes of an upload, a chunk at a time, by primary key. */
export async function* chunks(
  { sql, workspaceId }: WorkspaceDb,
  { fileKey, uploadId }: Upload,
): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ; position++) {
    const [row] = await sql<{ bytes: Uint8Array }>`
      SELECT bytes FROM file_chunks WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}
        AND upload_id = ${uploadId} AND position = ${position}`
    if (row === undefined) return
    yield row.bytes
  }
}

/** Deletes the contents of a file from every upload, by primary key. */
export async function removeContents({ sql, workspaceId }: WorkspaceSql, fileKey: string): Promise<void> {
  await sql`DELETE FROM file_contents WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}`
  await sql`DELETE FROM file_chunks WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}`
}

/**
 * Deletes uploads that began before the cutoff and were never kept, such as those of a dead node; reads the chunks'
 * keys.
 */
export async function deleteUnused({ sql, workspaceId }: WorkspaceDb, cutoff: Date): Promise<void> {
  await sql`
    DELETE FROM file_chunks WHERE workspace_id = ${workspaceId} AND upload_id < ${firstIdOf(cutoff)}
      AND NOT EXISTS (
        SELECT 1 FROM file_contents c WHERE c.workspace_id = file_chunks.workspace_id
          AND c.file_key = file_chunks.file_key AND c.upload_id = file_chunks.upload_id)`
}

/** A lower bound for all UUIDv7s of this time or later. */
const firstIdOf = (moment: Date): string => {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

export interface Upload {
  readonly fileKey: string
  /** A UUIDv7, which tells its age. */
  readonly uploadId: string
}

export interface ChunkPlace extends Upload {
  readonly position: number
}
