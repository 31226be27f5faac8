/** A preview of a paste: new rows, changed rows, and rejected cells. */
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import type { GridField } from './fields.ts'
import type { PastePlan } from './plan-paste.ts'
import { PreviewTable } from './preview-table.tsx'
import { ProblemList } from './problem-list.tsx'

interface PasteDialogProps {
  readonly plan: PastePlan | undefined
  readonly fields: readonly GridField[]
  readonly isBusy: boolean
  readonly onConfirm: (plan: PastePlan) => void
  readonly onClose: () => void
}

const rowsShown = 8
const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

export function PasteDialog({ plan, fields, isBusy, onConfirm, onClose }: PasteDialogProps) {
  if (plan === undefined) return null
  const { changes, newRows, problems, lostCount, problem } = plan
  const effects = [
    newRows.length > 0 && `adds ${plural(newRows.length, 'row')}`,
    changes.length > 0 && `changes ${plural(changes.length, 'row')}`,
  ].filter((part) => part !== false)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isWide
      title="Paste"
      description={effects.length > 0 ? `Pasting ${effects.join(' and ')}.` : 'None of this can be pasted.'}
    >
      <div className="flex flex-col gap-4">
        {newRows.length > 0 && (
          <PreviewTable label="New rows" fields={fields} rows={newRows.slice(0, rowsShown)} />
        )}
        {newRows.length > rowsShown && (
          <p className="text-xs text-ink-3">and {plural(newRows.length - rowsShown, 'more row')}</p>
        )}
        {lostCount > 0 && (
          <p className="text-sm text-warn">
            {plural(lostCount, 'column')} beyond the last grid column will be ignored.
          </p>
        )}
        <ProblemList
          title={`${plural(problems.length, 'cell')} cannot be pasted and will be skipped`}
          problems={problems.map(({ line, column, problem }) => ({
            row: line,
            text: `${column}: ${problem}`,
          }))}
        />
        {problem !== undefined && (
          <p role="alert" className="text-sm text-bad">
            Not added: {problem}
          </p>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={newRows.length + changes.length === 0}
          onClick={() => onConfirm(plan)}
        >
          Paste
        </Button>
      </DialogActions>
    </Dialog>
  )
}
