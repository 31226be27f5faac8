/** Aligns the logs of two traces by type and name, in reading order. Pure. */
import type { StoredTrace } from '@plumbline/sdk'
import { diffArrays } from 'diff'
import { errorOf, type LogNode } from '../trace/tree/trace-tree.ts'

export interface AlignedLogs {
  /** Made of both indexes: identifies the row in the URL. */
  readonly id: string
  readonly change: 'same' | 'changed' | 'added' | 'removed'
  /** Absent if only the other trace has it. */
  readonly before: LogNode | undefined
  readonly after: LogNode | undefined
}

/** The longest common subsequence of logs forms the pairs; the others were removed or added. */
export function alignLogs(previous: readonly LogNode[], next: readonly LogNode[]): readonly AlignedLogs[] {
  const parts = diffArrays(previous.map(keyOf), next.map(keyOf), { timeout: timeoutMs })
  // Aligning two traces with almost nothing in common is not worth the time: their logs are listed one after the other.
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

/**
 * The differences between two runs of a step, without times and costs, which always differ a little and have their
 * own columns.
 */
const contentOf = ({ log }: LogNode): string =>
  JSON.stringify([log.input, log.output, log.model ?? null, log.promptVersion ?? null, errorOf(log) ?? null])

type TraceContent = Pick<StoredTrace, 'input' | 'output' | 'metadata'>

/** The differences between two whole traces, which need not appear in any log. */
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

/** The figures of a log, including everything below it. */
export const figuresOf = ({ startMs, endMs, sums }: LogNode): Figures => ({
  durationMs: startMs === undefined || endMs === undefined ? undefined : endMs - startMs,
  cost: sums.cost ?? undefined,
  tokens: sums.inputTokens + sums.outputTokens > 0 ? sums.inputTokens + sums.outputTokens : undefined,
})
