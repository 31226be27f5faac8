// biome-ignore-all lint/suspicious/noArrayIndexKey: Columns and repetitions have no name but their place.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
import type { StoredRow } from '@plumbline/sdk'
import { textOfValue } from '../prompts/edit/variable-values.ts'
import type { ReadingMode } from '../traces/messages/reading-mode.tsx'
import { Badge } from '../ui/badge.tsx'
import { Money } from '../ui/text/values.tsx'
import type { Column } from './column.ts'
import { type Run, sumOfRuns } from './run.ts'
import { RunOutput } from './run-output.tsx'

interface DatasetGridProps {
  readonly rows: readonly StoredRow[]
  readonly columns: readonly Column[]
  readonly nameOf: (column: Column) => string
  readonly runsOf: (columnAt: number, rowId: string) => readonly Run[]
  readonly mode: ReadingMode
}

/** Rows of a dataset beside the output of each column. */
export function DatasetGrid({ rows, columns, nameOf, runsOf, mode }: DatasetGridProps) {
  return (
    <section
      aria-label="Outputs by row"
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 z-1 bg-surface text-left text-xs text-ink-2">
          <tr>
            <th scope="col" className="w-64 min-w-48 border-b border-line px-4 py-2 font-medium">
              Row
            </th>
            {columns.map((column, index) => {
              const sum = sumOfRuns(rows.flatMap(({ id }) => runsOf(index, id)))
              return (
                <th
                  key={index}
                  scope="col"
                  className="min-w-72 border-b border-l border-line px-3 py-2 font-medium"
                >
                  <span className="flex items-center gap-2">
                    <span className="truncate">{nameOf(column)}</span>
                    {sum.count > 0 && (
                      <span className="ml-auto flex gap-2 font-normal text-ink-3">
                        {sum.done}/{sum.count}
                        {sum.failed > 0 && <Badge tone="bad">{sum.failed} failed</Badge>}
                        <Money value={sum.cost} />
                      </span>
                    )}
                  </span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.id} className="align-top">
              <th scope="row" className="border-b border-line px-4 py-3 text-left font-normal">
                <span className="block text-xs text-ink-3">{row.name ?? `Row ${index + 1}`}</span>
                <dl className="flex flex-col gap-1">
                  {Object.entries(row.values).map(([label, value]) => (
                    <div key={label} className="min-w-0">
                      <dt className="font-mono text-2xs text-ink-3">{label}</dt>
                      <dd dir="auto" className="line-clamp-4 break-words">
                        {textOfValue(value)}
                      </dd>
                    </div>
                  ))}
                </dl>
                {row.idealOutput !== undefined && (
                  <p dir="auto" className="mt-2 line-clamp-3 text-xs break-words text-ink-2">
                    <span className="text-ink-3">Ideal: </span>
                    {row.idealOutput}
                  </p>
                )}
              </th>
              {columns.map((_, columnIndex) => (
                <td key={columnIndex} className="border-b border-l border-line p-3">
                  <div className="flex flex-col gap-4">
                    {runsOf(columnIndex, row.id).map((run, repetition) => (
                      <RunOutput
                        key={repetition}
                        run={run}
                        mode={mode}
                        label={`column ${columnIndex + 1}, row ${index + 1}`}
                      />
                    ))}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
