/** What operators and browsers ask for without a key: health, metrics, and the description of the interface. */
import { openApiDocument } from '@plumbline/contract'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

interface OperatorParts {
  readonly registry: Registry
  /** What is not reachable now, by name; empty when everything is. */
  readonly findUnready: () => Promise<string[]>
}

export async function addOperatorRoutes(
  server: FastifyInstance,
  { registry, findUnready }: OperatorParts,
): Promise<void> {
  const description = JSON.stringify(openApiDocument())

  server.get('/healthz', async () => ({ status: 'alive' }))
  server.get('/readyz', async (_request, reply) => {
    const unready = await findUnready()
    if (unready.length === 0) return { status: 'ready' }
    return reply
      .code(503)
      .header('retry-after', 5)
      .send({ error: `Not reachable now: ${unready.join(', ')}.` })
  })
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  server.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  )
  server.get('/', async (_request, reply) => reply.redirect('/docs'))
  await server.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      title: 'Plumbline API',
    },
  })
}
