import { type InputOf, invalid, type operations, ServiceError } from '@plumbline/contract'
import type { NewAnnotationItem } from '@plumbline/storage/control'
import { mapStorageErrors } from '../map-storage-errors.ts'
import { readFilters } from '../traces/filters.ts'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { findQueue } from './view.ts'

type Sent = InputOf<typeof operations.annotationQueues.add>

/** How many a filter adds unless told otherwise. */
const countDefault = 100

/** Adds traces and logs to a queue. */
export const add: Verb<typeof operations.annotationQueues.add> = async (input, { workspace, now }) => {
  const { id, items, filter } = input
  await findQueue(id, workspace)
  if ((items == null) === (filter == null)) throw invalid('items', 'must be there, or `filter`, and not both')
  const wanted = items == null ? await drawn(input, workspace) : await named(items, workspace)
  const distinct = new Map(wanted.map((item) => [`${item.traceId} ${item.logId ?? ''}`, item]))
  // A sample is not to bring back what somebody took out; whoever names it wants it there.
  const added = await mapStorageErrors(
    workspace.annotationItems.addMany(id, [...distinct.values()], now, { bringsBack: items != null }),
  )
  return { added, existing: distinct.size - added }
}

/** Those that are named, all of which must be there; what was just recorded is waited for. */
async function named(
  sent: NonNullable<Sent['items']>,
  { traces, settle }: Workspace,
): Promise<NewAnnotationItem[]> {
  const items = sent.map(({ traceId, logId }) => ({
    traceId: traceId.toLowerCase(),
    logId: logId ?? undefined,
  }))
  const ids = [...new Set(items.map(({ traceId }) => traceId))]
  const isMissing = async (): Promise<string | undefined> => {
    const there = await traces.existing(ids)
    return ids.find((id) => !there.has(id))
  }
  const missing = (await isMissing()) && (await settle().then(isMissing))
  if (missing !== undefined) throw new ServiceError('trace_not_found', { id: missing })
  for (const { traceId, logId } of items)
    if (logId !== undefined && !(await traces.exists(traceId, logId)))
      throw new ServiceError('log_not_found', { traceId, logId })
  return items
}

/** Those that the filters leave, the latest or at random. */
async function drawn(
  { id, filter, count, isRandom, seed }: Sent,
  { traces, settle }: Workspace,
): Promise<NewAnnotationItem[]> {
  const filters = readFilters(filter ?? {})
  await settle()
  const ids = await traces.draw(filters, {
    limit: count ?? countDefault,
    seed: isRandom === true ? (seed ?? id) : undefined,
  })
  return ids.map((traceId) => ({ traceId, logId: undefined }))
}
