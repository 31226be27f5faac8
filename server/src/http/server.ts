/** The HTTP server: what all requests share, and one route for each operation. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { editsWorkspace, invalid, isEventStream, type Operation, ServiceError } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { EncodedJson } from '../json/encoded-json.ts'
import type { AddressList } from '../network/address-list.ts'
import { basePathOf, withoutBasePath } from '../network/base-path.ts'
import { withDamage } from '../process/data/damage.ts'
import { type RequestScope, requestScope } from '../process/request-scope.ts'
import { withUnreadable } from '../process/unreadable-rows.ts'
import { bodyBytesMax } from '../requests/body-limits.ts'
import type { LargeBodies } from '../requests/large-bodies.ts'
import { refusalOf } from '../requests/permissions.ts'
import { EventStream, FileBytes, StreamedJson } from '../requests/responses.ts'
import { makeValidator } from '../requests/validate.ts'
import type { Caller, Context, Principal, Route } from '../requests/verb.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type AuditParts, makeOperationAudit } from './audit.ts'
import { type Body, fileOf, noBody, passBodiesOn, takeJsonBodies } from './bodies.ts'
import { asServiceError, sendError } from './errors.ts'
import type { Idempotency } from './idempotency.ts'
import { type Authenticator, refuseWithoutScope } from './identity/authenticate.ts'
import type { Identify } from './identity/identify.ts'
import { limitConnections, rawResponse, timeLimits, tooSlow } from './limits/connection-limits.ts'
import { answerInOrder } from './limits/pipelining.ts'
import { addFastPath, keepReady } from './ready-responses.ts'
import { addressOf, addressPartMax, linkBase, plainForwardedFor } from './request-address.ts'
import { addSecurityHeaders, askBeforeUse, securityHeaders } from './security-headers.ts'
import { sendEvents } from './streams/event-stream.ts'
import { sendStream } from './streams/send-stream.ts'
import { makeUnavailableLog } from './unavailable-log.ts'

export interface ServerParts {
  readonly routes: readonly Route[]
  readonly identify: Identify
  /** Undefined if several nodes share the stores. */
  readonly knownCaller: Authenticator['knownCaller'] | undefined
  readonly checkRate: (callerId: string, nowMs: number) => void
  readonly idempotency: Idempotency
  readonly workspaceOf: (caller: Caller) => Workspace
  /** Called for every refused record, with the beginning of its body. */
  readonly onRefused: (caller: Caller, error: ServiceError, body: Buffer, time: Date) => void
  /** Called after every change by an operation with the scope `manage` or `operate`. */
  readonly onChanged: (workspaceId: string) => void
  /** Called for every response, for the metrics. */
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  readonly audit: AuditParts
  /** Parts of the trace store that are missing from query results. */
  readonly damagedParts: TraceStore['damagedParts']
  readonly publicUrl: string | undefined
  readonly trustedProxies: AddressList | undefined
  /** The maximum number of open connections. */
  readonly connectionsMax: number
  readonly largeBodies: LargeBodies
  readonly logger: Logger
  readonly now: () => Date
}

interface IdentifiedRequest extends FastifyRequest {
  caller: Principal
  operation: Operation | undefined
  arrivedAt: Date
}

/** Whether a principal is in a workspace: true for everyone admitted to an operation that is not for anyone. */
const isInWorkspace = (principal: Principal): principal is Caller => principal.workspaceId !== undefined

/** Safe: the JSON body parser creates these, and only operations that accept a file have a different body. */
const bodyOf = (request: FastifyRequest): Body => (request.body as Body | undefined) ?? noBody

export function makeServer(parts: ServerParts): FastifyInstance {
  const idPrefix = randomBytes(6).toString('hex')
  let requests = 0
  const headers = securityHeaders(parts.publicUrl)
  const basePath = basePathOf(parts.publicUrl)
  const server = Fastify({
    logger: false,
    trustProxy: (address) => parts.trustedProxies?.has(address) === true,
    // Node would refuse a request without a Host with no body; `refuseUnknownRoutes` does it with a sentence.
    http: { requireHostHeader: false, ...timeLimits },
    genReqId: () => `${idPrefix}-${(requests++).toString(36)}`,
    routerOptions: { maxParamLength: addressPartMax },
    exposeHeadRoutes: true,
    bodyLimit: bodyBytesMax,
    ...(basePath === ''
      ? {}
      : { rewriteUrl: ({ url }: IncomingMessage) => withoutBasePath(url ?? '/', basePath) }),
    forceCloseConnections: 'idle',
    keepAliveTimeout: 75_000,
    requestTimeout: 120_000,
    // These errors occur before any hook.
    frameworkErrors: (error, request, reply) =>
      void sendError(reply.headers(headers), asServiceError(error, request.id)),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return void socket.destroy()
      const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      socket.end(isLate ? tooSlow : rawResponse('400 Bad Request', 'The request is not valid HTTP.'))
    },
  })
  const fastPath = addFastPath(server.server, { ...parts, basePath })
  server.addHook('preClose', async () => fastPath.stop())
  answerInOrder(server.server)
  limitConnections(server.server, parts)
  server.decorateRequest('caller')
  server.decorateRequest('operation')
  server.decorateRequest('arrivedAt')
  addSecurityHeaders(server, headers)
  if (parts.trustedProxies !== undefined)
    server.addHook('onRequest', (request, _reply, callback) => {
      const forwardedFor = request.headers['x-forwarded-for']
      if (typeof forwardedFor === 'string')
        request.headers['x-forwarded-for'] = plainForwardedFor(forwardedFor)
      callback()
    })
  takeJsonBodies(server, parts.largeBodies)
  // Expectations other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would refuse them with no body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  refuseUnknownRoutes(server)
  const logUnavailable = makeUnavailableLog(parts.logger)
  server.setErrorHandler((error, request, reply) =>
    answerError(error, request as IdentifiedRequest, reply, { ...parts, logUnavailable }),
  )
  for (const route of parts.routes) {
    if (route.operation.takes === undefined) addRoute(server, route, parts)
    else
      server.register(async (scope) => {
        passBodiesOn(scope)
        addRoute(scope, route, parts)
      })
  }
  return server
}

