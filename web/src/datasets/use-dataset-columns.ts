import { call, useChange, useClient } from '../app/api.ts'
import { useToasts } from '../ui/overlay/toast.tsx'
import type { Column, Dataset } from './grid/row-types.ts'

/** Computes the new columns from the current ones. */
export type ColumnUpdate = (columns: readonly Column[]) => readonly Column[]

/** Changes the columns of a dataset. A removed column can be restored: its values are kept. */
export function useDatasetColumns({ slug }: Pick<Dataset, 'slug'>, onDone: () => void) {
  const client = useClient()
  const toasts = useToasts()
  const update = useChange('datasets.update', { refreshes: ['datasets.list'], onDone })
  const replace = useChange('datasets.update', {
    refreshes: ['datasets.list', 'datasetVersions.list'],
    onDone,
    showsErrors: true,
  })
  /**
   * All columns are sent, so they are read first: another user may have changed others since this screen was loaded.
   */
  const read = async (): Promise<readonly Column[]> => {
    const { datasets } = await call(client, 'datasets.list', {})
    return datasets.find((dataset) => dataset.slug === slug)?.columns ?? []
  }
  const send = async (change: ColumnUpdate): Promise<void> => {
    const columns = await read()
    const next = change(columns)
    const removedColumn = columns.find(({ name }) => !next.some((column) => column.name === name))
    const onSuccess = (): void => {
      if (removedColumn === undefined || next.length >= columns.length) return
      const position = columns.indexOf(removedColumn)
      toasts.done(`Removed the column "${removedColumn.name}"`, {
        description: 'Its values are kept. Add a column with the same name to restore them.',
        undo: () => void send((now) => now.toSpliced(position, 0, removedColumn)).catch(toasts.fail),
      })
    }
    update.mutate({ slug, columns: [...next] }, { onSuccess })
  }
  return {
    change: (change: ColumnUpdate): void => void send(change).catch(toasts.fail),
    replaceColumn: async (next: Column): Promise<void> => {
      const columns = await read()
      const nextColumns = columns.map((column) => (column.name === next.name ? next : column))
      await replace.mutateAsync({ slug, columns: nextColumns })
    },
    rename: (column: string, name: string) => update.mutate({ slug, renames: { [column]: name } }),
  }
}
