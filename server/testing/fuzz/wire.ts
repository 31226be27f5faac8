import type { FuzzedRequest } from './fuzzer.ts'

/** A request as bytes, however malformed. */
export function wireOf(
  { method, url, headers, payload }: Pick<FuzzedRequest, 'method' | 'url' | 'headers' | 'payload'>,
  connection: 'close' | 'keep-alive' = 'close',
): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    'content-length': String(payload.length),
    connection,
    ...headers,
  })
  const head = `${method} ${url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), payload])
}
