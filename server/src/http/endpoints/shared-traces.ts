/** What share links lead to: one trace, for whoever has the link, without an account. */
import type { FastifyInstance } from 'fastify'
import { readSharedTrace } from '../../observe/shares/shared-trace.ts'

type Deps = Parameters<typeof readSharedTrace>[1]

export function registerSharedTraces(server: FastifyInstance, deps: Deps): void {
  server.get<{ Params: { token: string } }>('/shared/:token', async (request, reply) => {
    const shared = await readSharedTrace(request.params.token, deps)
    // A revoked link must not go on in a cache, and no search engine needs it.
    return reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').send(shared)
  })
}
