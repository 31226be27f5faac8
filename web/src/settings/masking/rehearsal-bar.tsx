/** Tries the rules on stored traces, and reports what they would have changed. */

import { type ReactNode, useState } from 'react'
import type { Output } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'

interface RehearsalBarProps {
  readonly rehearsal: Output<'masking.rehearse'> | undefined
  readonly isTrying: boolean
  readonly canTry: boolean
  readonly onTry: (traces: number) => void
  /** The buttons on the right: discard and save. */
  readonly children: ReactNode
}

const counts = ['10', '50', '200'].map((value) => ({ value, label: `${value} newest traces` }))

export function RehearsalBar({ rehearsal, isTrying, canTry, onTry, children }: RehearsalBarProps) {
  const [count, setCount] = useState('50')
  return (
    <div className="sticky bottom-0 mt-auto flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-3">
      <Button isBusy={isTrying} disabled={!canTry} onClick={() => onTry(Number(count))}>
        Try on
      </Button>
      <Select
        label="How many traces to try the rules on"
        choices={counts}
        value={count}
        onChange={setCount}
      />
      {rehearsal !== undefined && (
        <p role="status" className="text-sm">
          {rehearsal.traces === 0
            ? 'There are no stored traces to try the rules on.'
            : `The rules would have changed ${rehearsal.changed} of ${rehearsal.traces} traces. Nothing was changed.`}
        </p>
      )}
      {children}
    </div>
  )
}
