import { type InputOf, type operations, ServiceError } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type CellProblem, enforceSchemas, withMismatches } from '../columns/check-cells.ts'
import { rowOf, type Source } from './row-of-trace.ts'

type NamedSource = InputOf<typeof operations.datasets.collect>['sources'][number]

/** Adds rows made of traces or logs: what ran becomes a case. */
export const collect: Verb<typeof operations.datasets.collect> = async (
  { slug, sources, mapping, idealOutput },
  { workspace, now },
) => {
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const rows = []
  const problems: CellProblem[] = []
  for (const reference of sources) {
    const source = await findSource(reference, workspace)
    const row = rowOf(source, dataset.columns, {
      mapping: mapping ?? undefined,
      idealOutput: idealOutput ?? undefined,
    })
    // Safe: `rowOf` writes an object.
    const values = parseJsonText(row.values) as Record<string, unknown>
    problems.push(...enforceSchemas(dataset.columns, values, `sources[${rows.length}]`))
    rows.push(row)
  }
  const ids = await mapStorageErrors(workspace.datasetRows.addMany(slug, rows, now))
  return { ids, ...withMismatches({}, problems) }
}

async function findSource({ traceId, logId }: NamedSource, workspace: Workspace): Promise<Source> {
  const storedTrace = await findTrace(traceId.toLowerCase(), workspace)
  if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id: traceId })
  const trace = toStoredTrace(storedTrace)
  if (logId == null) return { traceId: trace.id, ...trace, variables: null }
  const log = trace.logs.find(({ id }) => id === logId)
  if (log === undefined) throw new ServiceError('log_not_found', { traceId, logId })
  return { traceId: trace.id, logId, ...log, variables: log.variables ?? null }
}
