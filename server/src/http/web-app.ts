/** The page: the files that the build has put in a folder, and `index.html` for every address that is a view of it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { findFile, pathIn, sendBuiltFile } from './built-files.ts'

/**
 * Beside those of every response. Nothing that a trace contains may run or tell anybody that it is looked at, so nothing comes from elsewhere: not
 * even images. Styles may be inline, since editors and charts set them so.
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
  'The page has not been built. Run `npm run build` where Plumbline is installed, and load this address again.\n'

/** Names of files in this folder have a hash in them, so a file never changes. */
const hashedFolder = 'assets/'

export interface PageParts {
  /** Where the build has put the files. */
  readonly folder: string
  /** What the addresses of the service begin with in browsers. */
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

/** Its addresses are absolute, since it is the page of addresses of any depth; those in its scripts are relative. */
const withBasePath = (page: string, basePath: string): string =>
  page
    .replaceAll(/ (href|src)="\/app\//g, ` $1="${basePath}/app/`)
    .replace('data-base-path=""', `data-base-path="${basePath}"`)
