/** Datasets, their items and their runs as Langfuse shows them. */
import { hash } from 'node:crypto'
import type { Column, DatasetSummary, Experiment } from '@plumbline/contract'
import { uuidOfAnyCasePattern } from '@plumbline/contract/uuids'
import { isRecord, type JsonRecord } from './read-input.ts'

/** The columns of datasets created by Langfuse's clients. An expected output that is a text is only the row's ideal output. */
export const itemColumns: Column[] = [
  { name: 'input', type: 'json' },
  { name: 'expectedOutput', type: 'json' },
]

/** The id of a row: that of the item if it is a UUID, else derived from the text that the client chose. */
export function rowIdOf(itemId: string): string {
  if (uuidOfAnyCasePattern.test(itemId)) return itemId.toLowerCase()
  const hex = hash('sha256', `langfuse item ${itemId}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const toDataset = ({ slug, name, createdAt }: DatasetSummary, workspaceId: string): object => ({
  id: slug,
  name,
  description: null,
  metadata: {},
  inputSchema: null,
  expectedOutputSchema: null,
  projectId: workspaceId,
  createdAt,
  updatedAt: createdAt,
})

export interface Row {
  readonly id: string
  readonly name?: string | undefined
  readonly values: JsonRecord
  readonly idealOutput?: string | undefined
  readonly metadata?: JsonRecord | undefined
  readonly createdAt: string
}

/** The fields of an item's source that are stored in the metadata of its row. */
const sourceFields = ['sourceTraceId', 'sourceObservationId'] as const

export function toItem(row: Row, dataset: Pick<DatasetSummary, 'slug' | 'name'>): object {
  const { sourceTraceId = null, sourceObservationId = null, ...metadata } = row.metadata ?? {}
  const { values } = row
  return {
    id: row.name !== undefined && rowIdOf(row.name) === row.id ? row.name : row.id,
    status: 'ACTIVE',
    input: 'input' in values ? values.input : values,
    expectedOutput: values.expectedOutput ?? row.idealOutput ?? null,
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    sourceTraceId,
    sourceObservationId,
    datasetId: dataset.slug,
    datasetName: dataset.name,
    createdAt: row.createdAt,
    updatedAt: row.createdAt,
    mediaReferences: [],
  }
}

/** The row for an item. */
export function rowOf(item: JsonRecord, columns: readonly Column[]) {
  const has = (name: string) => columns.some((column) => column.name === name)
  const { input, expectedOutput, metadata, id } = item
  const isSpread = isRecord(input) && !has('input') && Object.keys(input).length > 0
  const values: Record<string, unknown> = isSpread ? { ...input } : { input: input ?? null }
  if (expectedOutput != null && typeof expectedOutput !== 'string') values.expectedOutput = expectedOutput
  const sources = sourceFields.flatMap((field) =>
    typeof item[field] === 'string' ? [[field, item[field]]] : [],
  )
  const own = isRecord(metadata) ? metadata : metadata == null ? {} : { metadata }
  const all = { ...own, ...Object.fromEntries(sources) }
  return {
    values,
    ...(typeof id === 'string' && id !== '' ? { id: rowIdOf(id) } : {}),
    ...(typeof id === 'string' && !uuidOfAnyCasePattern.test(id) ? { name: id } : {}),
    ...(expectedOutput == null
      ? {}
      : {
          idealOutput: typeof expectedOutput === 'string' ? expectedOutput : JSON.stringify(expectedOutput),
        }),
    ...(Object.keys(all).length === 0 ? {} : { metadata: all }),
  }
}

interface RunItem {
  readonly run: Pick<Experiment, 'id' | 'name'>
  readonly itemId: string
  readonly traceId: string
  readonly observationId: string | null
  readonly createdAt: string
}

export const toRunItem = ({ run, itemId, traceId, observationId, createdAt }: RunItem): object => ({
  id: `${run.id}/${traceId}`,
  datasetRunId: run.id,
  datasetRunName: run.name,
  datasetItemId: itemId,
  traceId,
  observationId,
  createdAt,
  updatedAt: createdAt,
})

export const toRun = (
  { id, name, createdAt }: Experiment,
  dataset: Pick<DatasetSummary, 'slug' | 'name'>,
): object => ({
  id,
  name,
  description: null,
  metadata: {},
  datasetId: dataset.slug,
  datasetName: dataset.name,
  createdAt,
  updatedAt: createdAt,
})
