/** The help: `docs/` as pages, which `npm run build` creates. It needs no key: it contains no user data. */
import { join } from 'node:path'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findFile, pathIn, sendBuiltFile } from '../built-files.ts'
import { type PageParts, pageHeaders } from '../web-app.ts'

const notBuilt =
  'The help has not been built. Run `npm run build` where Plumbline is installed, and load this address again.\n'

export function registerHelp(server: FastifyInstance, { folder, basePath, logger }: PageParts): void {
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': requested = '' } = request.params as { '*'?: string }
    const path = requested === '' ? 'index.html' : pathIn(request)
    const isBuilt = (await findFile(join(folder, 'index.html'))) !== undefined
    if (isBuilt && (await findFile(join(folder, path))) === undefined)
      throw new ServiceError('route_not_found', { path: `/help/${requested.slice(0, 200)}` })
    return sendBuiltFile(request, reply.headers(pageHeaders), { folder, path, notBuilt, logger })
  }
  server.get('/help', async (_request, reply) => reply.redirect(`${basePath}/help/`))
  server.get('/help/', send)
  server.get('/help/*', send)
}
