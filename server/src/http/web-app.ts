/** The page: the files that the build has put in a folder, and `index.html` for every address that is a view of it. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

/** Compressed beside each file by the build, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Beside those of every response. Nothing that a trace contains may run or tell anybody that it is looked at, so nothing comes from elsewhere: not
 * even images. Styles may be inline, since editors and charts set them so.
 */
const headers = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const notBuilt =
  'The page has not been built. Run `npm run build` where Plumbline is installed, and load this address again.\n'

/** Names of files in this folder have a hash in them, so a file never changes. */
const hashedFolder = 'assets/'

export function registerWebApp(server: FastifyInstance, folder: string, logger: Logger): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathIn(request)
    const isFile = path !== '' && (await findFile(join(folder, path))) !== undefined
    if (!isFile && path.startsWith(hashedFolder))
      throw new ServiceError('route_not_found', { path: `/app/${path.slice(0, 200)}` })
    reply.headers(headers)
    return send(request, reply, { folder, path: isFile ? path : 'index.html', logger })
  }
  server.get('/app', async (_request, reply) => reply.redirect('/app/'))
  server.get('/app/', answer)
  server.get('/app/*', answer)
}

/** The path below the folder; one that leads out of it is no file. */
function pathIn({ params }: FastifyRequest): string {
  const { '*': requested = '' } = params as { '*'?: string }
  const path = normalize(requested)
  return path.startsWith('..') || path.startsWith('/') || path.includes('\0') || path === '.' ? '' : path
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, path, logger }: { readonly folder: string; readonly path: string; readonly logger: Logger },
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
    .header(
      'cache-control',
      path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
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
  accepted: string,
  plain: FileInfo,
): Promise<[encoding: string | undefined, file: string, found: FileInfo]> {
  for (const [encoding, ending] of encodings) {
    if (!new RegExp(`\\b${encoding}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted)) continue
    const info = await findFile(file + ending)
    if (info !== undefined) return [encoding, file + ending, info]
  }
  return [undefined, file, plain]
}

async function findFile(file: string): Promise<FileInfo | undefined> {
  // Absent is the only answer: a folder or what cannot be read is no file of the page.
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() === true ? stats : undefined
}
