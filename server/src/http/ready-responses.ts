/**
 * The fast path of what applications fetch again and again. A response that was sent once as `EncodedJson` is kept by its
 * address in the cache of its workspace, with the headers that it had, and an API key that asks for the same address again
 * is answered before routing, hooks and validation, which take longer than all the rest. Whatever is not plainly the same
 * request (a session, a condition, a body, a key that is not in memory, a caller over its rate) takes the usual way.
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
  /** Undefined where other nodes may have changed what is asked for: that takes a query. */
  readonly knownCaller: Authenticator['knownCaller'] | undefined
  readonly checkRate: (callerId: string, nowMs: number) => void
  readonly workspaceOf: (caller: Caller) => Workspace
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  /** What the addresses of requests may begin with. */
  readonly basePath: string
  readonly now: () => Date
}

export interface FastPath {
  /** Ends the fast path: a server that closes answers otherwise. */
  stop(): void
}

/** Longer addresses are not kept; nobody asks for one of them again and again. */
const addressLengthMax = 256

/** Puts the fast path before the listener that routes requests. */
export function addFastPath(server: Server, parts: FastPathParts): FastPath {
  const { knownCaller, checkRate, workspaceOf, onAnswered, basePath, now } = parts
  let isStopped = knownCaller === undefined

  /** The response and who gets it; undefined for a request that takes the usual way. */
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
    // It is with the socket now; waiting until that has written it takes an event for each.
    onAnswered(ready.operation.name, ready.operation.success, (performance.now() - startedAtMs) / 1000)
  })
  return {
    stop() {
      isStopped = true
    },
  }
}

/** Whether a request says nothing but which address it wants with which API key. */
const isPlain = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined &&
  headers.host !== undefined &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

interface SentResponse {
  /** That of the workspace, unless it has been cleared since the verb began. */
  readonly cache: WorkspaceCache | undefined
  readonly request: FastifyRequest & { readonly caller: Principal }
  readonly operation: Operation
  readonly response: EncodedJson
  readonly reply: FastifyReply
}

/** Keeps a whole response that was just sent to an API key. */
export function keepReady({ cache, request, operation, response, reply }: SentResponse): void {
  const isWhole = request.method === 'GET' && reply.statusCode === operation.success
  if (!isWhole || request.caller.session !== undefined || request.url.length > addressLengthMax) return
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
  cache?.byAddress.set(request.url, { operation, response, headers })
}
