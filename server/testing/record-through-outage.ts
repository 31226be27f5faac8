/** Writers that continue whatever the service responds, and remember what it acknowledged and what it rejected. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { idOf, jsonExport, jsonSpan } from './otlp-export.ts'

export interface Refusal {
  readonly status: number
  readonly text: string
}

export interface OutageLoad {
  /** The acknowledged traces: names, and the ids by which they are read. */
  readonly acknowledgedIds: ReadonlyMap<string, string>
  readonly refusals: readonly Refusal[]
  /** Resolves once every writer has its last response. */
  stop(): Promise<void>
}

const writers = 8
const pauseMs = 10
const readers = 8
/** One of this many traces is sent as OpenTelemetry spans. */
const otlpEvery = 4

/** Sends each trace to the next node; its input has this size, and its name contains the number of the trace. */
export function startOutageLoad(
  urls: readonly string[],
  apiKey: string,
  { inputBytes = 500, firstNumber = 0 } = {},
): OutageLoad {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const acknowledgedIds = new Map<string, string>()
  const refusals: Refusal[] = []
  const input = 'x'.repeat(inputBytes)
  let recorded = firstNumber
  let isStopped = false

  const recordNext = async (): Promise<void> => {
    const number = recorded++
    const name = `trace ${number}`
    const traceId = idOf(5000 + number, 16)
    const isOtlp = number % otlpEvery === 0
    const [path, body] = isOtlp
      ? ['/v1/traces', jsonExport([jsonSpan({ traceId, spanId: idOf(number, 8), name })])]
      : ['/monitor/trace', { name, input, logs: [{ id: randomUUID(), type: 'span', name: 'a log' }] }]
    const url = urls[number % urls.length] + path
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status !== 200) refusals.push({ status: response.status, text })
    else if (isOtlp) acknowledgedIds.set(name, traceId)
    else acknowledgedIds.set(name, (JSON.parse(text) as { trace: { id: string } }).trace.id)
  }

  const write = async (): Promise<void> => {
    while (!isStopped) {
      await recordNext()
      await pause(pauseMs)
    }
  }

  const writes = Promise.all(Array.from({ length: writers }, write))
  // The failure is reported by `stop`.
  writes.catch(() => {})
  return {
    acknowledgedIds,
    refusals,
    async stop() {
      isStopped = true
      await writes
    },
  }
}

/** The names of the traces that cannot be read by their id, each from the next node. */
export async function findUnreadable(
  urls: readonly string[],
  apiKey: string,
  traces: Iterable<readonly [name: string, id: string]>,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const unreadable: string[] = []
  let number = 0
  // One shared iterator: each worker takes the next trace.
  const remaining = Iterator.from(traces)
  const read = async (): Promise<void> => {
    for (const [name, id] of remaining) {
      const response = await fetch(`${urls[++number % urls.length]}/monitor/traces/${id}`, { headers })
      const text = await response.text()
      const isRead =
        response.status === 200 && (JSON.parse(text) as { trace: { name: string } }).trace.name === name
      if (!isRead) unreadable.push(`${name}: ${response.status} ${text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: readers }, read))
  return unreadable
}

/** How often each name is listed. */
export async function countListed(url: string, apiKey: string): Promise<ReadonlyMap<string, number>> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const counts = new Map<string, number>()
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '1000', ...(cursor === undefined ? {} : { cursor }) })
    const response = await fetch(`${url}/monitor/traces?${query}`, { headers })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    const page = JSON.parse(text) as { traces: { name: string }[]; nextCursor?: string }
    for (const { name } of page.traces) counts.set(name, (counts.get(name) ?? 0) + 1)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return counts
}
