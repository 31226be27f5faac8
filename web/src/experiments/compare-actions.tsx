/** The options and the export of a comparison. */
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { call, type Input, useClient } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { downloadText } from '../ui/files/download.ts'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Select } from '../ui/form/select.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import type { ComparedCase, Comparison } from './case-columns.tsx'
import { comparisonCsv } from './comparison-csv.ts'

interface CompareActionsProps {
  readonly comparison: Comparison
  readonly input: Input<'experiments.compare'>
  readonly isGateOpen: boolean
  readonly change: (change: {
    readonly baseline?: string
    readonly regressions?: true | undefined
    readonly gate?: true | undefined
  }) => void
}

export function CompareActions({ comparison, input, isGateOpen, change }: CompareActionsProps) {
  const { experiments, baselineId, caseCount, regressionCount } = comparison
  return (
    <>
      <LabelledCheckbox
        label={`Only regressions (${regressionCount.toLocaleString('en-US')} of ${caseCount.toLocaleString('en-US')})`}
        isChecked={input.only === 'regressions'}
        onChange={(isOn) => change({ regressions: isOn ? true : undefined })}
      />
      <Select
        label="Baseline"
        className="w-56 max-md:w-36"
        icon={<span className="text-ink-3">Baseline</span>}
        choices={experiments.map(({ id, name }) => ({ value: id, label: name }))}
        value={baselineId}
        onChange={(baseline) => change({ baseline })}
      />
      <Button
        icon={<ShieldCheck aria-hidden size={14} />}
        aria-pressed={isGateOpen}
        onClick={() => change({ gate: isGateOpen ? undefined : true })}
      >
        Gate
      </Button>
      <ExportButton input={input} />
    </>
  )
}

function ExportButton({ input }: Pick<CompareActionsProps, 'input'>) {
  const client = useClient()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  const write = async (): Promise<void> => {
    setBusy(true)
    try {
      const cases: ComparedCase[] = []
      let page = await call(client, 'experiments.compare', { ...input, limit: 500 })
      cases.push(...page.cases)
      while (page.nextCursor !== undefined) {
        page = await call(client, 'experiments.compare', { ...input, limit: 500, cursor: page.nextCursor })
        cases.push(...page.cases)
      }
      downloadText('comparison.csv', comparisonCsv({ ...page, cases }), 'text/csv')
    } catch (error) {
      toasts.fail(error)
    }
    setBusy(false)
  }
  return (
    <Button icon={<Download aria-hidden size={14} />} isBusy={isBusy} onClick={() => void write()}>
      <span className="max-md:sr-only">Export CSV</span>
    </Button>
  )
}
