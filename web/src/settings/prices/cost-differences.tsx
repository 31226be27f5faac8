import type { Recomputation } from '@plumbline/sdk'
import { exactNumber, nothing } from '../../ui/text/format.ts'
import { Money } from '../../ui/text/values.tsx'

interface CostDifferencesProps {
  readonly recomputation: Recomputation
}

/** The costs of generations by feature and model, before and after. */
export function CostDifferences({ recomputation }: CostDifferencesProps) {
  const { differences, traces, status, listVersion } = recomputation
  if (differences.length === 0)
    return (
      <p className="text-sm text-ink-2">
        {exactNumber(traces)} traces compared: no cost differs from the list {listVersion}.
      </p>
    )
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-2">
        {status === 'applied'
          ? 'The new costs are stored. Each generation keeps its previous cost.'
          : `${exactNumber(traces)} traces compared. Nothing is changed yet.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls is scrolled by keys too. */}
      <section className="max-h-72 overflow-auto" aria-label="Differences" tabIndex={0}>
        <table className="w-full text-right text-xs tabular-nums">
          <thead className="text-ink-3">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                Model
              </th>
              <th scope="col" className="py-1 pl-3 text-left font-medium">
                Feature
              </th>
              <th scope="col" className="py-1 pl-3 font-medium">
                Generations
              </th>
              <th scope="col" className="py-1 pl-3 font-medium">
                Before
              </th>
              <th scope="col" className="py-1 pl-3 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map((each) => (
              <tr
                key={JSON.stringify([each.featureSlug, each.provider, each.model])}
                className="border-t border-line"
              >
                <th scope="row" className="py-1 text-left font-mono font-normal break-all">
                  {each.model}
                  <span className="block font-sans text-ink-3">{each.provider}</span>
                </th>
                <td className="py-1 pl-3 text-left">{each.featureSlug ?? nothing}</td>
                <td className="py-1 pl-3">{exactNumber(each.generations)}</td>
                <td className="py-1 pl-3">
                  <Money value={each.unpricedBefore === each.generations ? null : each.before} />
                </td>
                <td className="py-1 pl-3">
                  <Money value={each.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
