/** The subject of an explanation: the measure of a chart, and the interval dragged over a chart. */

import type { ChangeMeasure } from '@plumbline/sdk'
import { ChartSpline } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { late } from '../../ui/late.ts'
import { explainedMeasure } from '../own/measures.ts'

const ExplainPanel = late(async () => (await import('./explain-panel.tsx')).ExplainPanel)

interface Subject {
  /** The measure of the chart whose button was pressed. */
  readonly id: string
  readonly measure: ChangeMeasure
  readonly filters: string
  readonly text: string
}

export interface Explanation {
  /** The interval that charts highlight. */
  readonly window: { readonly from: Date; readonly to: Date } | undefined
  /** The button of a chart; undefined if its measure cannot be explained. */
  readonly button: (chart: {
    readonly id: string
    readonly title: string
    readonly measure: string
    readonly filters: string
    readonly text: string
  }) => ReactNode
  /** A drag over a chart: selects the interval to explain while the panel is open, otherwise the range. */
  readonly onDrag: (start: Date, end: Date) => void
  readonly panel: ReactNode
}

export function useExplanation(
  range: { readonly from: Date; readonly to: Date },
  onZoom: (start: Date, end: Date) => void,
): Explanation {
  const [subject, setSubject] = useState<Subject>()
  const [window, setWindow] = useState<{ readonly from: Date; readonly to: Date }>()
  const close = (): void => {
    setSubject(undefined)
    setWindow(undefined)
  }
  return {
    window: subject && window,
    onDrag: (start, end) =>
      subject === undefined ? onZoom(start, end) : setWindow({ from: start, to: end }),
    button: ({ id, title, measure, filters, text }) => {
      const explained = explainedMeasure(measure)
      if (explained === undefined) return null
      const isOpen = subject?.id === id
      return (
        <IconButton
          size="small"
          look="quiet"
          label={`Explain ${title}`}
          aria-pressed={isOpen}
          onClick={() => (isOpen ? close() : setSubject({ id, measure: explained, filters, text }))}
        >
          <ChartSpline aria-hidden size={14} />
        </IconButton>
      )
    },
    panel: subject && (
      <Suspense>
        <ExplainPanel
          measure={subject.measure}
          filters={subject.filters}
          text={subject.text}
          window={window ?? range}
          isChosen={window !== undefined}
          onClose={close}
        />
      </Suspense>
    ),
  }
}
