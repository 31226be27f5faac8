import { type InputOf, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { NewAnnotationItem } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFilters } from '../../traces/filters.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { findQueue } from './view.ts'

type AddInput = InputOf<typeof operations.annotationQueues.add>

/** How many items a filter adds by default. */
const countDefault = 100

/** Adds traces and logs to a queue. */
export const add: Verb<typeof operations.annotationQueues.add> = async (input, { workspace, now }) => {
  const { id, items, filter } = input
  await findQueue(id, workspace)
  if ((items == null) === (filter == null)) throw invalid('items', 'is required, or `filter`, but not both')
  const selected = items == null ? await sampleItems(input, workspace) : await checkItems(items, workspace)
  const distinct = new Map(selected.map((item) => [`${item.traceId} ${item.logId ?? ''}`, item]))
  // A sample must not restore items that were removed; naming an item restores it.
  const added = await mapStorageErrors(
    workspace.annotationItems.addMany(id, [...distinct.values()], now, { bringsBack: items != null }),
  )
  return { added, existing: distinct.size - added }
}

/** Checks that all named items exist. Waits for records that are not yet in the trace store. */
async function checkItems(
  input: NonNullable<AddInput['items']>,
  { traces, settle }: Workspace,
): Promise<NewAnnotationItem[]> {
  const items = input.map(({ traceId, logId }) => ({
    traceId: traceId.toLowerCase(),
    logId: logId ?? undefined,
  }))
  const ids = [...new Set(items.map(({ traceId }) => traceId))]
  const findMissing = async (): Promise<string | undefined> => {
    const existing = await traces.existing(ids)
    return ids.find((id) => !existing.has(id))
  }
  const missing = (await findMissing()) && (await settle().then(findMissing))
  if (missing !== undefined) throw new ServiceError('trace_not_found', { id: missing })
  for (const { traceId, logId } of items)
    if (logId !== undefined && !(await traces.exists(traceId, logId)))
      throw new ServiceError('log_not_found', { traceId, logId })
  return items
}

/** Items that match the filters: the latest, or a random sample. */
async function sampleItems(
  { id, filter, count, isRandom, seed }: AddInput,
  { traces, settle }: Workspace,
): Promise<NewAnnotationItem[]> {
  const filters = readFilters(filter ?? {})
  await settle()
  const ids = await traces.sample(filters, {
    limit: count ?? countDefault,
    seed: isRandom === true ? (seed ?? id) : undefined,
  })
  return ids.map((traceId) => ({ traceId, logId: undefined }))
}
