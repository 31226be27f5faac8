/** Writers that go on whatever the service answers, and remember what it acknowledged and what it refused. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { idOf, jsonExport, jsonSpan } from './otlp-export.ts'

export interface Refusal {
  readonly status: number
  readonly text: string
}

export interface OutageLoad {
  /** What was acknowledged: the name of each trace, and the id by which it is read. */
  readonly acknowledgedIds: ReadonlyMap<string, string>
  readonly refusals: readonly Refusal[]
  /** Resolves once every writer has its last answer. */
  stop(): Promise<void>
}

const writers = 8
const pauseMs = 10
const readers = 8
/** One in so many traces comes as OpenTelemetry spans. */
const otlpEvery = 4

/** Each trace goes to the next of the nodes; its input has this size, and its name the number of the trace. */
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
  // Whoever stops it hears of the failure.
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

/** The names of the traces that cannot be read by their id, each at the next of the nodes. */
export async function findUnreadable(
  urls: readonly string[],
  apiKey: string,
  traces: Iterable<readonly [name: string, id: string]>,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const unreadable: string[] = []
  let number = 0
  // One iterator for all: each takes the next.
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

/** How often the list has each name. */
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
