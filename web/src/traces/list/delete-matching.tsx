import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { TraceQuery } from './use-trace-query.ts'

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))

interface DeleteMatchingProps {
  readonly query: TraceQuery
  readonly onDeleted: () => void
}

/** Deletes all traces that match the filter; hidden without a filter. */
export function DeleteMatching({ query, onDeleted }: DeleteMatchingProps) {
  const { may } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  if (!may('editor') || query.text === '' || !query.isWhole) return null
  return (
    <>
      <IconButton label="Delete all that match" look="plain" onClick={() => setIsOpen(true)}>
        <Trash2 aria-hidden size={16} />
      </IconButton>
      <Suspense>
        {isOpen && (
          <DeleteDialog
            selection={{ filter: { ...query.filter, ...query.scope } }}
            title="Delete all traces that match?"
            onClose={() => setIsOpen(false)}
            onDeleted={() => {
              setIsOpen(false)
              onDeleted()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
