/** Routes for operators and browsers without a key: health, metrics, and the description of the interface. */
import { hash } from 'node:crypto'
import { openApiDocument, ServiceError } from '@plumbline/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { HealthCheck } from '../../process/health.ts'

interface OperatorParts {
  readonly registry: Registry
  readonly health: HealthCheck
  /** The path prefix of the service's URLs in browsers. */
  readonly basePath: string
}

export async function registerOperatorRoutes(
  server: FastifyInstance,
  { registry, health, basePath }: OperatorParts,
): Promise<void> {
  server.get('/healthz', async () => ({ status: 'alive' }))
  server.get('/readyz', async (_request, reply) => {
    const { problem, degradedParts } = await health.check()
    if (problem === undefined) return { status: 'ready', degraded: degradedParts }
    return reply.code(503).header('retry-after', 5).send({ error: problem, degraded: degradedParts })
  })
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  // More than a megabyte, which most services never have to serve.
  let description: string | undefined
  server.get('/openapi.json', async (_request, reply) => {
    description ??= JSON.stringify(
      basePath === '' ? openApiDocument() : { ...openApiDocument(), servers: [{ url: basePath }] },
    )
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(description)
  })
  server.get('/', async (request, reply) =>
    reply.redirect(basePath + (request.headers.accept?.includes('text/html') === true ? '/app/' : '/docs')),
  )
  let reference: Promise<FastifyInstance> | undefined
  const showReference = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reference ??= makeReference(basePath)
    const { statusCode, headers, rawPayload } = await (await reference).inject({ url: request.url })
    if (statusCode === 404) throw new ServiceError('route_not_found', { path: request.url.slice(0, 200) })
    return reply
      .code(statusCode)
      .headers({
        'content-type': headers['content-type'],
        location: headers.location && basePath + headers.location,
        'content-security-policy': policyOf(rawPayload),
        'cache-control': 'public, max-age=300',
      })
      .send(rawPayload)
  }
  server.get('/docs', showReference)
  server.get('/docs/*', showReference)
}

/** The reference is our own page with one inline script, and connects only to this service. */
const policyOf = (page: Buffer): string =>
  [
    "default-src 'none'",
    `script-src 'self'${inlineScripts(page).map((script) => ` 'sha256-${hash('sha256', script, 'base64')}'`)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

const inlineScripts = (page: Buffer): string[] =>
  page.length > 10_000
    ? []
    : [...page.toString('utf8').matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, text = '']) => text,
      )

/** The browsable reference: created on first request, since it takes a tenth of an idle service's memory. */
async function makeReference(basePath: string): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: `${basePath}/openapi.json`,
      title: 'Plumbline API',
      // Loads nothing from other hosts and links to none: the page works without internet access.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      defaultOpenAllTags: true,
    },
  })
  await server.ready()
  return server
}
