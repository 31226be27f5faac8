import type { WorkspaceDb } from '../store/workspace.ts'
import { keepUpload, removeContents } from './file-contents.ts'

/** An upload: first announced, then uploaded. The bytes are stored elsewhere. */
export type StoredFile = {
  fileKey: string
  fileName: string
  contentType: string
  /** As announced, then as uploaded; absent if not announced. */
  sizeBytes: number | undefined
  createdAt: Date
  /** Absent until the bytes have arrived. */
  uploadedAt: Date | undefined
}

/** Facts about the bytes of a file when they arrived; the hash is absent for files of older versions. */
export type UploadedFile = {
  readonly fileKey: string
  readonly sizeBytes: number | undefined
  readonly sha256: string | undefined
}

export type NewFile = {
  readonly fileKey: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes?: number
}

/** Bytes that have arrived completely. */
export type UploadedBytes = {
  readonly sizeBytes: number
  readonly sha256?: string
  /** The upload, if its bytes are in this store. */
  readonly uploadId?: string | undefined
  readonly keep: () => Promise<void>
}

type FileRow = {
  file_key: string
  file_name: string
  content_type: string
  size_bytes: number | null
  created_at: number
  uploaded_at: number | null
}

/** Announces an upload; its key is the primary key. */
export async function create(db: WorkspaceDb, input: NewFile, now: Date): Promise<StoredFile> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<FileRow>`
      INSERT INTO files (workspace_id, file_key, file_name, content_type, size_bytes, created_at)
      VALUES (${workspaceId}, ${input.fileKey}, ${input.fileName}, ${input.contentType}, ${input.sizeBytes ?? null},
        ${now.getTime()})
      RETURNING file_key, file_name, content_type, size_bytes, created_at, uploaded_at`
    return rows.map(toStoredFile)[0]!
  })
}

/** One upload, by primary key. */
export async function find(db: WorkspaceDb, fileKey: string): Promise<StoredFile | undefined> {
  const { sql, workspaceId } = db
  const rows = await sql<FileRow>`
    SELECT file_key, file_name, content_type, size_bytes, created_at, uploaded_at FROM files
    WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}`
  return rows.map(toStoredFile)[0]
}

/**
 * Marks a file as uploaded, by primary key, and within the same transaction makes `uploadId` its content, or calls
 * `keep` if the bytes are stored elsewhere. Returns false without storing anything if the upload was never announced or
 * is already complete.
 */
export function markUploaded(
  db: WorkspaceDb,
  fileKey: string,
  content: UploadedBytes,
  now: Date,
): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<{ file_key: string }>`
      UPDATE files SET size_bytes = ${content.sizeBytes}, uploaded_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey} AND uploaded_at IS NULL RETURNING file_key`
    if (rows.length === 0) return false
    if (content.sha256 !== undefined)
      await sql`INSERT INTO file_hashes (workspace_id, file_key, sha256) VALUES (${workspaceId}, ${fileKey}, ${content.sha256})`
    // A crash here rolls back, so that the upload can be retried.
    if (content.uploadId === undefined) await content.keep()
    else await keepUpload({ sql, workspaceId }, { fileKey, uploadId: content.uploadId })
    return true
  })
}

/** Deletes a file, and its bytes if they are in this store, by primary key. Returns whether it existed. */
export function remove(db: WorkspaceDb, fileKey: string): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [deletedRow] = await sql`
      DELETE FROM files WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey} RETURNING file_key`
    if (deletedRow === undefined) return false
    await sql`DELETE FROM file_hashes WHERE workspace_id = ${workspaceId} AND file_key = ${fileKey}`
    await removeContents({ sql, workspaceId }, fileKey)
    return true
  })
}

/** Keys of files that were announced before a given time, in chunks; by primary key. */
export async function* walkAnnouncedBefore(
  { sql, workspaceId }: WorkspaceDb,
  cutoff: Date,
): AsyncGenerator<{ fileKey: string; createdAt: Date }[], void> {
  for (let after = ''; ; ) {
    const rows = await sql<{ file_key: string; created_at: number }>`
      SELECT file_key, created_at FROM files
      WHERE workspace_id = ${workspaceId} AND file_key > ${after} AND created_at < ${cutoff.getTime()}
      ORDER BY file_key LIMIT 500`
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.file_key
    yield rows.map(({ file_key, created_at }) => ({ fileKey: file_key, createdAt: new Date(created_at) }))
  }
}

/** Uploaded files, in chunks; by primary key. */
export async function* listUploads({ sql, workspaceId }: WorkspaceDb): AsyncGenerator<UploadedFile[], void> {
  for (let after = ''; ; ) {
    const rows = await sql<{ file_key: string; size_bytes: number | null; sha256: string | null }>`
      SELECT f.file_key, f.size_bytes, h.sha256 FROM files f
      LEFT JOIN file_hashes h ON h.workspace_id = f.workspace_id AND h.file_key = f.file_key
      WHERE f.workspace_id = ${workspaceId} AND f.file_key > ${after} AND f.uploaded_at IS NOT NULL
      ORDER BY f.file_key LIMIT 500`
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.file_key
    yield rows.map(({ file_key, size_bytes, sha256 }) => ({
      fileKey: file_key,
      sizeBytes: size_bytes ?? undefined,
      sha256: sha256 ?? undefined,
    }))
  }
}

function toStoredFile(row: FileRow): StoredFile {
  return {
    fileKey: row.file_key,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes ?? undefined,
    createdAt: new Date(row.created_at),
    uploadedAt: row.uploaded_at === null ? undefined : new Date(row.uploaded_at),
  }
}
