/** The actions on selected traces. */
import { Link } from '@tanstack/react-router'
import { Database, Gauge, GitCompareArrows, PenLine, Scale, Star, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SelectionFrame } from '../../ui/table/selection-frame.tsx'
import { chosenInput } from './export-address.ts'
import { ExportMenu } from './export-menu.tsx'
import type { MatchingTraces } from './matching-ids.tsx'
import { useTraceList } from './use-trace-list.ts'
import type { TraceQuery } from './use-trace-query.ts'

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
const WithMatchingIds = lazy(async () => ({ default: (await import('./matching-ids.tsx')).WithMatchingIds }))
const ScoreDialog = lazy(async () => ({ default: (await import('./score-dialog.tsx')).ScoreDialog }))

/** The maximum in an export URL, which lists all ids. */
const exportedMax = 200

interface SelectionBarProps {
  readonly query: TraceQuery
  /** The total number of listed traces, loaded or not; undefined until it is counted. */
  readonly count: number | undefined
  readonly ids: ReadonlySet<string>
  /** Whether all that match are selected, loaded or not. */
  readonly isAllSelected: boolean
  readonly onSelectAll: () => void
  readonly onClear: () => void
}

type DialogName = 'dataset' | 'score' | 'judge' | 'people' | 'attach' | 'delete'

export function SelectionBar({ query, count, ids, isAllSelected, onSelectAll, onClear }: SelectionBarProps) {
  const { may } = useSession()
  const list = useTraceList(query)
  const [openDialog, setOpenDialog] = useState<DialogName>()
  const selectedIds = [...ids]
  const [a, b] = selectedIds
  const matches = { filter: { ...query.filter, ...query.scope }, order: query.order, count }
  // A filter with invalid parts lists too many traces, so selecting all of them is not offered.
  const isOffered =
    isAllSelected || (query.isWhole && list.hasNextPage && list.items.every(({ id }) => ids.has(id)))
  return (
    <SelectionFrame
      count={selectedIds.length}
      all={isOffered ? { count, isChosen: isAllSelected, onChoose: onSelectAll } : undefined}
      onClear={onClear}
    >
      {may('editor') && <EditorButtons onOpen={setOpenDialog} />}
      {isAllSelected ? (
        <ExportMenu isSmall label="Export all that match" count={count} input={matches.filter} />
      ) : (
        selectedIds.length <= exportedMax && (
          <ExportMenu
            isSmall
            label="Export selection"
            count={selectedIds.length}
            input={chosenInput(selectedIds)}
          />
        )
      )}
      {selectedIds.length === 2 && !isAllSelected && (
        <Link to="/traces/diff" search={{ a, b }} className={buttonClass('plain', 'small')}>
          <GitCompareArrows aria-hidden size={14} />
          Compare
        </Link>
      )}
      <Suspense>
        {openDialog !== undefined && (
          <SelectionDialog
            name={openDialog}
            ids={selectedIds}
            matches={isAllSelected ? matches : undefined}
            onClose={() => setOpenDialog(undefined)}
            onClear={onClear}
          />
        )}
      </Suspense>
    </SelectionFrame>
  )
}

const EditorButtons = ({ onOpen }: { readonly onOpen: (dialog: DialogName) => void }) => (
  <>
    <Button size="small" icon={<Database aria-hidden size={14} />} onClick={() => onOpen('dataset')}>
      Add to dataset
    </Button>
    <Button size="small" icon={<Star aria-hidden size={14} />} onClick={() => onOpen('score')}>
      Score
    </Button>
    <Button size="small" icon={<Gauge aria-hidden size={14} />} onClick={() => onOpen('judge')}>
      Evaluate…
    </Button>
    <Button size="small" icon={<Scale aria-hidden size={14} />} onClick={() => onOpen('attach')}>
      Attach to experiment
    </Button>
    <Button size="small" icon={<PenLine aria-hidden size={14} />} onClick={() => onOpen('people')}>
      Annotate
    </Button>
    <Button size="small" icon={<Trash2 aria-hidden size={14} />} onClick={() => onOpen('delete')}>
      Delete…
    </Button>
  </>
)

interface SelectionDialogProps {
  readonly name: DialogName
  /** The actions on individually selected traces. */
  readonly ids: readonly string[]
  /** All matching traces instead. */
  readonly matches: MatchingTraces | undefined
  readonly onClose: () => void
  readonly onClear: () => void
}

/** Operations that support filters get the filter, and the others the ids of the matching traces. */
function SelectionDialog({ name, ids, matches, onClose, onClear }: SelectionDialogProps) {
  if (name === 'delete')
    return (
      <DeleteDialog
        selection={matches === undefined ? { ids: [...ids] } : { filter: matches.filter }}
        title={
          matches !== undefined
            ? 'Delete all traces that match?'
            : `Delete ${ids.length === 1 ? 'this trace' : `these ${ids.length} traces`}?`
        }
        onClose={onClose}
        onDeleted={() => {
          onClose()
          onClear()
        }}
      />
    )
  if (name === 'people')
    return (
      <AddToQueueDialog
        items={ids.map((traceId) => ({ traceId }))}
        filter={matches?.filter}
        onClose={onClose}
      />
    )
  const actOn = (traceIds: readonly string[]): ReactNode => {
    const subjects = traceIds.map((traceId) => ({ traceId }))
    switch (name) {
      case 'dataset':
        return <AddToDatasetDialog sources={subjects} onClose={onClose} />
      case 'judge':
        return <JudgeDialog subjects={subjects} onClose={onClose} />
      case 'attach':
        return <AttachDialog traceIds={traceIds} onClose={onClose} />
      case 'score':
        return <ScoreDialog traceIds={traceIds} onClose={onClose} />
    }
  }
  if (matches === undefined) return actOn(ids)
  return (
    <WithMatchingIds matches={matches} onClose={onClose}>
      {actOn}
    </WithMatchingIds>
  )
}
