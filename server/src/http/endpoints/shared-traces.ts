/** Share links: one trace, without an account, for anyone with the link. */
import type { FastifyInstance } from 'fastify'
import { makeResponseCache, readSharedTrace } from '../../observe/shares/shared-trace.ts'
import { makeRateLimit } from '../limits/rate-limit.ts'

type Deps = Omit<Parameters<typeof readSharedTrace>[1], 'checkRate' | 'responses'>

/** Per link, since readers of a link have no key to be limited by. */
const readsPerMinute = 60
const linksMax = 10_000

export function registerSharedTraces(server: FastifyInstance, deps: Deps): void {
  const checkRate = makeRateLimit(readsPerMinute, linksMax)
  const responses = makeResponseCache()
  server.get<{ Params: { token: string } }>('/shared/:token', async (request, reply) => {
    const shared = await readSharedTrace(request.params.token, { ...deps, checkRate, responses })
    // A revoked link must not live on in a cache, and search engines must not index it.
    return reply
      .type('application/json; charset=utf-8')
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .send(shared)
  })
}