function addRoute(server: FastifyInstance, { operation, verb }: Route, parts: ServerParts): void {
  const validate = makeValidator(operation)
  const { identify, checkRate, idempotency, now } = parts
  const audit = makeOperationAudit(operation, parts.audit)
  const edits = editsWorkspace(operation)

  const run = (request: IdentifiedRequest, claimedIds: Context['claimedIds']): Promise<unknown> => {
    const { bytes, json } = operation.takes === undefined ? bodyOf(request) : noBody
    const input = validate({ params: request.params, query: request.query, body: json })
    const file = operation.takes === undefined ? undefined : fileOf(request, operation.takes)
    // Safe: only verbs of operations for anyone run without a workspace, and they do not use one.
    const context = new RequestContext(request, parts, { body: bytes, file, claimedIds }) as Context
    const act = () => verb(input as never, context)
    return audit === undefined ? act() : audit.run(request, context, act)
  }

  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Before the body is read, so that nothing is read for callers without a key.
    onRequest: (request, _reply, callback) => {
      const identified = request as IdentifiedRequest
      identified.operation = operation
      identified.arrivedAt = now()
      const nowMs = identified.arrivedAt.getTime()
      const admit = (caller: Principal): void => {
        identified.caller = caller
        checkRate(caller.id, nowMs)
        if (caller.session === undefined) refuseWithoutScope(caller.scopes, operation)
        else {
          const role = isInWorkspace(caller) ? caller.role : undefined
          const problem = refusalOf({ role, memberships: caller.session.memberships }, operation)
          if (problem !== undefined) throw new ServiceError('forbidden', { problem })
        }
      }
      const refuse = (error: Error): void => {
        if (audit === undefined || identified.caller === undefined) callback(error)
        else audit.refuse(identified, error).then(() => callback(error), callback)
      }
      try {
        const caller = identify(request, nowMs)
        if (!(caller instanceof Promise)) {
          admit(caller)
          callback()
          return
        }
        caller.then(admit).then(() => callback(), refuse)
      } catch (error) {
        refuse(error as Error)
      }
    },
    handler: (fastifyRequest, reply) =>
      requestScope.run(new ResponseScope(fastifyRequest, reply), () =>
        answer(fastifyRequest as IdentifiedRequest, reply),
      ),
    onResponse: (_request, reply, callback) => {
      parts.onAnswered(operation.name, reply.statusCode, reply.elapsedTime / 1000)
      callback()
    },
  })

  const answer = async (request: IdentifiedRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const key = request.headers['idempotency-key']
    const cache = isInWorkspace(request.caller) ? parts.workspaceOf(request.caller).cache : undefined
    const generation = cache?.generation
    const output =
      key !== undefined &&
      operation.method === 'POST' &&
      operation.takes === undefined &&
      !isEventStream(operation) &&
      isInWorkspace(request.caller)
        ? await idempotency.once(
            {
              caller: request.caller,
              operation,
              params: request.params,
              key,
              body: bodyOf(request).bytes,
              now: request.arrivedAt,
            },
            (claimedIds) => run(request, claimedIds),
          )
        : await run(request, undefined)
    if (edits && isInWorkspace(request.caller)) parts.onChanged(request.caller.workspaceId)
    send(reply, request, operation, output, parts)
    if (output instanceof EncodedJson && audit === undefined && generation === cache?.generation)
      keepReady({ cache, request, operation, response: output, reply })
    return reply
  }
}

/**
 * What a verb receives about a request. Few verbs need URLs, which cost more than the rest, so they are getters; a copy by
 * spread lacks them.
 */
class RequestContext {
  readonly workspace: Workspace | undefined
  readonly caller: Principal
  readonly now: Date
  readonly body: Buffer
  readonly file: Context['file']
  readonly claimedIds: Context['claimedIds']
  readonly #request: IdentifiedRequest
  readonly #parts: ServerParts

