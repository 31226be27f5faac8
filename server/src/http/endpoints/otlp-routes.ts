/** OTLP over HTTP: bodies are protobuf or JSON, and so are responses, including errors. */
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  encodeAnswer,
  encodeStatus,
  type PartialSuccess,
  type Signal,
} from '../../ingest/otlp/receive/protobuf.ts'
import type { Encoding } from '../../ingest/otlp/receive/read-export.ts'
import type { Receiver } from '../../ingest/otlp/receive/receiver.ts'
import { parsedAtOnceMax } from '../../json/parse-json.ts'
import { bodyBytesMax } from '../../requests/body-limits.ts'
import type { LargeBodies } from '../../requests/large-bodies.ts'
import type { Caller } from '../../requests/verb.ts'
import { decompress } from '../bodies.ts'
import { asServiceError, sendError } from '../errors.ts'
import { bearerOf, langfusePath } from './langfuse-credentials.ts'

interface OtlpParts {
  readonly receiver: Receiver
  readonly largeBodies: LargeBodies
  /** Called for every export of spans to Langfuse's endpoint, once it is durable. */
  readonly onLangfuseSpans: (
    message: { readonly body: Buffer; readonly encoding: Encoding },
    caller: Caller,
    now: Date,
  ) => Promise<void>
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  readonly logger: Logger
  readonly now: () => Date
}

interface ExportRequest extends FastifyRequest {
  caller: Caller | undefined
  arrivedAt: Date
}

/** The root too: some clients are configured with a URL without a path. */
const otlpPaths = [
  '/v1/traces',
  '/v1/logs',
  '/v1/metrics',
  '/',
  '/api/public/otel/v1/traces',
  '/api/public/otel/v1/logs',
  '/api/public/otel/v1/metrics',
] as const

const signalOf: Readonly<Record<(typeof otlpPaths)[number], Signal>> = {
  '/v1/traces': 'traces',
  '/v1/logs': 'logs',
  '/v1/metrics': 'metrics',
  '/': 'traces',
  '/api/public/otel/v1/traces': 'traces',
  '/api/public/otel/v1/logs': 'logs',
  '/api/public/otel/v1/metrics': 'metrics',
}

const mediaTypes = { protobuf: 'application/x-protobuf', json: 'application/json' } as const
const protobufType = /^application\/(?:x-)?protobuf\s*(?:;|$)/i
const jsonType = /^application\/json\s*(?:;|$)/i

export function registerOtlpRoutes(
  server: FastifyInstance,
  { receiver, largeBodies, onLangfuseSpans, onAnswered, logger, now }: OtlpParts,
): void {
  server.register(async (scope) => {
    takeBytes(scope)
    answerProtobufInKind(scope)
    for (const path of otlpPaths) {
      const signal = signalOf[path]
      const isOfLangfuse = path.startsWith(langfusePath)
      scope.route({
        method: 'POST',
        url: path,
        // Before the body is read, so that nothing is read for callers without a key.
        onRequest: async (request) => {
          const exportRequest = request as ExportRequest
          exportRequest.arrivedAt = now()
          const { authorization, 'x-api-key': apiKey } = request.headers
          exportRequest.caller = await receiver.admit(
            {
              authorization: isOfLangfuse ? bearerOf(authorization) : authorization,
              apiKey: typeof apiKey === 'string' ? apiKey : undefined,
            },
            exportRequest.arrivedAt,
          )
        },
        handler: async (request, reply) => {
          const { caller, arrivedAt } = request as ExportRequest
          const encoding = encodingOf(request)
          const result = await onPlainBody(request, largeBodies, async (body) => {
            // Safe: `onRequest` admits no request without a caller.
            const partialSuccess = await receiver.take({ signal, encoding, body }, caller!, arrivedAt)
            if (isOfLangfuse && signal === 'traces')
              await onLangfuseSpans({ body, encoding }, caller!, arrivedAt)
            return partialSuccess
          })
          return answer(reply, signal, encoding, result)
        },
        errorHandler: (error, request, reply) => {
          const failure = asServiceError(error, request.id)
          const { caller, arrivedAt } = request as ExportRequest
          if (caller !== undefined && signal !== 'metrics') receiver.refuse(caller, failure, arrivedAt)
          if (failure.code === 'internal')
            logger.error({ requestId: request.id, err: failure.cause }, 'an export failed')
          sendError(reply, failure)
        },
        onResponse: (_request, reply, callback) => {
          onAnswered(`otlp.${signal}`, reply.statusCode, reply.elapsedTime / 1000)
          callback()
        },
      })
      if (path !== '/') refuseOtherMethods(scope, path)
    }
  })
}

