/** What can be done with the traces that are chosen. */
import { Link } from '@tanstack/react-router'
import { Database, Gauge, GitCompareArrows, PenLine, Scale, Star, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SelectionFrame } from '../../ui/table/selection-frame.tsx'
import { chosenInput } from './export-address.ts'
import { ExportMenu } from './export-menu.tsx'

const AddToDatasetDialog = lazy(async () => ({
  default: (await import('../trace/add-to-dataset-dialog.tsx')).AddToDatasetDialog,
}))
const AddToQueueDialog = lazy(async () => ({
  default: (await import('../../annotation/add-to-queue-dialog.tsx')).AddToQueueDialog,
}))
const AttachDialog = lazy(async () => ({
  default: (await import('../../experiments/attach-dialog.tsx')).AttachDialog,
}))
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))
const JudgeDialog = lazy(async () => ({ default: (await import('../judge-dialog.tsx')).JudgeDialog }))
const ScoreDialog = lazy(async () => ({ default: (await import('./score-dialog.tsx')).ScoreDialog }))

/** The address of an export names them all, and the service takes so many. */
const exportedMax = 200

interface SelectionBarProps {
  readonly ids: ReadonlySet<string>
  readonly onClear: () => void
}

export function SelectionBar({ ids, onClear }: SelectionBarProps) {
  const { may } = useSession()
  const [openDialog, setOpenDialog] = useState<
    'dataset' | 'score' | 'judge' | 'people' | 'attach' | 'delete'
  >()
  const selectedIds = [...ids]
  const [a, b] = selectedIds
  const close = (): void => setOpenDialog(undefined)
  return (
    <SelectionFrame count={selectedIds.length} onClear={onClear}>
      {may('editor') && (
        <>
          <Button
            size="small"
            icon={<Database aria-hidden size={14} />}
            onClick={() => setOpenDialog('dataset')}
          >
            Add to dataset
          </Button>
          <Button size="small" icon={<Star aria-hidden size={14} />} onClick={() => setOpenDialog('score')}>
            Score
          </Button>
          <Button size="small" icon={<Gauge aria-hidden size={14} />} onClick={() => setOpenDialog('judge')}>
            Evaluate…
          </Button>
          <Button size="small" icon={<Scale aria-hidden size={14} />} onClick={() => setOpenDialog('attach')}>
            Attach to experiment
          </Button>
          <Button
            size="small"
            icon={<PenLine aria-hidden size={14} />}
            onClick={() => setOpenDialog('people')}
          >
            Annotate
          </Button>
          <Button
            size="small"
            icon={<Trash2 aria-hidden size={14} />}
            onClick={() => setOpenDialog('delete')}
          >
            Delete…
          </Button>
        </>
      )}
      {selectedIds.length <= exportedMax && (
        <ExportMenu
          isSmall
          label="Export selection"
          count={selectedIds.length}
          input={chosenInput(selectedIds)}
        />
      )}
      {selectedIds.length === 2 && (
        <Link to="/traces/diff" search={{ a, b }} className={buttonClass('plain', 'small')}>
          <GitCompareArrows aria-hidden size={14} />
          Compare
        </Link>
      )}
      <Suspense>
        {openDialog === 'dataset' && (
          <AddToDatasetDialog sources={selectedIds.map((traceId) => ({ traceId }))} onClose={close} />
        )}
        {openDialog === 'people' && (
          <AddToQueueDialog items={selectedIds.map((traceId) => ({ traceId }))} onClose={close} />
        )}
        {openDialog === 'judge' && (
          <JudgeDialog subjects={selectedIds.map((traceId) => ({ traceId }))} onClose={close} />
        )}
        {openDialog === 'attach' && <AttachDialog traceIds={selectedIds} onClose={close} />}
        {openDialog === 'delete' && (
          <DeleteDialog
            selection={{ ids: selectedIds }}
            title={`Delete ${selectedIds.length === 1 ? 'this trace' : `these ${selectedIds.length} traces`}?`}
            onClose={close}
            onDeleted={() => {
              close()
              onClear()
            }}
          />
        )}
        {openDialog === 'score' && <ScoreDialog traceIds={selectedIds} onClose={close} />}
      </Suspense>
    </SelectionFrame>
  )
}
