/** The web app: the files of a build folder, and `index.html` for every URL that is one of its views. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { findFile, pathIn, sendBuiltFile } from './built-files.ts'

/**
 * In addition to the headers of every response. Content of a trace must not run, or reveal that it is being viewed, so
 * nothing loads from elsewhere, not even images. Styles may be inline, since editors and charts set them that way.
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data:",
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
  'The web app has not been built. Run `npm run build` where Plumbline is installed, and load this address again.\n'

/** Names of files in this folder contain a hash, so a file never changes. */
const hashedFolder = 'assets/'

export interface PageParts {
  /** The build's output folder. */
  readonly folder: string
  /** The path prefix of the service's URLs in browsers. */
  readonly basePath: string
  readonly logger: Logger
}

export function registerWebApp(server: FastifyInstance, { folder, basePath, logger }: PageParts): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathIn(request)
    const isFile = path !== '' && (await findFile(join(folder, path))) !== undefined
    if (!isFile && path.startsWith(hashedFolder))
      throw new ServiceError('route_not_found', { path: `/app/${path.slice(0, 200)}` })
    reply.headers(pageHeaders)
    const index = join(folder, 'index.html')
    if (!isFile && basePath !== '' && (await findFile(index)) !== undefined)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(withBasePath(await readFile(index, 'utf8'), basePath))
    return sendBuiltFile(request, reply, {
      folder,
      path: isFile ? path : 'index.html',
      isHashed: path.startsWith(hashedFolder),
      notBuilt,
      logger,
    })
  }
  server.get('/app', async (_request, reply) => reply.redirect(`${basePath}/app/`))
  server.get('/app/', answer)
  server.get('/app/*', answer)
}

/** The page's own URLs are absolute, since it is served at any depth; those in its scripts are relative. */
const withBasePath = (page: string, basePath: string): string =>
  page
    .replaceAll(/ (href|src)="\/app\//g, ` $1="${basePath}/app/`)
    .replace('data-base-path=""', `data-base-path="${basePath}"`)
