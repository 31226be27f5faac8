/** Row deletions, which are sent only after the time to undo them: the service keeps no deleted rows. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call, refresh, useClient } from '../../../app/api.ts'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import type { StoredRow } from '../row-types.ts'
import type { Rows } from '../use-rows.ts'

const undoMs = 10_000
/** The maximum number of rows per request. */
export const rowsPerRequest = 1000

/** A browser lets requests of up to 64 KB in total outlive their page; each row is one id. */
const keepaliveRowsMax = 1500

interface Deletion {
  readonly rows: readonly StoredRow[]
  readonly before: readonly StoredRow[]
  readonly timer: ReturnType<typeof setTimeout>
}

interface DeletionsOptions {
  readonly remember: (undo: () => void) => void
  /** Adds rows again after their deletion was sent; rejects if it cannot. */
  readonly append: (rows: readonly StoredRow[]) => Promise<unknown>
}

/** Removes rows from the screen at once, and deletes them from the service after the undo period. */
export function useDeletions(
  slug: string,
  change: Rows['change'],
  { remember, append }: DeletionsOptions,
): (deletedRows: readonly StoredRow[]) => void {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const deletions = useRef(new Set<Deletion>())
  /** `outlivesPage` decides by the number of rows whether their request can outlive the page. */
  const send = async (
    deletion: Deletion,
    outlivesPage: (count: number) => boolean = () => false,
  ): Promise<void> => {
    deletions.current.delete(deletion)
    clearTimeout(deletion.timer)
    const parts = partsOf(deletion.rows.map(({ id }) => id))
    // All at once: requests not sent before the page is left would never be sent.
    const results = await Promise.allSettled(
      parts.map((ids) =>
        call(client, 'datasets.discard', { slug, ids }, { keepalive: outlivesPage(ids.length) }),
      ),
    )
    const idsWith = (status: PromiseSettledResult<unknown>['status']): ReadonlySet<string> =>
      new Set(parts.filter((_part, index) => results[index]?.status === status).flat())
    const [deletedIds, keptIds] = [idsWith('fulfilled'), idsWith('rejected')]
    // The rows were reloaded if the columns changed meanwhile.
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

  // Leaving the page confirms the deletion: it is sent before the document unloads.
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

/** The current rows with the restored ones in their places. */
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