  constructor(
    request: IdentifiedRequest,
    parts: ServerParts,
    { body, file, claimedIds }: Pick<Context, 'body' | 'file' | 'claimedIds'>,
  ) {
    this.#request = request
    this.#parts = parts
    this.workspace = isInWorkspace(request.caller) ? parts.workspaceOf(request.caller) : undefined
    this.caller = request.caller
    this.now = request.arrivedAt
    this.body = body
    this.file = file
    this.claimedIds = claimedIds
  }

  get publicUrl(): string {
    return addressOf(this.#request, this.#parts.publicUrl)
  }

  get linkBase(): string {
    return linkBase(this.#request, this.#parts.publicUrl, this.#parts.trustedProxies)
  }
}

class ResponseScope implements RequestScope {
  readonly unreadable = new Map<string, number>()
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  get requestId(): string {
    return this.#request.id
  }

  get isOver(): boolean {
    return this.#reply.raw.closed
  }

  fail(error: unknown): void {
    if (this.#reply.raw.headersSent) this.#reply.raw.destroy()
    else if (!this.#reply.sent) sendError(this.#reply, asServiceError(error, this.requestId))
  }
}

function send(
  reply: FastifyReply,
  request: FastifyRequest,
  operation: Operation,
  answer: unknown,
  parts: Pick<ServerParts, 'logger' | 'damagedParts'>,
): FastifyReply {
  const { logger } = parts
  reply.code(operation.success)
  if (answer === undefined) return reply.send()
  if (answer instanceof FileBytes) {
    reply
      .type(answer.contentType)
      .header('content-disposition', `attachment; filename*=UTF-8''${headerText(answer.fileName)}`)
    return sendStream(reply, answer.stream, logger)
  }
  if (answer instanceof EventStream) return sendEvents(reply, answer, logger)
  reply.type('application/json; charset=utf-8')
  if (answer instanceof EncodedJson) {
    askBeforeUse(reply).header('etag', answer.etag)
    const requestTag = request.headers['if-none-match']
    if (requestTag !== undefined && matches(requestTag, answer.etag)) return reply.code(304).send()
    return reply.send(answer.payload)
  }
  if (answer instanceof StreamedJson)
    return sendStream(reply, Readable.from(answer.pieces, { objectMode: false }), logger)
  const readable = withUnreadable(answer, requestScope.getStore()?.unreadable)
  return reply.send(JSON.stringify(withDamage(readable, operation, parts.damagedParts())))
}

/**
 * Encodes a text for a header as RFC 8187 defines: lone surrogates cannot be encoded, and four characters have a special
 * meaning.
 */
const headerText = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Whether an If-None-Match names a tag; weak and strong tags compare as equal, as RFC 9110 specifies. */
const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))

function answerError(
  error: unknown,
  request: IdentifiedRequest,
  reply: FastifyReply,
  parts: ServerParts & { readonly logUnavailable: ReturnType<typeof makeUnavailableLog> },
): FastifyReply {
  const failure = asServiceError(error, request.id, request.routeOptions.bodyLimit)
  const { logger, logUnavailable } = parts
  if (failure.code === 'internal') {
    logger.error(
      { requestId: request.id, operation: request.operation?.name, err: failure.cause },
      'a request failed',
    )
  } else if (failure.status === 503) {
    logUnavailable({ requestId: request.id, operation: request.operation?.name, error: failure })
  }
  const isRecording = request.operation?.isRecording === true
  // The ledger must be able to report what was refused.
  if (isRecording && request.caller !== undefined && isInWorkspace(request.caller)) {
    parts.onRefused(request.caller, failure, bodyOf(request).bytes, request.arrivedAt)
  }
  return sendError(reply, failure)
}

/** No Host is 400, unknown URLs are 404, known ones with another method 405: checked before the body. */
function refuseUnknownRoutes(server: FastifyInstance): void {
  const endpoints: { readonly methods: readonly string[]; readonly form: RegExp }[] = []
  // Called for every route, including those that are not operations, such as health and uploads.
  server.addHook('onRoute', ({ method, url }) => {
    endpoints.push({ methods: [method].flat(), form: formOf(url) })
  })
  server.addHook('onRequest', (request, _reply, callback) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return callback(invalid('Host', 'is required'))
    if (!request.is404) return callback()
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = new Set(endpoints.filter(({ form }) => form.test(path)).flatMap(({ methods }) => methods))
    if (methods.size === 0) return callback(new ServiceError('route_not_found', { path: path.slice(0, 200) }))
    const allow = [...methods].sort().join(', ')
    _reply.header('allow', allow)
    callback(
      new ServiceError('method_not_allowed', { method: request.method, path: path.slice(0, 200), allow }),
    )
  })
  server.setNotFoundHandler((request) => {
    throw new ServiceError('route_not_found', { path: request.url.slice(0, 200) })
  })
}

/** The URLs of a route, whose segments may be `:name` and `*`. */
const formOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`)
