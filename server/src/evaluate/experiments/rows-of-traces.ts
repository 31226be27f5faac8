import type { Attachment } from '@plumbline/storage/control'
import type { ExperimentTrace } from '@plumbline/storage/traces'

/**
 * Fills in the dataset row of each trace if it is known: endpoints' own traces do not name it, and others may have only its
 * position, which other traces map to a row. A position that had several rows, because an earlier row was deleted, maps to none.
 */
export function withRows(
  traces: readonly ExperimentTrace[],
  attachments: readonly Pick<Attachment, 'traceId' | 'datasetRowId'>[],
): ExperimentTrace[] {
  const byTrace = new Map(attachments.map(({ traceId, datasetRowId }) => [traceId, datasetRowId]))
  const byPlace = new Map<string, string>()
  for (const { datasetRowId, dataset, row } of traces) {
    if (datasetRowId === '' || dataset === '' || row === '') continue
    const place = `${dataset} ${row}`
    byPlace.set(place, [undefined, datasetRowId].includes(byPlace.get(place)) ? datasetRowId : '')
  }
  return traces.map((trace) => ({
    ...trace,
    datasetRowId:
      trace.datasetRowId ||
      (byTrace.get(trace.traceId) ?? '') ||
      (byPlace.get(`${trace.dataset} ${trace.row}`) ?? ''),
  }))
}
