import type { Attachment } from '@plumbline/storage/control'
import type { ExperimentTrace } from '@plumbline/storage/traces'

/**
 * Traces with the row of the dataset that they belong to, as far as it is known: a trace that an endpoint has recorded
 * itself does not say it, and one of the client's experiments says only the place of its row, which others name.
 */
export function withRows(
  traces: readonly ExperimentTrace[],
  attachments: readonly Pick<Attachment, 'traceId' | 'datasetRowId'>[],
): ExperimentTrace[] {
  const byTrace = new Map(attachments.map(({ traceId, datasetRowId }) => [traceId, datasetRowId]))
  const byPlace = new Map<string, string>()
  for (const { datasetRowId, dataset, row } of traces)
    if (datasetRowId !== '' && dataset !== '' && row !== '') byPlace.set(`${dataset} ${row}`, datasetRowId)
  return traces.map((trace) => ({
    ...trace,
    datasetRowId:
      trace.datasetRowId ||
      (byTrace.get(trace.traceId) ?? '') ||
      (byPlace.get(`${trace.dataset} ${trace.row}`) ?? ''),
  }))
}
