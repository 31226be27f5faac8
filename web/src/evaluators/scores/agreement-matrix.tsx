import type { JudgeAgreement } from '@plumbline/sdk'
import { classNames } from '../../ui/class-names.ts'
import { exactNumber } from '../../ui/text/format.ts'
import { labelOf } from './trends.ts'

interface AgreementMatrixProps {
  readonly agreement: JudgeAgreement
  /** The open cell: the evaluator's value and the people's, as JSON. */
  readonly cell: string | undefined
  readonly onCell: (cell: string | undefined) => void
}

/** Counts of evaluator scores by human scores; each cell links to its traces. */
export function AgreementMatrix({ agreement: { categories, matrix }, cell, onCell }: AgreementMatrixProps) {
  const most = Math.max(1, ...matrix.flat())
  return (
    <div className="overflow-x-auto">
      <p className="mb-1 text-xs text-ink-2">
        Rows: the evaluator’s score. Columns: people’s scores. Select a number to see the traces.
      </p>
      <table className="border-separate border-spacing-1 text-sm">
        <caption className="sr-only">Evaluator scores by human scores</caption>
        <thead>
          <tr>
            <td />
            {categories.map((people) => (
              <th
                key={String(people)}
                scope="col"
                className="max-w-32 truncate px-2 py-1 text-xs font-medium text-ink-2"
                title={labelOf(people)}
              >
                {labelOf(people)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((judge, row) => (
            <tr key={String(judge)}>
              <th
                scope="row"
                className="max-w-40 truncate pr-2 text-right text-xs font-medium text-ink-2"
                title={labelOf(judge)}
              >
                {labelOf(judge)}
              </th>
              {categories.map((people, column) => {
                const count = matrix[row]?.[column] ?? 0
                const place = `${JSON.stringify(judge)} against ${JSON.stringify(people)}`
                return (
                  <td key={String(people)} className="relative h-10 min-w-16 p-0">
                    <span
                      aria-hidden
                      className={classNames(
                        'absolute inset-0 rounded-sm',
                        row === column ? 'bg-good' : 'bg-bad',
                      )}
                      style={{ opacity: count === 0 ? 0.04 : 0.08 + (0.22 * count) / most }}
                    />
                    <button
                      type="button"
                      disabled={count === 0}
                      aria-pressed={cell === place}
                      aria-label={`Evaluator ${labelOf(judge)}, people ${labelOf(people)}: ${count}`}
                      onClick={() => onCell(cell === place ? undefined : place)}
                      className={classNames(
                        'numbers relative h-full w-full rounded-sm border font-medium disabled:text-ink-3',
                        cell === place
                          ? 'border-accent'
                          : 'border-transparent enabled:hover:border-line-strong',
                      )}
                    >
                      {exactNumber(count)}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
