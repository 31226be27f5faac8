/**
 * The service's own clients, which `npm run build` packs: `npm install <url>/packages/sdk.tgz`, and for Python `pip install
 * <url>/packages/plumbline-<version>-py3-none-any.whl`. They need no key: they contain no user data.
 */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendStream } from '../streams/send-stream.ts'
import type { PageParts } from '../web-app.ts'

const types: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.whl': 'application/zip' }

const notBuilt =
  'The packages have not been built. Run `npm run build` where Plumbline is installed, and load this address again.\n'

export function registerPackages(server: FastifyInstance, { folder, basePath, logger }: PageParts): void {
  const list = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const names = await packagesIn(folder)
    if (names.length === 0) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    // A page of links for pip: `pip install plumbline --find-links <url>/packages/`.
    const links = names.map((name) => `<li><a href="${encodeURIComponent(name)}">${name}</a></li>`)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`<!doctype html><title>Packages</title><ul>${links.join('')}</ul>\n`)
  }
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { name } = request.params as { name: string }
    const names = await packagesIn(folder)
    if (names.length === 0) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    // Only names in the folder listing, so no path leads out of it.
    if (!names.includes(name))
      throw new ServiceError('route_not_found', { path: `/packages/${name.slice(0, 200)}` })
    const { size, mtimeMs } = await stat(join(folder, name))
    const etag = `"${mtimeMs.toString(36)}-${size.toString(36)}"`
    reply.type(types[extname(name)]!).header('etag', etag).header('cache-control', 'no-cache')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return sendStream(reply.header('content-length', size), createReadStream(join(folder, name)), logger)
  }
  server.get('/packages', async (_request, reply) => reply.redirect(`${basePath}/packages/`))
  server.get('/packages/', list)
  server.get('/packages/:name', send)
}

async function packagesIn(folder: string): Promise<string[]> {
  // A missing folder has no packages.
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => Object.hasOwn(types, extname(name))).sort()
}
