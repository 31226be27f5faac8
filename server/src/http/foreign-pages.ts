/** Browsers send cookies with requests from any page: a change must come from our own page. */
import { ServiceError } from '@plumbline/contract'
import type { FastifyRequest } from 'fastify'

/** Refuses a request that may change something, unless a page of this service sent it. */
export function refuseForeignPages(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  publicUrl: string | undefined,
): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const site = headers['sec-fetch-site']
  if (site === undefined ? isOurs(headers.origin, headers.host, publicUrl) : site === 'same-origin') return
  throw new ServiceError('forbidden', {
    problem:
      'Only a page of this service may do this with a cookie; programs must send an API key and no cookie.',
  })
}

/** Older browsers send only the origin. */
function isOurs(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}
