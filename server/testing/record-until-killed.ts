/** The load of the crash test: writers that record until the server is killed, and remember what was acknowledged. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

export const apiKey = 'pl_crash_test_key_0123456789'
/** The user of every trace in the load, by which lists can be filtered. */
export const userId = 'crash-test'

export interface RecordedTrace {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly body: Body
  /** Ids of its acknowledged scores. */
  readonly scores: string[]
}

export type Body = Readonly<Record<string, unknown>>

interface KeyedRequest {
  readonly key: string
  readonly path: string
  readonly body: Body
}

export interface Load {
  readonly acknowledgedRecords: readonly RecordedTrace[]
  /** Requests with an Idempotency-Key whose response was lost. */
  readonly unansweredRequests: readonly KeyedRequest[]
  /** Repeats the requests without a response, and records until the server is killed. */
  recordUntilGone(url: string): Promise<void>
  /** Repeats the requests without a response. */
  retry(url: string): Promise<void>
}

const writers = 24
/** Writers pause up to this long after a response: the test is about timing, not volume. */
const pauseMsMax = 450
const shares = { score: 0.06, singleLog: 0.15, keyed: 0.25 }

/** Thrown if the server was killed during a request. */
class ServerGone extends Error {}

export function makeLoad(random: () => number): Load {
  const acknowledgedRecords: RecordedTrace[] = []
  const unanswered = new Map<string, KeyedRequest>()
  let traceNumber = 0

  const send = async (url: string, { key, path, body }: KeyedRequest): Promise<void> => {
    const { trace } = (await post(url, path, body, key)) as { trace: { id: string } }
    acknowledgedRecords.push({ id: trace.id, name: String(body.name), path, body, scores: [] })
    unanswered.delete(key)
  }

  const record = async (url: string): Promise<void> => {
    const draw = random()
    const scored = acknowledgedRecords.at(-1 - Math.floor(random() * 50))
    if (draw < shares.score && scored !== undefined) {
      const body = { traceId: scored.id, name: 'quality', value: draw }
      const { score } = (await post(url, '/scores', body)) as { score: { id: string } }
      scored.scores.push(score.id)
      return
    }
    const name = `trace ${traceNumber++}`
    const isLog = random() < shares.singleLog
    const path = isLog ? '/monitor/log' : '/monitor/trace'
    const body = isLog ? singleLogNamed(name, random) : traceNamed(name, random)
    const key = random() < shares.keyed ? name : ''
    const request = { key, path, body }
    if (key !== '') unanswered.set(key, request)
    await send(url, request)
  }

  const retry = async (url: string): Promise<void> => {
    await Promise.all([...unanswered.values()].map((request) => send(url, request)))
  }

  const write = async (url: string): Promise<never> => {
    for (;;) {
      await record(url)
      await pause(random() * pauseMsMax)
    }
  }

  return {
    acknowledgedRecords,
    get unansweredRequests() {
      return [...unanswered.values()]
    },
    retry,
    async recordUntilGone(url) {
      const work = [retry(url), ...Array.from({ length: writers }, () => write(url))]
      for (const { status, ...end } of await Promise.allSettled(work)) {
        if (status === 'rejected' && 'reason' in end && !(end.reason instanceof ServerGone)) throw end.reason
      }
    },
  }
}

/** The response to a request; an error response fails the test, since no request here may be rejected. */
async function post(url: string, path: string, body: Body, key = ''): Promise<unknown> {
  let status: number
  let text: string
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(key === '' ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    status = response.status
    text = await response.text()
  } catch (error) {
    throw new ServerGone('The server was killed under this request.', { cause: error })
  }
  assert.ok(status < 300, `${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

function singleLogNamed(name: string, random: () => number): Body {
  return {
    name,
    slug: 'greeting',
    user: { id: userId, name: 'Crash' },
    input: textOf(600, random),
    output: { answer: textOf(300, random), 'odd key "\u0000': [null, true, 1.5e-7] },
    metadata: { model: 'gpt-4o', name },
    startTime: '2025-06-01T10:00:00.000001Z',
  }
}

/** About 4 KB. The tokens of every other generation have to be counted. */
function traceNamed(name: string, random: () => number): Body {
  const generation = (id: string, usage: object) => ({
    id,
    parentId: 'root',
    type: 'generation',
    name: 'answer',
    input: textOf(900, random),
    output: textOf(500, random),
    metadata: { model: 'gpt-4o', provider: 'open-ai' },
    ...usage,
  })
  return {
    name,
    user: { id: userId, name: 'Crash' },
    input: { question: textOf(200, random), 'ключ 🗝️': [1, 'two', null] },
    output: textOf(300, random),
    metadata: { name, nested: { deep: [{ er: textOf(20, random) }] } },
    startTime: '2025-06-01T10:00:00.000001Z',
    endTime: '2025-06-01T10:00:02.500000Z',
    logs: [
      { id: 'root', type: 'span', name: 'run' },
      {
        id: 'find',
        parentId: 'root',
        type: 'retrieval',
        input: textOf(100, random),
        output: [textOf(400, random)],
      },
      generation('counted', {}),
      generation('given', { inputTokens: 225, outputTokens: 125, cost: 0.0025 }),
    ],
  }
}

const words = [
  'plumb',
  'line',
  'records',
  'what',
  'models',
  'дo',
  '記録',
  'never',
  '🧱',
  'lost',
  '"quoted"',
  '\\',
  '\n',
]

function textOf(length: number, random: () => number): string {
  let text = ''
  while (text.length < length) text += `${words[Math.floor(random() * words.length)]} `
  return text
}
