/**
 * The endpoint for agents: MCP over HTTP (streamable, stateless), so that any node can answer any message. Each tool calls
 * the interface with the caller's own key: keys, scopes, limits and errors are those of every request.
 */
import { fillPath, inputTravelsInQuery, type Operation, pathFields, ServiceError } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ask } from '../../mcp/ask.ts'
import type { Caller } from '../../requests/verb.ts'
import type { Body } from '../bodies.ts'
import { type Authenticator, refuseWithoutScope } from '../identity/authenticate.ts'

interface AgentParts {
  readonly authenticator: Authenticator
  readonly now: () => Date
}

interface AgentRequest extends FastifyRequest {
  caller: Caller
}

const agentPath = '/mcp'

export function registerAgentRoutes(server: FastifyInstance, { authenticator, now }: AgentParts): void {
  // Before the body is read, so that nothing is read for callers without a key.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const caller = await authenticator.authenticate(request.headers.authorization, now().getTime())
    refuseWithoutScope(caller.scopes, { scope: 'read' })
    refuseForeignPages(request)
    ;(request as AgentRequest).caller = caller
  }
  server.post(agentPath, { onRequest }, async (request, reply) => {
    const { authorization } = request.headers
    const { caller } = request as AgentRequest
    // Loaded for the first agent: most services never have one.
    const [{ WebStandardStreamableHTTPServerTransport }, { makeAgentServer }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('../../mcp/agent-server.ts'),
    ])
    const ask: Ask = async (operation, input) => {
      const injected = requestOrRefusal(operation, input)
      if ('problem' in injected) return { status: 400, answer: { error: injected.problem } }
      const { statusCode, payload } = await server.inject({
        ...injected,
        headers: { authorization, 'user-agent': request.headers['user-agent'] ?? '' },
        // So that the audit log has the caller's address, not this process's.
        remoteAddress: request.ip,
      })
      return { status: statusCode, answer: parseJsonText(payload) }
    }
    const agentServer = makeAgentServer(caller.scopes, ask)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await agentServer.connect(transport)
      const { json } = request.body as Body
      return await send(reply, await transport.handleRequest(webRequest(request), { parsedBody: json }))
    } finally {
      await agentServer.close()
    }
  })
  // Stateless: there is no stream to listen to and no session to end.
  for (const method of ['GET', 'DELETE'] as const) {
    server.route({
      method,
      url: agentPath,
      handler: (_request, reply) => {
        reply.header('allow', 'POST')
        throw new ServiceError('method_not_allowed', { method, path: agentPath, allow: 'POST' })
      },
    })
  }
}

/** Another site's page in a browser must not reach this endpoint through its visitor's network. */
function refuseForeignPages({ headers: { origin, host } }: FastifyRequest): void {
  if (origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).host !== host)
    throw new ServiceError('invalid_request', { path: 'Origin', problem: 'must be this service itself' })
}

/** Without the request's Host, which may be invalid. */
const webRequest = ({ headers }: FastifyRequest): Request =>
  new Request(`http://localhost${agentPath}`, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  })

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text()
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(text)
}

/** The request for an operation, or the problem with a field that its URL needs. */
export function requestOrRefusal(operation: Operation, input: Readonly<Record<string, unknown>>) {
  try {
    return requestOf(operation, input)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { problem: error.message }
  }
}

/** The HTTP request for an operation. */
function requestOf({ method, path }: Operation, input: Readonly<Record<string, unknown>>) {
  const inPath = pathFields(path)
  const address = fillPath(path, input)
  const rest = Object.entries(input).filter(([field, value]) => !inPath.includes(field) && value !== null)
  if (!inputTravelsInQuery(method)) return { method, url: address, payload: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.map(([field, value]): [string, string] => [field, textOf(value)]))
  return { method, url: query.size === 0 ? address : `${address}?${query}` }
}

/** Agents tend to send objects for query parameters that expect JSON. */
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
