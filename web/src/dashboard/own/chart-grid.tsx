/** The charts of a dashboard side by side, each with its actions for editors. */
import type { DashboardChart } from '@plumbline/sdk'
import type { ComponentProps } from 'react'
import type { useExplanation } from '../explain/use-explanation.tsx'
import { ChartActions } from './actions.tsx'
import { ChartView } from './chart-view.tsx'
import { metricsFilters } from './metrics-filters.ts'

type ChartViewProps = ComponentProps<typeof ChartView>

interface ChartGridProps
  extends Pick<ChartViewProps, 'stretch' | 'more' | 'onZoom' | 'onOpen' | 'tracesLink'> {
  readonly charts: readonly DashboardChart[]
  readonly explanation: ReturnType<typeof useExplanation>
  readonly mayChange: boolean
  readonly onEdit: (original: { readonly chart: DashboardChart; readonly index: number }) => void
  /** With a message if the change can be undone. */
  readonly onSave: (charts: readonly DashboardChart[], onDone?: string) => void
}

const widths = ['', '', 'md:col-span-2', 'md:col-span-2 xl:col-span-3'] as const

export function ChartGrid({ charts, explanation, mayChange, onEdit, onSave, more, ...view }: ChartGridProps) {
  const actionsOf = (chart: DashboardChart, index: number) => (
    <span className="flex shrink-0">
      {explanation.button({
        id: String(index),
        title: chart.title,
        measure: chart.measure,
        ...metricsFilters(chart, more),
      })}
      {mayChange && (
        <ChartActions
          title={chart.title}
          isFirst={index === 0}
          isLast={index === charts.length - 1}
          onEdit={() => onEdit({ chart, index })}
          onMove={(step) => onSave(moveChart(charts, index, step))}
          onCopy={() => onSave(charts.toSpliced(index, 0, chart))}
          onRemove={() => onSave(charts.toSpliced(index, 1), `Removed "${chart.title}"`)}
        />
      )}
    </span>
  )
  return (
    <ul aria-label="Charts" className="grid grid-cols-1 gap-3 p-4 md:grid-cols-2 xl:grid-cols-3">
      {charts.map((chart, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Two charts may be equal; their position identifies them.
        <li key={index} className={widths[chart.width] ?? ''}>
          <ChartView
            {...view}
            chart={chart}
            more={more}
            window={explanation.window}
            actions={actionsOf(chart, index)}
          />
        </li>
      ))}
    </ul>
  )
}

function moveChart(
  charts: readonly DashboardChart[],
  index: number,
  step: -1 | 1,
): readonly DashboardChart[] {
  const chart = charts[index]
  return chart === undefined ? charts : charts.toSpliced(index, 1).toSpliced(index + step, 0, chart)
}
