/** Files of a build folder: compressed if the build did so, and read again only if they have changed. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { sendStream } from './streams/send-stream.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The build compresses each file in these encodings, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The path below the folder; a path that leads out of it is not a file. */
export function pathIn({ params }: FastifyRequest): string {
  const { '*': requested = '' } = params as { '*'?: string }
  const path = normalize(requested)
  return path.startsWith('..') || path.startsWith('/') || path.includes('\0') || path === '.' ? '' : path
}

interface BuiltFile {
  readonly folder: string
  readonly path: string
  /** Whether its name contains a hash, so that it never changes. */
  readonly isHashed?: boolean
  /** The message if the file is missing. */
  readonly notBuilt: string
  readonly logger: Logger
}

export async function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, path, isHashed = false, notBuilt, logger }: BuiltFile,
): Promise<FastifyReply> {
  const plain = await findFile(join(folder, path))
  if (plain === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  const accepted = request.headers['accept-encoding'] ?? ''
  const [encoding, file, info] = await chooseEncoding(join(folder, path), accepted, plain)
  const etag = `"${info.mtimeMs.toString(36)}-${info.size.toString(36)}"`
  reply
    .type(types[extname(path)] ?? 'application/octet-stream')
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return sendStream(reply.header('content-length', info.size), createReadStream(file), logger)
}

interface FileInfo {
  readonly size: number
  readonly mtimeMs: number
}

async function chooseEncoding(
  file: string,
  acceptHeader: string,
  plain: FileInfo,
): Promise<[encoding: string | undefined, file: string, info: FileInfo]> {
  for (const [encoding, ending] of encodings) {
    if (!new RegExp(`\\b${encoding}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(acceptHeader)) continue
    const info = await findFile(file + ending)
    if (info !== undefined) return [encoding, file + ending, info]
  }
  return [undefined, file, plain]
}

export async function findFile(file: string): Promise<FileInfo | undefined> {
  // Folders and unreadable files count as missing.
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() === true ? stats : undefined
}
