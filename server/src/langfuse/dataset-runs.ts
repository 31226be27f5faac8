/** Dataset runs as experiments: of the feature with the name of the dataset, with the traces that clients link. */
import { type DatasetSummary, type Experiment, operations } from '@plumbline/contract'
import { rowIdOf, toRun, toRunItem } from './dataset-view.ts'
import { findDataset, findRow } from './datasets.ts'
import { type LangfuseContext, type LangfuseInput, OperationRefused } from './endpoint.ts'
import { otelTraceIdOf } from './ids.ts'
import { pageOf, readPage } from './page.ts'
import { optionalText, queryText, recordIn, requiredText } from './read-input.ts'

/** Links a trace to an item and a run; the first link creates the run. */
export async function link({ body }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const fields = recordIn(body)
  const [runName, itemId] = [requiredText(fields, 'runName'), requiredText(fields, 'datasetItemId')]
  const traceId = requiredText(fields, 'traceId')
  const row = await findRow(itemId, context)
  const dataset = await findDataset(row.slug, context)
  const run = await context.deliveries.run(
    { datasetSlug: dataset.slug, datasetName: dataset.name, runName },
    context,
    context.makeExperiment,
  )
  await context.deliveries.link(
    { experimentId: run.id, otelTraceId: otelTraceIdOf(traceId), datasetRowId: row.id },
    context,
  )
  const createdAt = context.now.toISOString()
  const observationId = optionalText(fields, 'observationId') ?? null
  return toRunItem({ run: { id: run.id, name: runName }, itemId, traceId, observationId, createdAt })
}

export async function list(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const dataset = await findDataset(input.params.name ?? '', context)
  const { items, meta } = pageOf(await runsOf(dataset, context), readPage(input))
  return { data: items.map((run) => toRun(run, dataset)), meta }
}

export async function get({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const dataset = await findDataset(params.name ?? '', context)
  const run = await findRun(dataset, params.run ?? '', context)
  return { ...toRun(run, dataset), datasetRunItems: await itemsOf(run, context) }
}

export async function listItems(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const dataset = await findDataset(queryText(input, 'datasetId') ?? '', context)
  const run = await findRun(dataset, queryText(input, 'runName') ?? '', context)
  const { items, meta } = pageOf(await itemsOf(run, context), readPage(input))
  return { data: items, meta }
}

/** Deletes a run and keeps its traces. */
export async function remove({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const dataset = await findDataset(params.name ?? '', context)
  const { id } = await findRun(dataset, params.run ?? '', context)
  await context.call(operations.experiments.delete, { id })
  return { message: 'Dataset run deleted successfully' }
}

async function runsOf({ slug }: DatasetSummary, { call }: LangfuseContext): Promise<Experiment[]> {
  const runs: Experiment[] = []
  let cursor: string | undefined
  do {
    const page = await call(operations.experiments.list, { featureSlug: slug, limit: 1000, cursor })
    runs.push(...page.experiments)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return runs
}

async function findRun(dataset: DatasetSummary, name: string, context: LangfuseContext): Promise<Experiment> {
  const run = (await runsOf(dataset, context)).find((each) => each.name === name)
  if (run === undefined)
    throw new OperationRefused(404, `The dataset "${dataset.name}" has no run "${name}".`)
  return run
}

async function itemsOf(run: Experiment, { workspace }: LangfuseContext): Promise<object[]> {
  const attachments = await workspace.experimentAttachments.ofExperiments([run.id])
  const otelIds = await workspace.traces.otelIdsOf(attachments.map(({ traceId }) => traceId))
  return Promise.all(
    attachments.map(async ({ traceId, datasetRowId, createdAt }) => {
      const row = await workspace.datasetRows.findAnywhere(rowIdOf(datasetRowId))
      return toRunItem({
        run,
        itemId: row?.name !== undefined && rowIdOf(row.name) === row.id ? row.name : datasetRowId,
        traceId: otelIds.get(traceId) ?? traceId,
        observationId: null,
        createdAt: createdAt.toISOString(),
      })
    }),
  )
}
