/** The logs of two traces beside each other: aligned by type and name, in the order they are read. Pure. */
import type { StoredTrace } from '@plumbline/sdk'
import { diffArrays } from 'diff'
import { errorOf, type LogNode } from '../trace/tree/trace-tree.ts'

export interface AlignedLogs {
  /** Of both indexes: names the row in the address. */
  readonly id: string
  readonly change: 'same' | 'changed' | 'added' | 'removed'
  /** Absent where only the other trace has it. */
  readonly before: LogNode | undefined
  readonly after: LogNode | undefined
}

/** The longest common sequence of logs makes the pairs; the logs around it were removed or added. */
export function alignLogs(previous: readonly LogNode[], next: readonly LogNode[]): readonly AlignedLogs[] {
  const parts = diffArrays(previous.map(keyOf), next.map(keyOf), { timeout: timeoutMs })
  // Two traces that have next to nothing in common are not worth the wait: they stand one below the other.
  if (parts === undefined)
    return [...previous.map((node) => row(node, undefined)), ...next.map((node) => row(undefined, node))]
  const rows: AlignedLogs[] = []
  let old = 0
  let newIndex = 0
  for (const { value, added, removed } of parts) {
    for (let count = 0; count < value.length; count += 1) {
      rows.push(row(added ? undefined : previous[old++], removed ? undefined : next[newIndex++]))
    }
  }
  return rows
}

const timeoutMs = 1500

const keyOf = ({ log }: LogNode): string => `${log.type}\n${log.name ?? ''}`

const row = (previous: LogNode | undefined, next: LogNode | undefined): AlignedLogs => ({
  id: `${previous?.index ?? ''}-${next?.index ?? ''}`,
  change: changeOf(previous, next),
  before: previous,
  after: next,
})

function changeOf(previous: LogNode | undefined, next: LogNode | undefined): AlignedLogs['change'] {
  if (previous === undefined) return 'added'
  if (next === undefined) return 'removed'
  return contentOf(previous) === contentOf(next) ? 'same' : 'changed'
}

/** What makes two runs of one step differ; times and costs always do a little, and have columns of their own. */
const contentOf = ({ log }: LogNode): string =>
  JSON.stringify([log.input, log.output, log.model ?? null, log.promptVersion ?? null, errorOf(log) ?? null])

type TraceContent = Pick<StoredTrace, 'input' | 'output' | 'metadata'>

/** What of two traces as wholes differs: it need not be in any of their logs. */
export function changesOfTraces(
  previous: TraceContent,
  next: TraceContent,
): readonly ('error' | 'output' | 'input')[] {
  const isOther = (first: unknown, second: unknown): boolean =>
    JSON.stringify(first ?? null) !== JSON.stringify(second ?? null)
  return [
    ...(isOther(errorOf(previous), errorOf(next)) ? (['error'] as const) : []),
    ...(isOther(previous.output, next.output) ? (['output'] as const) : []),
    ...(isOther(previous.input, next.input) ? (['input'] as const) : []),
  ]
}

export interface Figures {
  readonly durationMs: number | undefined
  readonly cost: number | undefined
  readonly tokens: number | undefined
}

/** The figures of a log, with everything below it. */
export const figuresOf = ({ startMs, endMs, sums }: LogNode): Figures => ({
  durationMs: startMs === undefined || endMs === undefined ? undefined : endMs - startMs,
  cost: sums.cost ?? undefined,
  tokens: sums.inputTokens + sums.outputTokens > 0 ? sums.inputTokens + sums.outputTokens : undefined,
})
