/** Recomputes the costs of recorded traces with another price list: first a comparison, then the change. */
import { useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { readDay } from '../../app/range/range.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { CostDifferences } from './cost-differences.tsx'

interface RecomputeDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function RecomputeDialog({ isOpen, onClose }: RecomputeDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Recompute costs"
      description="Compares the costs of recorded traces with those of a price list. Costs that clients reported do not change."
    >
      <Recompute onClose={onClose} />
    </Dialog>
  )
}

const refreshMs = 1000
const dayMs = 86_400_000
const dayRule = 'Use the format 2026-11-23.'
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function Recompute({ onClose }: Pick<RecomputeDialogProps, 'onClose'>) {
  const [from, setFrom] = useState(() => dayOf(Date.now() - 30 * dayMs))
  const [to, setTo] = useState(() => dayOf(Date.now() + dayMs))
  const [start, end] = [readDay(from), readDay(to)]
  const [listVersion, setListVersion] = useState<string>()
  const lists = useRead('prices.lists', {}).data?.priceLists ?? []
  const version = listVersion ?? lists.find(({ isInUse }) => isInUse)?.version
  const comparison = useChange('recomputations.create', { showsErrors: true })
  const application = useChange('recomputations.apply', { showsErrors: true })
  const id = comparison.data?.recomputation.id
  const { data } = useRead('recomputations.get', { id: id ?? '' }, { enabled: id !== undefined, refreshMs })
  const recomputation = data?.recomputation
  const isBusy =
    comparison.isPending ||
    (id !== undefined && !['compared', 'applied'].includes(recomputation?.status ?? ''))
  const canApply = recomputation?.status === 'compared' && recomputation.differences.length > 0
  return (
    <>
      <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
        {/* Text fields, because the browser's date fields follow another country's date format. */}
        <Field label="From (UTC)" problem={start === undefined ? dayRule : undefined}>
          <Input value={from} onChange={(event) => setFrom(event.currentTarget.value)} className="numbers" />
        </Field>
        <Field label="To (exclusive)" problem={problemOfEnd(start, end)}>
          <Input value={to} onChange={(event) => setTo(event.currentTarget.value)} className="numbers" />
        </Field>
        <Field label="Price list">
          <Select
            choices={lists.map((list) => ({
              value: list.version,
              label: list.isInUse ? `${list.version}, in use` : list.version,
            }))}
            value={version}
            onChange={setListVersion}
            className="w-full"
          />
        </Field>
      </div>
      <div aria-live="polite" className="mt-4">
        {isBusy && (
          <p className="text-sm text-ink-2">
            {recomputation?.status === 'applying' ? 'Storing …' : 'Comparing …'}
          </p>
        )}
        {!isBusy && recomputation !== undefined && <CostDifferences recomputation={recomputation} />}
        {comparison.error !== null && <p className="text-sm text-bad">{comparison.error.message}</p>}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          disabled={isBusy || version === undefined || !start || !end || start >= end}
          onClick={() =>
            start &&
            end &&
            comparison.mutate({
              from: start.toISOString(),
              to: end.toISOString(),
              ...(version === undefined ? {} : { listVersion: version }),
            })
          }
        >
          Compare
        </Button>
        <Button
          look="primary"
          disabled={!canApply || isBusy}
          onClick={() => id !== undefined && application.mutate({ id })}
        >
          Store the new costs
        </Button>
      </DialogActions>
    </>
  )
}

function problemOfEnd(start: Date | undefined, end: Date | undefined): string | undefined {
  if (end === undefined) return dayRule
  return start !== undefined && start >= end ? 'It must be after the start.' : undefined
}
