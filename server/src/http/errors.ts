/** Turns failures into responses: always JSON, always a sentence in `error`. */
import { errors, ServiceError } from '@plumbline/contract'
import type { FastifyError, FastifyReply } from 'fastify'
import { bodyBytesMax } from '../requests/body-limits.ts'
import { expectedFailure } from '../requests/expected-failure.ts'
import { RateLimited, retryAfterSeconds } from '../requests/retry-after.ts'
import { addressPartMax } from './request-address.ts'

/** The expected failure that an error represents, or `internal` for anything that should not have happened. */
export function asServiceError(
  error: unknown,
  requestId: string,
  bytesMax: number = bodyBytesMax,
): ServiceError {
  const expected = expectedFailure(error)
  if (expected !== undefined) return expected
  const { code, statusCode } = error as Partial<FastifyError>
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('body_too_large', { bytesMax })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError('malformed_json', { problem: 'its length does not match Content-Length' })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type', {
        expected: 'application/json',
        type: 'one without a valid Content-Type',
      })
    case 'FST_ERR_BAD_URL':
      return new ServiceError('invalid_request', { path: 'address', problem: 'is not a valid URL' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError('invalid_request', {
        path: 'address',
        problem: `must have at most ${addressPartMax} characters between two slashes`,
      })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError(
      'invalid_request',
      { path: 'request', problem: 'is not valid HTTP' },
      { cause: error },
    )
  }
  return new ServiceError('internal', { requestId }, { cause: error })
}

/** Sends a failure with its status, headers and sentence. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.code(errors[error.code].status).header('x-request-id', reply.request.id)
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  const seconds = retryAfterSeconds(error)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  if (error instanceof RateLimited)
    reply.headers({ ratelimit: error.state, 'ratelimit-policy': error.policy })
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ error: error.message }))
}
