/** Datasets and their items. */
import { type DatasetSummary, operations, ServiceError } from '@plumbline/contract'
import { slugOfName } from '@plumbline/contract/langfuse-prompts'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { distinctSlug } from '../workspace/find-prompt-by-name.ts'
import { itemColumns, type Row, rowIdOf, rowOf, toDataset, toItem } from './dataset-view.ts'
import { type LangfuseContext, type LangfuseInput, OperationRefused, unless } from './endpoint.ts'
import { metaOf, pageByCursors, pageOf, readPage } from './page.ts'
import { queryText, recordIn, requiredText } from './read-input.ts'

export async function list(input: LangfuseInput, { call, workspace }: LangfuseContext): Promise<object> {
  const { datasets } = await call(operations.datasets.list, {})
  const { items, meta } = pageOf(datasets, readPage(input))
  return { data: items.map((dataset) => toDataset(dataset, workspace.id)), meta }
}

export async function get({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  return toDataset(await findDataset(params.name ?? '', context), context.workspace.id)
}

/** Creates a dataset; an existing one stays unchanged. */
export async function create({ body }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const name = requiredText(recordIn(body), 'name')
  const existing = await unless(404, findDataset(name, context))
  if (existing !== undefined) return toDataset(existing, context.workspace.id)
  const make = (slug: string) =>
    unless(409, context.call(operations.datasets.create, { slug, name, columns: itemColumns }))
  const createdDataset = (await make(slugOfName(name))) ?? (await make(distinctSlug(name)))
  return toDataset(createdDataset?.dataset ?? (await findDataset(name, context)), context.workspace.id)
}

/** Adds an item, or replaces the one with the same id; an archived item is removed. */
export async function putItem({ body }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const item = recordIn(body)
  const dataset = await findDataset(requiredText(item, 'datasetName'), context)
  const { slug } = dataset
  const row = rowOf(item, dataset.columns)
  if (item.status === 'ARCHIVED') {
    if (row.id !== undefined) await context.call(operations.datasets.discard, { slug, ids: [row.id] })
    const now = context.now.toISOString()
    return {
      ...toItem({ ...row, id: row.id ?? crypto.randomUUID(), createdAt: now }, dataset),
      status: 'ARCHIVED',
    }
  }
  const { ids } = await context.call(operations.datasets.append, { slug, rows: [row] })
  return toItem(await findRow(ids[0] ?? '', context), dataset)
}

export async function listItems(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const name = queryText(input, 'datasetName')
  if (name === undefined)
    throw new ServiceError('not_supported', {
      problem: 'Plumbline lists the items of one dataset: pass its `datasetName`.',
    })
  const dataset = await findDataset(name, context)
  const request = readPage(input)
  if ((request.page - 1) * request.limit >= dataset.rowCount)
    return { data: [], meta: metaOf(request, dataset.rowCount) }
  const { items } = await pageByCursors(request, async (cursor) => {
    const { rows, nextCursor } = await context.call(operations.datasets.rows, {
      slug: dataset.slug,
      limit: 1000,
      cursor,
    })
    return { items: rows, nextCursor }
  })
  return { data: items.map((row) => toItem(row, dataset)), meta: metaOf(request, dataset.rowCount) }
}

export async function getItem({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const row = await findRow(params.id ?? '', context)
  return toItem(row, await datasetOfSlug(row.slug, context))
}

export async function removeItem({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const row = await findRow(params.id ?? '', context)
  await context.call(operations.datasets.discard, { slug: row.slug, ids: [row.id] })
  return { message: 'Dataset item successfully deleted' }
}

/** A dataset by its name, or by the id that Langfuse's clients use for it. */
export async function findDataset(name: string, { call }: LangfuseContext): Promise<DatasetSummary> {
  const { datasets } = await call(operations.datasets.list, {})
  // Version 2 of the Python client escapes a name twice.
  const names = [name, unescapeName(name)]
  const dataset =
    datasets.find((each) => names.includes(each.name)) ?? datasets.find(({ slug }) => slug === name)
  if (dataset === undefined) throw new OperationRefused(404, `The dataset "${name}" was not found.`)
  return dataset
}

function unescapeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

async function datasetOfSlug(slug: string, { call }: LangfuseContext): Promise<DatasetSummary> {
  const { datasets } = await call(operations.datasets.list, {})
  const dataset = datasets.find((each) => each.slug === slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  return dataset
}

/** The row of an item, in any dataset. */
export async function findRow(
  itemId: string,
  { workspace }: Pick<LangfuseContext, 'workspace'>,
): Promise<Row & { slug: string }> {
  const row = await workspace.datasetRows.findAnywhere(rowIdOf(itemId))
  if (row === undefined) throw new OperationRefused(404, `The dataset item "${itemId}" was not found.`)
  return {
    ...row,
    // Safe: both were JSON objects when they were stored.
    values: parseJsonText(row.values) as Row['values'],
    metadata: row.metadata === undefined ? undefined : (parseJsonText(row.metadata) as Row['values']),
    createdAt: row.createdAt.toISOString(),
  }
}
