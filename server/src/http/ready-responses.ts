/**
 * The fast path for what applications fetch again and again. A response that was sent as `EncodedJson` is cached by URL in
 * its workspace's cache, with its headers. When an API key requests the same URL again, it is answered before routing, hooks
 * and validation, which take longer than everything else. Any request that is not plainly the same (with a session, a
 * condition, a body, a key that is not cached, or a caller over its rate) takes the regular path.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type Operation, ServiceError } from '@plumbline/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EncodedJson } from '../json/encoded-json.ts'
import { withoutBasePath } from '../network/base-path.ts'
import type { Caller, Principal } from '../requests/verb.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ReadyResponse, WorkspaceCache } from '../workspace/workspace-cache.ts'
import { type Authenticator, refuseWithoutScope } from './identity/authenticate.ts'

interface FastPathParts {
  /** Undefined if other nodes may have changed the data, which only a query can show. */
  readonly knownCaller: Authenticator['knownCaller'] | undefined
  readonly checkRate: (callerId: string, nowMs: number) => void
  readonly workspaceOf: (caller: Caller) => Workspace
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  /** The prefix of request URLs. */
  readonly basePath: string
  readonly now: () => Date
}

export interface FastPath {
  /** Stops the fast path: a closing server answers differently. */
  stop(): void
}

/** Longer URLs are not cached; no application fetches one again and again. */
const addressLengthMax = 256

/** Installs the fast path before the listener that routes requests. */
export function addFastPath(server: Server, parts: FastPathParts): FastPath {
  const { knownCaller, checkRate, workspaceOf, onAnswered, basePath, now } = parts
  let isStopped = knownCaller === undefined

  /** The response and its caller; undefined for a request that takes the regular path. */
  const find = (
    request: IncomingMessage,
    time: Date,
  ): { ready: ReadyResponse; caller: Caller } | undefined => {
    if (isStopped || request.method !== 'GET' || !isPlain(request)) return undefined
    const { authorization = '' } = request.headers
    const caller = knownCaller?.(authorization, time.getTime(), request.socket)
    if (caller === undefined) return undefined
    const address = withoutBasePath(request.url ?? '', basePath)
    const ready = workspaceOf(caller).cache.byAddress.get(address)
    if (ready === undefined) return undefined
    try {
      refuseWithoutScope(caller.scopes, ready.operation)
      checkRate(caller.id, time.getTime())
      return { ready, caller }
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  const [route] = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedAtMs = performance.now()
    const time = now()
    const match = find(request, time)
    if (match === undefined) {
      route?.(request, response)
      return
    }
    const { ready, caller } = match
    ready.response.onServed({ workspaceId: caller.workspaceId, callerId: caller.id, time })
    response.writeHead(ready.operation.success, ready.headers as string[]).end(ready.response.payload)
    // The socket has it now; waiting until it is written costs an event for each response.
    onAnswered(ready.operation.name, ready.operation.success, (performance.now() - startedAtMs) / 1000)
  })
  return {
    stop() {
      isStopped = true
    },
  }
}

/** Whether a request has nothing but a URL and an API key. */
const isPlain = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined &&
  headers.host !== undefined &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

interface SentResponse {
  /** The workspace's cache, unless it was cleared since the verb started. */
  readonly cache: WorkspaceCache | undefined
  readonly request: FastifyRequest & { readonly caller: Principal }
  readonly operation: Operation
  readonly response: EncodedJson
  readonly reply: FastifyReply
}

/** Caches a complete response that was just sent to an API key. */
export function keepReady({ cache, request, operation, response, reply }: SentResponse): void {
  const isWhole = request.method === 'GET' && reply.statusCode === operation.success
  if (!isWhole || request.caller.session !== undefined || request.url.length > addressLengthMax) return
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
  cache?.byAddress.set(request.url, { operation, response, headers })
}
