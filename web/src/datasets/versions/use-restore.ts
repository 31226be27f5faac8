import { useChange } from '../../app/api.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'

/** Restores a version; an undo restores the previous state. */
export function useRestore(slug: string, onDone: () => void): (version: number) => void {
  const toasts = useToasts()
  const restore = useChange('datasetVersions.restore', {
    refreshes: ['datasets.list', 'datasets.facets', 'datasetVersions.list'],
    onDone: ({ savedVersion }, { version }) => {
      onDone()
      toasts.done(`Restored version ${version}`, {
        description: `The previous state is saved as version ${savedVersion}.`,
        undo: () => restore.mutate({ slug, version: savedVersion }),
      })
    },
  })
  return (version) => restore.mutate({ slug, version })
}
