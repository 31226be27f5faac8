/** Changes of rows: seen at once, written behind, taken back where the service refuses them, and undone on demand. */

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, refresh, useClient } from '../../app/api.ts'
import { useToasts } from '../../ui/toast.tsx'
import { type CellChange, changedRow, changeInput, inverseOf, type NewRow } from './fields.ts'
import type { StoredRow } from './row-types.ts'
import type { Rows } from './use-rows.ts'

/** How long a deletion can be taken back before it is written: the service keeps no rows that went. */
const undoMs = 10_000
const requestsAtOnce = 4
const rowsPerRequest = 1000
const undoMax = 100

export interface RowEdit {
  readonly row: StoredRow
  readonly changes: readonly CellChange[]
}

export interface RowChanges {
  readonly saving: number
  readonly canUndo: boolean
  edit(edits: readonly RowEdit[]): Promise<void>
  append(rows: readonly NewRow[]): Promise<readonly StoredRow[]>
  /** Takes rows out; within 10 seconds they come back to their places. */
  discard(gone: readonly StoredRow[]): void
  undo(): void
}

interface Deletion {
  readonly rows: readonly StoredRow[]
  readonly before: readonly StoredRow[]
  readonly timer: ReturnType<typeof setTimeout>
}

export function useRowChanges(slug: string, { change, add }: Pick<Rows, 'change' | 'add'>): RowChanges {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [saving, setSaving] = useState(0)
  const undos = useRef<(() => void)[]>([])
  const deletions = useRef(new Set<Deletion>())
  const remember = (undo: () => void): void => {
    undos.current = [...undos.current, undo].slice(-undoMax)
  }
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    setSaving((count) => count + 1)
    try {
      return await work()
    } finally {
      setSaving((count) => count - 1)
    }
  }
  const replace = (rows: readonly StoredRow[]): void => {
    const byId = new Map(rows.map((row) => [row.id, row]))
    change((all) => all.map((row) => byId.get(row.id) ?? row))
  }

  const write = async (edits: readonly RowEdit[]): Promise<void> => {
    replace(edits.map(({ row, changes }) => changedRow(row, changes)))
    const refused: StoredRow[] = []
    let failure: unknown
    const queue = [...edits]
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { row, changes } = next
        try {
          await counted(() => call(client, 'datasets.change', { slug, id: row.id, ...changeInput(changes) }))
        } catch (error) {
          refused.push(row)
          failure = error
        }
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
    if (refused.length === 0) return
    replace(refused)
    toasts.fail(failure)
  }

  const edit = async (edits: readonly RowEdit[]): Promise<void> => {
    const back = edits.map(({ row, changes }) => ({
      row: changedRow(row, changes),
      changes: inverseOf(row, changes),
    }))
    remember(() => void write(back))
    await write(edits)
  }

  const append = async (rows: readonly NewRow[]): Promise<readonly StoredRow[]> => {
    const added: StoredRow[] = []
    try {
      for (let from = 0; from < rows.length; from += rowsPerRequest) {
        const part = rows.slice(from, from + rowsPerRequest)
        const { ids } = await counted(() => call(client, 'datasets.append', { slug, rows: part }))
        const createdAt = new Date().toISOString()
        added.push(...part.map((row, index) => asStored(row, ids[index] ?? '', createdAt)))
      }
    } catch (error) {
      toasts.fail(error)
    }
    add(added)
    void refresh(queries, ['datasets.list'])
    if (added.length > 0) remember(() => discard(added))
    return added
  }

  const send = async (deletion: Deletion): Promise<void> => {
    deletions.current.delete(deletion)
    clearTimeout(deletion.timer)
    const ids = deletion.rows.map(({ id }) => id)
    const gone = new Set(ids)
    try {
      for (let from = 0; from < ids.length; from += rowsPerRequest)
        await call(client, 'datasets.discard', { slug, ids: ids.slice(from, from + rowsPerRequest) })
      // They were read again where the columns changed meanwhile.
      change((all) => all.filter(({ id }) => !gone.has(id)))
      await refresh(queries, ['datasets.list'])
    } catch (error) {
      change((now) => restored(now, deletion.rows, deletion.before))
      toasts.fail(error)
    }
  }
  const latestSend = useRef(send)
  latestSend.current = send

  const discard = (gone: readonly StoredRow[]): void => {
    const ids = new Set(gone.map(({ id }) => id))
    let before: readonly StoredRow[] = []
    change((all) => {
      before = all
      return all.filter(({ id }) => !ids.has(id))
    })
    const deletion: Deletion = {
      rows: gone,
      before,
      timer: setTimeout(() => void latestSend.current(deletion), undoMs),
    }
    deletions.current.add(deletion)
    const undo = (): void => {
      if (!deletions.current.delete(deletion)) {
        void append(gone.map(asNew))
        return
      }
      clearTimeout(deletion.timer)
      change((now) => restored(now, gone, before))
    }
    remember(undo)
    toasts.done(gone.length === 1 ? 'Deleted a row' : `Deleted ${gone.length} rows`, { undo })
  }

  // Leaving confirms the deletion: it is written before the page unloads.
  useEffect(() => {
    const flush = (): void => {
      for (const deletion of deletions.current) void latestSend.current(deletion)
    }
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  const undo = (): void => undos.current.pop()?.()
  return { saving, canUndo: undos.current.length > 0, edit, append, discard, undo }
}

/** The rows that are there now with those that come back, each at its place. */
function restored(
  now: readonly StoredRow[],
  back: readonly StoredRow[],
  before: readonly StoredRow[],
): readonly StoredRow[] {
  const known = new Map([...back, ...now].map((row) => [row.id, row]))
  const old = before.flatMap(({ id }) => known.get(id) ?? [])
  const oldIds = new Set(before.map(({ id }) => id))
  return [...old, ...now.filter(({ id }) => !oldIds.has(id))]
}

const asNew = ({ values, name, idealOutput, metadata }: StoredRow): NewRow => ({
  values,
  ...(name !== undefined && { name }),
  ...(idealOutput !== undefined && { idealOutput }),
  ...(metadata !== undefined && { metadata }),
})

const asStored = (
  { values, name, idealOutput, metadata }: NewRow,
  id: string,
  createdAt: string,
): StoredRow => ({
  id,
  createdAt,
  values,
  ...(name != null && { name }),
  ...(idealOutput != null && { idealOutput }),
  ...(metadata != null && { metadata }),
})
