/** Replacements of traces as the assembler writes them. */
import type { LogRow, TraceRow } from '../rows/row-types.ts'
import { encodeLogs, encodeTraces } from '../rows.ts'
import type { Replacement } from '../write/write-types.ts'

export type AssembledRows = { readonly trace: TraceRow; readonly logs: readonly LogRow[] }

export const otelTraceId = 'c'.repeat(32)

/** Revisions are global to the store, so the tests share a counter. */
let lastRevision = 0

/** Replaces traces with their new state. */
export function replacementOf(
  now: readonly AssembledRows[],
  previous: readonly AssembledRows[],
  revision = ++lastRevision,
): Replacement {
  const assembled = { revision, otelTraceId }
  return {
    revision,
    traces: encodeTraces(
      now.map(({ trace }) => trace),
      assembled,
    ),
    logs: encodeLogs(
      now.flatMap(({ logs }) => logs),
      assembled,
    ),
    scores: Buffer.alloc(0),
    keys: [...now, ...previous].map(({ trace: { workspaceId, traceId, startUs } }) => ({
      workspaceId,
      traceId,
      startUs,
    })),
    replaces: previous.length > 0,
  }
}
