import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import type { Input } from '../app/api.ts'
import { fetchPath } from '../app/workspace/workspace-choice.ts'
import { makeEventReader } from './read-events.ts'
import type { RunEvent } from './run.ts'

/** Runs and yields the events as they arrive: the client's own call resolves only after the last one. */
export async function* streamRun(
  input: Input<'playground.run'>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  let response: Response
  try {
    response = await fetchPath('/playground/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ServiceUnreachable('The service is not responding.', { cause: error })
  }
  if (!response.ok || response.body === null) throw await failureOf(response)
  const read = makeEventReader()
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    // Safe: the contract defines these events.
    yield* read(piece.value) as readonly RunEvent[]
  }
}

async function failureOf(response: Response): Promise<RequestFailed> {
  const body = (await response.json().catch(() => ({}))) as { readonly error?: unknown }
  return new RequestFailed(response.status, typeof body.error === 'string' ? body.error : undefined, {
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}
