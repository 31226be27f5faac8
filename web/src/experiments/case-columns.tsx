import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { Output } from '../app/api.ts'
import { classNames } from '../ui/class-names.ts'
import type { Column } from '../ui/table/columns.ts'
import { DiffView } from '../ui/text/diff-view.tsx'
import { Deltas } from './deltas.tsx'
import { readableText } from './measures.ts'
import { describeRegression } from './regressions.ts'

export type Comparison = Output<'experiments.compare'>
export type ComparedCase = Comparison['cases'][number]
type Cell = ComparedCase['cells'][number]

/** The length of text compared in a row; the panel compares all of it. */
const shownMax = 600

/**
 * The input, then the output of each experiment, the baseline first. On a narrow screen the baseline appears only in
 * the changes from it, and in full in the panel.
 */
export function caseColumns(comparison: Comparison, isNarrow: boolean): readonly Column<ComparedCase>[] {
  const { experiments, baselineId, measures } = comparison
  const lower = new Set(measures.filter((measure) => measure.lowerIsBetter).map(({ name }) => name))
  const ordered = [
    ...experiments.filter(({ id }) => id === baselineId && !isNarrow),
    ...experiments.filter(({ id }) => id !== baselineId),
  ]
  return [
    {
      id: 'input',
      header: 'Input',
      // As wide as the first column of the summary above, so that their columns align.
      width: isNarrow ? 128 : 240,
      cell: (entry) => {
        const { input, idealOutput, isRegression } = entry
        const regression = isRegression ? describeRegression(entry, comparison, lower) : undefined
        return (
          <div className="flex flex-col gap-1 py-2 text-sm whitespace-normal">
            <p className="line-clamp-3 break-words" dir="auto">
              {isRegression && (
                <TriangleAlert
                  aria-label="Regression"
                  size={14}
                  className="mr-1 inline-block -translate-y-px text-bad"
                />
              )}
              {readableText(input).slice(0, shownMax) || <span className="text-ink-3">No input</span>}
            </p>
            {regression !== undefined && (
              <p title={regression} className="truncate text-xs text-bad">
                {regression}
              </p>
            )}
            {idealOutput !== null && !isNarrow && (
              <p className="line-clamp-2 text-xs break-words text-ink-3" dir="auto">
                Ideal: {readableText(idealOutput).slice(0, shownMax)}
              </p>
            )}
          </div>
        )
      },
    },
    ...ordered.map(({ id, name }) => ({
      id,
      header: id === baselineId ? `${name} (baseline)` : name,
      width: isNarrow ? 240 : 300,
      grow: 1,
      cell: ({ cells }: ComparedCase) => {
        const cell = cells.find(({ experimentId }) => experimentId === id)
        const baseline = cells.find(({ experimentId }) => experimentId === baselineId)
        if (cell === undefined || cell.traceIds.length === 0)
          return <span className="block py-2 text-sm text-ink-3">Did not run</span>
        return (
          <div className="flex flex-col gap-1 overflow-hidden py-2 whitespace-normal">
            <div
              className={classNames('text-sm break-words', hasRoom(cell) ? 'line-clamp-3' : 'line-clamp-2')}
              dir="auto"
            >
              <OutputText cell={cell} baseline={id === baselineId ? undefined : baseline} />
            </div>
            <Deltas {...cell} lowerIsBetter={(measure) => lower.has(measure)} />
          </div>
        )
      },
    })),
  ]
}

/** Rows have a fixed height: if the measures take three lines, the text gets two. */
const hasRoom = ({ values, categories, errors }: Cell): boolean =>
  Object.keys(values).length + Object.keys(categories).length + Math.min(errors, 1) <= 4

function OutputText({ cell, baseline }: { readonly cell: Cell; readonly baseline: Cell | undefined }) {
  const text = useMemo(() => readableText(cell.output).slice(0, shownMax), [cell.output])
  const before = useMemo(() => readableText(baseline?.output ?? null).slice(0, shownMax), [baseline?.output])
  if (cell.output === null) return <span className="text-ink-3">No output</span>
  if (baseline === undefined || baseline.output === null) return text
  if (text === before) return <span className="text-ink-3">Same as baseline</span>
  return <DiffView unit="words" before={before} after={text} label="Changes from the baseline" />
}
