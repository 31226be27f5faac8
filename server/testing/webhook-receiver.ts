/** A webhook receiver over real HTTP, with responses that a test defines. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  /** All requests in the order of arrival. */
  readonly requests: readonly ReceivedRequest[]
  close(): Promise<void>
}

/** `answer` responds, or leaves the sender waiting. */
export async function startReceiver(
  answer: (request: ReceivedRequest, response: ServerResponse) => void = (_request, response) =>
    response.end('ok'),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const came = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    requests.push(came)
    answer(came, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
