/** A case of an endpoint: the row is posted to it, without what is expected of it, and its answer is the output. */
import type { ExperimentTarget } from '@plumbline/contract'
import { AddressRefused } from '../connections/guarded-fetch.ts'
import { problemOf } from '../connections/problem.ts'
import type { CallProblem } from '../evaluators/model/call-problem.ts'
import type { Tried } from './answer.ts'

type EndpointTarget = Extract<ExperimentTarget, { type: 'endpoint' }>

interface Calling {
  readonly runId: string
  readonly datasetRowId: string
  readonly values: Readonly<Record<string, unknown>>
  readonly traceparent: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  readonly now: () => Date
}

const defaultTimeoutMs = 60_000
const answerBytesMax = 4 * 1024 * 1024
const quotedMax = 300
const busy: readonly number[] = [429, 503]
const passing: readonly number[] = [408, 409, 425]

/** Never rejects for what the endpoint did wrong. */
export async function callEndpoint(
  { url, timeoutMs }: Pick<EndpointTarget, 'url' | 'timeoutMs'>,
  { runId, datasetRowId, values, traceparent, headers, fetch, signal, now }: Calling,
): Promise<Tried> {
  const startedAt = now()
  const spent = (): number => now().getTime() - startedAt.getTime()
  const ms = timeoutMs ?? defaultTimeoutMs
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ input: inputOf(values), variables: values, datasetRowId, runId }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]),
    })
    const text = await textOf(response)
    const endedAt = now()
    const problem = problemWith(response, text, now())
    if (problem !== undefined) return { type: 'problem', problem, durationMs: spent() }
    const { output, traceId } = outputOf(text, response.headers.get('content-type') ?? '')
    return {
      type: 'answered',
      answer: { output, startedAt, endedAt, cost: undefined, generation: undefined, traceId },
    }
  } catch (error) {
    return { type: 'problem', problem: problemOfCall(error, ms), durationMs: spent() }
  }
}

/** The one column there is, or the one called so; else all of them. */
function inputOf(values: Readonly<Record<string, unknown>>): unknown {
  const columns = Object.keys(values)
  if (Object.hasOwn(values, 'input')) return values.input
  return columns.length === 1 ? values[columns[0]!] : values
}

class TooLong extends Error {}
class Unreadable extends Error {}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > answerBytesMax) throw new TooLong(`The answer is longer than ${answerBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function problemWith({ status, headers, ok }: Response, text: string, now: Date): CallProblem | undefined {
  if (ok) return undefined
  const said = errorIn(text).trim().slice(0, quotedMax)
  const problem = `The endpoint answered ${status}${said === '' ? '.' : `: ${said}`}`
  if (busy.includes(status))
    return { type: 'busy', problem, ...retryAfterOf(headers.get('retry-after'), now) }
  return { type: passing.includes(status) || status >= 500 ? 'passing' : 'refused', problem }
}

/** The sentence of an answer that has one under `error`, as most interfaces do; else all of it. */
function errorIn(text: string): string {
  try {
    // Safe: nothing of it is taken for granted.
    const { error } = Object(JSON.parse(text)) as { readonly error?: unknown }
    if (typeof error === 'string') return error
    const { message } = Object(error) as { readonly message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    // It is no JSON, and is told as it came.
    return text
  }
}

/** Seconds, or a date; anything else says nothing. */
function retryAfterOf(said: string | null, now: Date): { retryAfterMs?: number } {
  if (said === null) return {}
  const ms = /^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now.getTime()
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}

function outputOf(text: string, contentType: string): { output: unknown; traceId: string | undefined } {
  if (!/\bjson\b/i.test(contentType)) return { output: text, traceId: undefined }
  const body = parsed(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { output: body, traceId: undefined }
  // Safe: an object, of which nothing else is taken for granted.
  const { output, traceId } = body as Readonly<Record<string, unknown>>
  return {
    output: output === undefined ? body : output,
    traceId: typeof traceId === 'string' && traceId !== '' ? traceId : undefined,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Unreadable('The endpoint said that it answers JSON, and did not.', { cause: error })
  }
}

function problemOfCall(error: unknown, ms: number): CallProblem {
  if (error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused))
    return { type: 'refused', problem: problemOf(error) }
  if (error instanceof TooLong) return { type: 'refused', problem: error.message }
  if (error instanceof Unreadable) return { type: 'malformed', problem: error.message }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { type: 'passing', problem: `The endpoint did not answer within ${ms} ms.` }
  return { type: 'passing', problem: problemOf(error) }
}
