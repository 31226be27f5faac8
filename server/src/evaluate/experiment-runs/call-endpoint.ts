/** Runs a case against an endpoint: posts the row, without the ideal output, and uses the response as the output. */
import type { ExperimentTarget } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { AddressRefused } from '../../network/guarded-fetch.ts'
import { retryAfterOf } from '../../network/retry-after.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import type { CallProblem } from '../evaluators/model/call-problem.ts'
import type { CallResult } from './target-response.ts'

type EndpointTarget = Extract<ExperimentTarget, { type: 'endpoint' }>

interface EndpointRequest {
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
const transient: readonly number[] = [408, 409, 425]

/** Never rejects for failures of the endpoint: those are results. */
export async function callEndpoint(
  { url, timeoutMs }: Pick<EndpointTarget, 'url' | 'timeoutMs'>,
  { runId, datasetRowId, values, traceparent, headers, fetch, signal, now }: EndpointRequest,
): Promise<CallResult> {
  const startedAt = now()
  const elapsedMs = (): number => now().getTime() - startedAt.getTime()
  const limitMs = timeoutMs ?? defaultTimeoutMs
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ input: inputOf(values), variables: values, datasetRowId, runId }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    })
    const text = await textOf(response)
    const endedAt = now()
    const problem = problemOfResponse(response, text, now())
    if (problem !== undefined) return { type: 'problem', problem, durationMs: elapsedMs() }
    const { output, traceId } = outputOf(text, response.headers.get('content-type') ?? '')
    return {
      type: 'response',
      response: { output, startedAt, endedAt, cost: undefined, generation: undefined, traceId },
    }
  } catch (error) {
    return { type: 'problem', problem: problemOfCall(error, limitMs), durationMs: elapsedMs() }
  }
}

/** The column `input`, or the only column, or else all columns. */
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
    if (bytes > answerBytesMax) throw new TooLong(`The response is longer than ${answerBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function problemOfResponse(
  { status, headers, ok }: Response,
  text: string,
  now: Date,
): CallProblem | undefined {
  if (ok) return undefined
  const message = errorIn(text).trim().slice(0, quotedMax)
  const problem = `The endpoint responded with ${status}${message === '' ? '.' : `: ${message}`}`
  if (busy.includes(status))
    return { type: 'busy', problem, ...retryAfterOf(headers.get('retry-after'), now) }
  return { type: transient.includes(status) || status >= 500 ? 'transient' : 'permanent', problem }
}

/** The message under `error`, as in most APIs; otherwise the whole text. */
function errorIn(text: string): string {
  try {
    // Safe: every field is checked before use.
    const { error } = Object(parseJsonText(text)) as { readonly error?: unknown }
    if (typeof error === 'string') return error
    const { message } = Object(error) as { readonly message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    // Not JSON: report the text as it is.
    return text
  }
}

function outputOf(text: string, contentType: string): { output: unknown; traceId: string | undefined } {
  if (!/\bjson\b/i.test(contentType)) return { output: text, traceId: undefined }
  const body = parseBody(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { output: body, traceId: undefined }
  // Safe: it is an object, and every field is checked before use.
  const { output, traceId } = body as Readonly<Record<string, unknown>>
  return {
    output: output === undefined ? body : output,
    traceId: typeof traceId === 'string' && traceId !== '' ? traceId : undefined,
  }
}

function parseBody(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    throw new Unreadable('The endpoint declared its response to be JSON, but it is not.', { cause: error })
  }
}

function problemOfCall(error: unknown, limitMs: number): CallProblem {
  if (error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused))
    return { type: 'permanent', problem: problemOf(error) }
  if (error instanceof TooLong) return { type: 'permanent', problem: error.message }
  if (error instanceof Unreadable) return { type: 'malformed', problem: error.message }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { type: 'transient', problem: `The endpoint did not respond within ${limitMs} ms.` }
  return { type: 'transient', problem: problemOf(error) }
}
