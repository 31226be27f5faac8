import { useChange } from '../app/api.ts'
import { useToasts } from '../ui/overlay/toast.tsx'
import type { Column, Dataset } from './grid/row-types.ts'

/** Changes the columns of a dataset. A removed one can come back: its values are kept. */
export function useDatasetColumns({ slug, columns }: Dataset, onDone: () => void) {
  const toasts = useToasts()
  const update = useChange('datasets.update', { refreshes: ['datasets.list'], onDone })
  const change = (next: readonly Column[]): void => {
    const removedColumn = columns.find(({ name }) => !next.some((column) => column.name === name))
    const onSuccess = (): void => {
      if (removedColumn === undefined || next.length >= columns.length) return
      toasts.done(`Removed the column "${removedColumn.name}"`, {
        description: 'Its values are kept. Add a column with the same name to restore them.',
        undo: () => update.mutate({ slug, columns: [...columns] }),
      })
    }
    update.mutate({ slug, columns: [...next] }, { onSuccess })
  }
  const replace = useChange('datasets.update', {
    refreshes: ['datasets.list', 'datasetVersions.list'],
    onDone,
    showsErrors: true,
  })
  const replaceColumn = async (next: Column): Promise<void> => {
    const nextColumns = columns.map((column) => (column.name === next.name ? next : column))
    await replace.mutateAsync({ slug, columns: nextColumns })
  }
  return {
    change,
    replaceColumn,
    rename: (column: string, name: string) => update.mutate({ slug, renames: { [column]: name } }),
  }
}
