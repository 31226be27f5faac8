/** Deletions of rows, which are written once nobody can undo them any more: the service keeps no deleted rows. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call, refresh, useClient } from '../../../app/api.ts'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import type { StoredRow } from '../row-types.ts'
import type { Rows } from '../use-rows.ts'

const undoMs = 10_000
/** The most rows that the service takes in one request. */
export const rowsPerRequest = 1000

/** A browser lets requests of 64 KB altogether outlive their page; a row is an id. */
const keepaliveRowsMax = 1500

interface Deletion {
  readonly rows: readonly StoredRow[]
  readonly before: readonly StoredRow[]
  readonly timer: ReturnType<typeof setTimeout>
}

interface DeletionsOptions {
  readonly remember: (undo: () => void) => void
  /** Adds rows again whose deletion is written already; rejects where it cannot. */
  readonly append: (rows: readonly StoredRow[]) => Promise<unknown>
}

/** Deletes rows from the screen at once, and from the service after the time to undo. */
export function useDeletions(
  slug: string,
  change: Rows['change'],
  { remember, append }: DeletionsOptions,
): (deletedRows: readonly StoredRow[]) => void {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const deletions = useRef(new Set<Deletion>())
  /** `outlivesPage` says of so many rows whether their request goes on without the page. */
  const send = async (
    deletion: Deletion,
    outlivesPage: (count: number) => boolean = () => false,
  ): Promise<void> => {
    deletions.current.delete(deletion)
    clearTimeout(deletion.timer)
    const parts = partsOf(deletion.rows.map(({ id }) => id))
    // All at once: those that were not sent when the page is left would never be.
    const results = await Promise.allSettled(
      parts.map((ids) =>
        call(client, 'datasets.discard', { slug, ids }, { keepalive: outlivesPage(ids.length) }),
      ),
    )
    const idsWith = (status: PromiseSettledResult<unknown>['status']): ReadonlySet<string> =>
      new Set(parts.filter((_part, index) => results[index]?.status === status).flat())
    const [deletedIds, keptIds] = [idsWith('fulfilled'), idsWith('rejected')]
    // They were read again where the columns changed meanwhile.
    change((all) => all.filter(({ id }) => !deletedIds.has(id)))
    const failure = results.find((result) => result.status === 'rejected')
    if (failure !== undefined) {
      const keptRows = deletion.rows.filter(({ id }) => keptIds.has(id))
      change((now) => restoreRows(now, keptRows, deletion.before))
      toasts.fail(failure.reason)
    }
    if (deletedIds.size > 0) await refresh(queries, ['datasets.list', 'datasets.facets'])
  }
  const latestSend = useRef(send)
  latestSend.current = send

  const discard = (rows: readonly StoredRow[]): void => {
    const ids = new Set(rows.map(({ id }) => id))
    let before: readonly StoredRow[] = []
    change((all) => {
      before = all
      return all.filter(({ id }) => !ids.has(id))
    })
    const deletion: Deletion = {
      rows: rows,
      before,
      timer: setTimeout(() => void latestSend.current(deletion), undoMs),
    }
    deletions.current.add(deletion)
    const undo = (): void => {
      if (!deletions.current.delete(deletion)) {
        append(rows).catch(toasts.fail)
        return
      }
      clearTimeout(deletion.timer)
      change((now) => restoreRows(now, rows, before))
    }
    remember(undo)
    toasts.done(rows.length === 1 ? 'Deleted a row' : `Deleted ${rows.length} rows`, { undo })
  }

  // Leaving confirms the deletion: it is written before the document unloads.
  useEffect(() => {
    const flush = (): void => {
      let count = 0
      const outlivesPage = (rowCount: number): boolean => {
        count += rowCount
        return count <= keepaliveRowsMax
      }
      for (const deletion of deletions.current) void latestSend.current(deletion, outlivesPage)
    }
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  return discard
}

const partsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / rowsPerRequest) }, (_, index) =>
    ids.slice(index * rowsPerRequest, (index + 1) * rowsPerRequest),
  )

/** The current rows with the restored ones, each in its place. */
function restoreRows(
  now: readonly StoredRow[],
  back: readonly StoredRow[],
  previousRows: readonly StoredRow[],
): readonly StoredRow[] {
  const rowsById = new Map([...back, ...now].map((row) => [row.id, row]))
  const old = previousRows.flatMap(({ id }) => rowsById.get(id) ?? [])
  const oldIds = new Set(previousRows.map(({ id }) => id))
  return [...old, ...now.filter(({ id }) => !oldIds.has(id))]
}
