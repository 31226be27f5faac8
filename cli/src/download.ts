/** Streams a file from the service; the client would buffer all of it. */
import { CommandFailed, type Session } from './session.ts'

/** Streams the bytes of a response. A truncated response throws; it never ends silently. */
export async function* download(
  { url, key, signal }: Pick<Session, 'url' | 'key' | 'signal'>,
  path: string,
  query: Readonly<Record<string, unknown>> = {},
  method: 'GET' | 'POST' = 'GET',
): AsyncGenerator<Uint8Array> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const address = `${url}${path}${search.size === 0 ? '' : `?${search}`}`
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(address, { method, headers, signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new CommandFailed(`${url} cannot be reached.`, { cause })
  })
  if (!response.ok || response.body === null) throw new CommandFailed(await readErrorMessage(response))
  try {
    // Safe: web streams can be iterated in Node, although the platform's types lack this.
    yield* response.body as unknown as AsyncIterable<Uint8Array>
  } catch (cause) {
    signal.throwIfAborted()
    throw new CommandFailed('the response of the service was cut off', { cause })
  }
}

async function readErrorMessage(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown }
    if (typeof error === 'string') return error
  } catch {}
  return `The service responded with ${response.status}.`
}

/** Decodes UTF-8; invalid bytes throw instead of becoming replacement characters. */
export async function* asText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}
