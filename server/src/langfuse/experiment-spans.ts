/** From version 5 on, Langfuse's clients name the dataset run in its spans, and call no other endpoint for it. */
import { readSpans } from '../ingest/otlp/receive/read-export.ts'
import type { Span } from '../ingest/otlp/span.ts'
import type { Context } from '../requests/verb.ts'
import { rowIdOf } from './dataset-view.ts'
import type { Deliveries } from './deliveries.ts'

const mark = 'langfuse.experiment.id'
/** The feature for experiments on data that is not in a dataset. */
const localData = { datasetSlug: 'langfuse-experiments', datasetName: 'Langfuse experiments' }

/** Adds the traces of an export to the experiments that its spans name. Most exports name none. */
export async function linkExperimentSpans(
  { body, encoding }: { readonly body: Buffer; readonly encoding: 'protobuf' | 'json' },
  context: Pick<Context, 'workspace' | 'now'>,
  deliveries: Pick<Deliveries, 'run' | 'link'>,
): Promise<void> {
  if (!body.includes(mark)) return
  const linked = new Set<string>()
  for (const span of readSpans(body, encoding).parts) {
    const experimentNames = readNames(span)
    if (experimentNames === undefined || linked.has(span.traceId)) continue
    linked.add(span.traceId)
    const { datasetId, itemId, runName } = experimentNames
    const dataset = datasetId && (await context.workspace.datasets.find(datasetId))
    const { id } = await deliveries.run(
      dataset ? { datasetSlug: dataset.slug, datasetName: dataset.name, runName } : { ...localData, runName },
      context,
    )
    const datasetRowId = itemId === undefined || !dataset ? '' : rowIdOf(itemId)
    await deliveries.link({ experimentId: id, otelTraceId: span.traceId, datasetRowId }, context)
  }
}

function readNames({ attributes }: Span) {
  const text = (name: string): string | undefined => {
    const value = attributes[`langfuse.experiment.${name}`]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const runName = text('name') ?? text('id')
  if (runName === undefined || text('id') === undefined) return undefined
  return { runName, datasetId: text('dataset.id'), itemId: text('item.id') }
}