/** Bodies as bytes, as they arrived. */
function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const take = (
    _request: FastifyRequest,
    payload: string | Buffer,
    callback: (error: Error | null, body?: Buffer) => void,
  ) => callback(null, payload as Buffer)
  for (const type of [protobufType, jsonType])
    scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: bodyBytesMax }, take)
  scope.addContentTypeParser('*', (request: FastifyRequest, _payload, callback) => {
    const type = request.headers['content-type'] || 'one without a Content-Type'
    callback(
      new ServiceError('unsupported_media_type', {
        expected: 'application/x-protobuf or application/json',
        type,
      }),
    )
  })
}

/**
 * Decompresses a body within the limit and processes it: a large body waits for admission, and a compressed kilobyte may
 * become large.
 */
async function onPlainBody<Result>(
  { headers, body }: FastifyRequest,
  largeBodies: LargeBodies,
  work: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  // Safe: the parser passes on bytes.
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0)
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity')
    return largeBodies.run(bytes.length, () => work(bytes))
  const smallBody = await decompress(encoding, bytes, parsedAtOnceMax).catch(refuseUnlessTooLarge)
  if (smallBody !== undefined) return work(smallBody)
  return largeBodies.run(bodyBytesMax, async () => work(await decompress(encoding, bytes)))
}

function refuseUnlessTooLarge(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'body_too_large') throw error
}

/** Errors have the same sentence as everywhere; protobuf clients get it as a protobuf message. */
function answerProtobufInKind(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, callback) => {
    if (reply.statusCode < 400 || encodingOf(request) === 'json' || typeof payload !== 'string')
      return callback(null, payload)
    // Safe: `sendError` wrote it.
    const { error } = JSON.parse(payload) as { error: string }
    reply.type(mediaTypes.protobuf)
    callback(null, encodeStatus(error))
  })
}

const encodingOf = ({ headers }: FastifyRequest): Encoding =>
  protobufType.test(headers['content-type'] ?? '') ? 'protobuf' : 'json'

function answer(
  reply: FastifyReply,
  signal: Signal,
  encoding: Encoding,
  result: PartialSuccess,
): FastifyReply {
  reply.code(200).type(mediaTypes[encoding])
  return reply.send(
    encoding === 'protobuf' ? encodeAnswer(signal, result) : JSON.stringify(jsonAnswer(signal, result)),
  )
}

/** Protobuf's JSON mapping writes 64-bit numbers as strings. */
function jsonAnswer(signal: Signal, { rejected, message }: PartialSuccess): object {
  if (rejected === 0 && message === '') return {}
  const count = signal === 'traces' ? { rejectedSpans: `${rejected}` } : { rejectedLogRecords: `${rejected}` }
  return { partialSuccess: { ...count, errorMessage: message } }
}

/** Other methods on known paths are 405, as everywhere. */
function refuseOtherMethods(scope: FastifyInstance, url: string): void {
  const allow = 'POST'
  scope.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: (request, reply) => {
      reply.header('allow', allow)
      throw new ServiceError('method_not_allowed', { method: request.method, path: url, allow })
    },
  })
}
