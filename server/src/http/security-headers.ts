/**
 * What every response tells a browser. The interface answers data that nothing may run, frame or keep; the web app and
 * the reference state their own policy over it.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

const apiHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Links that work once have their secret in the address.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** A year, as browsers want it; without subdomains, which may be others' services. */
const onlyHttps = { 'strict-transport-security': 'max-age=31536000' }

export const securityHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> =>
  publicUrl?.startsWith('https:') === true ? { ...apiHeaders, ...onlyHttps } : apiHeaders

/** Sets the headers before anything else, so that whatever answers may replace them. */
export function addSecurityHeaders(server: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  server.addHook('onRequest', (_request, reply, callback) => {
    reply.headers(headers)
    callback()
  })
}

/** For responses that a cache may keep as long as it asks whether they still hold: they have an ETag. */
export const askBeforeUse = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'private, no-cache')
