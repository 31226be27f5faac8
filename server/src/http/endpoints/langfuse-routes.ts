/**
 * Langfuse's public API under `/api/public`, for its clients. Requests are authorized here, by the key and its scopes.
 * Changes are made through operations of the interface, which this calls with the caller's own key, as agents do.
 */
import type { InputOf, Operation, OutputOf } from '@plumbline/contract'
import { operations, ServiceError } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Receiver } from '../../ingest/otlp/receive/receiver.ts'
import type { Deliveries } from '../../langfuse/deliveries.ts'
import {
  type CallOperation,
  type LangfuseContext,
  type LangfuseEndpoint,
  OperationRefused,
  PartialOutput,
} from '../../langfuse/endpoint.ts'
import { langfuseEndpoints } from '../../langfuse/endpoints.ts'
import { packageVersion } from '../../process/process-metrics.ts'
import type { Caller } from '../../requests/verb.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { type AuditParts, makeOperationAudit } from '../audit.ts'
import { type Body, noBody } from '../bodies.ts'
import { asServiceError, sendError } from '../errors.ts'
import { type Authenticator, refuseWithoutScope } from '../identity/authenticate.ts'
import { linkBase } from '../request-address.ts'
import { requestOrRefusal } from './agent-routes.ts'
import { bearerOf, langfusePath } from './langfuse-credentials.ts'

interface LangfuseParts {
  readonly authenticator: Authenticator
  readonly checkRate: (callerId: string, nowMs: number) => void
  readonly receiver: Receiver
  readonly workspaces: Workspaces
  readonly deliveries: Deliveries
  readonly audit: AuditParts
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  readonly logger: Logger
  readonly now: () => Date
}

interface LangfuseRequest extends FastifyRequest {
  caller: Caller
  arrivedAt: Date
}

export function registerLangfuseRoutes(server: FastifyInstance, parts: LangfuseParts): void {
  server.get(`${langfusePath}/health`, async () => ({ version: packageVersion(), status: 'OK' }))
  for (const endpoint of langfuseEndpoints) registerEndpoint(server, endpoint, parts)
  server.all(`${langfusePath}/*`, {
    // Before the body is read.
    onRequest: async ({ method, url }) => {
      throw notHad(method, url)
    },
    handler: () => {},
  })
}

function registerEndpoint(server: FastifyInstance, endpoint: LangfuseEndpoint, parts: LangfuseParts): void {
  const { authenticator, checkRate, onAnswered, logger, now } = parts
  const name = `langfuse ${endpoint.method} ${endpoint.path}`
  server.route({
    method: endpoint.method,
    url: `${langfusePath}${endpoint.path.replace(/\{\w+\.{3}\}.*$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')}`,
    onRequest: async (fastifyRequest) => {
      const request = fastifyRequest as LangfuseRequest
      request.arrivedAt = now()
      const nowMs = request.arrivedAt.getTime()
      request.caller = await authenticator.authenticate(bearerOf(request.headers.authorization), nowMs)
      checkRate(request.caller.id, nowMs)
      refuseWithoutScope(request.caller.scopes, endpoint)
    },
    handler: async (request, reply) => {
      const output = await endpoint.handle(
        {
          params: paramsOf(endpoint, request),
          query: request.query as Record<string, string>,
          body: ((request.body as Body | undefined) ?? noBody).json,
        },
        contextOf(server, request as LangfuseRequest, parts),
      )
      const isPartial = output instanceof PartialOutput
      reply.code(isPartial ? output.status : (endpoint.success ?? 200))
      if (output === undefined) return reply.send()
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(isPartial ? output.body : output))
    },
    errorHandler: (error, request, reply) => {
      if (error instanceof OperationRefused) return void sendSentence(reply.code(error.status), error.message)
      const failure = asServiceError(error, request.id)
      if (failure.code === 'internal')
        logger.error({ requestId: request.id, err: failure.cause }, 'a request from a Langfuse client failed')
      sendError(reply, failure)
      if (failure.code === 'unauthorized') reply.header('www-authenticate', 'Basic realm="Plumbline"')
    },
    // Langfuse's clients display `message`.
    onSend: async (_request, reply, payload) => {
      if (reply.statusCode < 400 || typeof payload !== 'string') return payload
      // Safe: `sendError` and `sendSentence` wrote it.
      const { error } = JSON.parse(payload) as { error: string }
      return JSON.stringify({ error, message: error })
    },
    onResponse: (_request, reply, callback) => {
      onAnswered(name, reply.statusCode, reply.elapsedTime / 1000)
      callback()
    },
  })
}

/** The fields of the path; a field that may have slashes is what the router calls `*`. */
function paramsOf(
  { path }: LangfuseEndpoint,
  { params, method, url }: FastifyRequest,
): Record<string, string> {
  // Safe: the router stores strings here.
  const { '*': rest, ...fields } = params as Record<string, string>
  if (rest === undefined) return fields
  const form = path
    .slice(path.search(/\{\w+\.{3}\}/))
    .replace(/\{(\w+)\.{3}\}/, '(?<$1>.+)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${form}$`, 's').exec(rest)
  if (match === null) throw notHad(method, url)
  return { ...match.groups }
}

const notHad = (method: string, url: string) =>
  new ServiceError('not_supported', {
    problem: `Plumbline does not support ${method} ${url.split('?', 1)[0]?.slice(0, 200)} of Langfuse's API; docs/langfuse.md lists what it supports.`,
  })

const sendSentence = (reply: FastifyReply, error: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify({ error }))

function contextOf(
  server: FastifyInstance,
  request: LangfuseRequest,
  { workspaces, receiver, deliveries, audit }: LangfuseParts,
): LangfuseContext {
  const context: LangfuseContext = {
    workspace: workspaces.of(request.caller.workspaceId),
    caller: request.caller,
    now: request.arrivedAt,
    body: ((request.body as Body | undefined) ?? noBody).bytes,
    file: undefined,
    claimedIds: undefined,
    publicUrl: '',
    linkBase: linkBase(request, undefined, undefined),
    call: callerOf(server, request),
    makeExperiment: (create) =>
      makeOperationAudit(operations.experiments.create, audit)?.run(request, context, create) ?? create(),
    receive: receiver.take,
    deliveries,
  }
  return context
}

/** Sends the request for an operation to this same server, with the caller's key. */
const callerOf =
  (server: FastifyInstance, request: FastifyRequest): CallOperation =>
  async <Op extends Operation>(operation: Op, input: InputOf<Op>) => {
    const fields = Object.entries(input as object).filter(([, value]) => value !== undefined)
    const injected = requestOrRefusal(operation, Object.fromEntries(fields))
    if ('problem' in injected) throw new OperationRefused(400, injected.problem)
    const { statusCode, payload } = await server.inject({
      ...injected,
      headers: {
        authorization: bearerOf(request.headers.authorization),
        'user-agent': request.headers['user-agent'] ?? '',
      },
      // So that the audit log has the caller's address, not this process's.
      remoteAddress: request.ip,
    })
    const output = payload === '' ? undefined : parseJsonText(payload)
    // Safe: below 400 it is the operation's own output, and otherwise an error with its sentence.
    if (statusCode >= 400) throw new OperationRefused(statusCode, (output as { error: string }).error)
    return output as OutputOf<Op>
  }
