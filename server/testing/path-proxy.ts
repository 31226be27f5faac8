/** A proxy that serves the service below a path of its host, and nothing else. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

interface PathProxy {
  /** The service's URL for clients, including the path. */
  readonly url: string
  /** Requested paths that are not below it. */
  readonly foreignPaths: readonly string[]
  /** Starts to forward requests to a service. */
  lead(target: string): void
  stop(): void
}

/** It forwards each request either with the path or without it. */
export async function startPathProxy(
  path: string,
  { isPassedOn }: { readonly isPassedOn: boolean },
): Promise<PathProxy> {
  let target = ''
  const foreignPaths: string[] = []
  const proxy = createServer((clientRequest, clientResponse) => {
    const { method, headers, url = '/' } = clientRequest
    const [pathname = ''] = url.split('?')
    if (pathname !== path && !pathname.startsWith(`${path}/`)) {
      foreignPaths.push(url)
      clientResponse.writeHead(404).end()
      return
    }
    const rest = url.slice(path.length)
    const address = isPassedOn ? url : rest.startsWith('/') ? rest : `/${rest}`
    const forwarded = request(target + address, { method, headers, agent: false }, (answer) => {
      clientResponse.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(clientResponse)
    })
    forwarded.on('error', () => clientResponse.destroy())
    clientResponse.on('error', () => forwarded.destroy())
    clientRequest.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  // Safe: it listens on a port.
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    foreignPaths,
    lead(url) {
      target = url
    },
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
