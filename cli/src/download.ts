/** A file that the service answers with, as it comes: the client would read all of it first. */
import { CommandFailed, type Session } from './session.ts'

/** The bytes of an answer, of a GET unless told otherwise. An answer that breaks off is an error, never an end. */
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
  if (!response.ok || response.body === null) throw new CommandFailed(await sentenceOf(response))
  try {
    // Safe: in Node a web stream can be iterated, which the platform's types do not say.
    yield* response.body as unknown as AsyncIterable<Uint8Array>
  } catch (cause) {
    signal.throwIfAborted()
    throw new CommandFailed('the answer of the service broke off', { cause })
  }
}

async function sentenceOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown }
    if (typeof error === 'string') return error
  } catch {}
  return `The service answered ${response.status}.`
}

/** Bytes as text; what is no UTF-8 is an error, not question marks. */
export async function* asText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}
