/** A run of the playground, and its next state after each event. Pure. */

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export interface RunUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoning: number
  readonly cacheRead: number
}

/** The events that the service streams. */
export type RunEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | ({ readonly type: 'toolCall' } & ToolCall)
  | {
      readonly type: 'done'
      readonly finishReason: string
      readonly usage: RunUsage | null
      readonly cost: number | null
      readonly durationMs: number
      readonly firstTokenMs: number | null
      readonly traceId?: string
    }
  | { readonly type: 'error'; readonly error: string }

export interface Run {
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped'
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly doneEvent?: Extract<RunEvent, { type: 'done' }>
  /** Why it failed, and the id of the request if the service rejected it. */
  readonly problem?: string
  readonly requestId?: string | undefined
}

export const waiting: Run = { state: 'waiting', text: '', reasoning: '', toolCalls: [] }

export const isUnderWay = ({ state }: Run): boolean => state === 'waiting' || state === 'running'

export function withEvent(run: Run, event: RunEvent): Run {
  switch (event.type) {
    case 'text':
      return { ...run, state: 'running', text: run.text + event.text }
    case 'reasoning':
      return { ...run, state: 'running', reasoning: run.reasoning + event.text }
    case 'toolCall': {
      const { id, name, arguments: args } = event
      return { ...run, state: 'running', toolCalls: [...run.toolCalls, { id, name, arguments: args }] }
    }
    case 'done':
      return { ...run, state: 'done', doneEvent: event }
    case 'error':
      return { ...run, state: 'failed', problem: event.error }
  }
}

/** The summary of several runs: total cost and median times. */
export function sumOfRuns(runs: readonly Run[]) {
  const doneEvents = runs.flatMap((run) => run.doneEvent ?? [])
  const costs = doneEvents.flatMap(({ cost }) => cost ?? [])
  const times = doneEvents.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  return {
    count: runs.length,
    done: doneEvents.length,
    failed: runs.filter(({ state }) => state === 'failed').length,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    tokens: doneEvents.reduce(
      (sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      0,
    ),
    medianMs: times[Math.floor(times.length / 2)] ?? null,
  }
}
