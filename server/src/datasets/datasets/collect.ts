import { type InputOf, type operations, ServiceError, type StoredTrace } from '@plumbline/contract'
import type { NewDatasetRow } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTraces } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import { type CellProblem, enforceSchemas, withMismatches } from '../columns/check-cells.ts'
import { rowOf, type Source } from './row-of-trace.ts'

type NamedSource = InputOf<typeof operations.datasets.collect>['sources'][number]

/** Traces may be large, so only this many are in memory at a time. */
const sourcesPerRead = 25

/** Adds rows made from traces or logs: a past run becomes a case. */
export const collect: Verb<typeof operations.datasets.collect> = async (
  { slug, sources, mapping, idealOutput },
  { workspace, now },
) => {
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const rows: NewDatasetRow[] = []
  const problems: CellProblem[] = []
  for (let start = 0; start < sources.length; start += sourcesPerRead) {
    const references = sources.slice(start, start + sourcesPerRead)
    const ids = references.map(({ traceId }) => traceId.toLowerCase())
    const storedTraces = await findTraces(ids, workspace)
    const traces = new Map(
      [...storedTraces].map(([id, rows]) => [id, toStoredTrace({ ...rows, scores: [] })] as const),
    )
    for (const reference of references) {
      const row = rowOf(sourceOf(reference, traces), dataset.columns, {
        mapping: mapping ?? undefined,
        idealOutput: idealOutput ?? undefined,
      })
      // Safe: `rowOf` writes an object.
      const values = parseJsonText(row.values) as Record<string, unknown>
      problems.push(...enforceSchemas(dataset.columns, values, `sources[${rows.length}]`))
      rows.push(row)
    }
  }
  const ids = await mapStorageErrors(workspace.datasetRows.addMany(slug, rows, now))
  return { ids, ...withMismatches({}, problems) }
}

function sourceOf({ traceId, logId }: NamedSource, traces: ReadonlyMap<string, StoredTrace>): Source {
  const trace = traces.get(traceId.toLowerCase())
  if (trace === undefined) throw new ServiceError('trace_not_found', { id: traceId })
  if (logId == null) return { traceId: trace.id, ...trace, variables: null }
  const log = trace.logs.find(({ id }) => id === logId)
  if (log === undefined) throw new ServiceError('log_not_found', { traceId, logId })
  return { traceId: trace.id, logId, ...log, variables: log.variables ?? null }
}
