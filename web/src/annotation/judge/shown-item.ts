/** The parts of a trace or a log that an annotator needs. Pure. */
import type { StoredLog, StoredTrace } from '@plumbline/sdk'

export interface ShownItem {
  readonly name: string
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  /** Retrieved context, by the name of the retrieval. */
  readonly context: readonly { readonly id: string; readonly name: string; readonly value: unknown }[]
}

/** Undefined for an unknown log. A trace without an input and output of its own shows those of its generations. */
export function shownItem(trace: StoredTrace, logId: string | null): ShownItem | undefined {
  const log = logId === null ? undefined : trace.logs.find(({ id }) => id === logId)
  if (logId !== null && log === undefined) return undefined
  const generations = trace.logs.filter(({ type }) => type === 'generation')
  const has = (value: unknown): boolean => value !== null && value !== undefined
  const source = log ?? trace
  return {
    name: source.name ?? log?.type ?? 'Trace',
    input: log !== undefined || has(trace.input) ? source.input : (generations[0]?.input ?? null),
    output: log !== undefined || has(trace.output) ? source.output : (generations.at(-1)?.output ?? null),
    idealOutput: source.idealOutput ?? null,
    context: trace.logs.filter(isRetrieval).map(({ id, name, output }) => ({
      id,
      name: name ?? 'Retrieval',
      value: output,
    })),
  }
}

const isRetrieval = ({ type, output }: StoredLog): boolean =>
  type === 'retrieval' && output !== null && output !== undefined
