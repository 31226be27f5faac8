/**
 * Security headers of every response. The interface returns data that must not run, be framed or be cached; the web app and
 * the reference replace this with their own policy.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

const apiHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // One-time links have their secret in the URL.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** One year, as browsers expect; without subdomains, which may belong to other services. */
const onlyHttps = { 'strict-transport-security': 'max-age=31536000' }

export const securityHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> =>
  publicUrl?.startsWith('https:') === true ? { ...apiHeaders, ...onlyHttps } : apiHeaders

/** Sets the headers first, so that any handler may replace them. */
export function addSecurityHeaders(server: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  server.addHook('onRequest', (_request, reply, callback) => {
    reply.headers(headers)
    callback()
  })
}

/** For responses that a cache may store if it revalidates them: they have an ETag. */
export const askBeforeUse = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'private, no-cache')
