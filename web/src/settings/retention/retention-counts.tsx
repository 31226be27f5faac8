import { exactNumber } from '../../ui/text/format.ts'

const kinds = [
  { name: 'traces', label: 'Traces' },
  { name: 'ledgerSamples', label: 'Samples' },
  { name: 'files', label: 'Files' },
  { name: 'evaluations', label: 'Evaluations' },
  { name: 'idempotentRequests', label: 'Requests' },
] as const

type Counts = Readonly<Record<(typeof kinds)[number]['name'], number>>

interface RetentionCountsProps {
  readonly preview: Counts & {
    readonly ages: readonly (Counts & { readonly olderThanDays: number })[]
  }
}

/** The records that the rules would delete, and counts by age. */
export function RetentionCounts({ preview }: RetentionCountsProps) {
  const deletedTotal = kinds.reduce((sum, { name }) => sum + preview[name], 0)
  return (
    <div className="flex flex-col gap-3">
      <p>
        {deletedTotal === 0
          ? 'Nothing has expired under these rules yet.'
          : 'The records in the first row have expired under these rules and are deleted by the next morning. This cannot be undone.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls is scrolled by keys too. */}
      <section className="overflow-x-auto" aria-label="Counts by age" tabIndex={0}>
        <table className="w-full text-right text-xs tabular-nums">
          <thead className="text-ink-3">
            <tr>
              <th scope="col" className="py-1 text-left font-medium">
                Older than
              </th>
              {kinds.map(({ name, label }) => (
                <th key={name} scope="col" className="py-1 pl-1.5 font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className="border-y border-line font-medium">
              <th scope="row" className="py-1 text-left whitespace-nowrap">
                Expired
              </th>
              {kinds.map(({ name }) => (
                <td key={name} className="py-1 pl-1.5">
                  {exactNumber(preview[name])}
                </td>
              ))}
            </tr>
            {preview.ages.map(({ olderThanDays, ...counts }) => (
              <tr key={olderThanDays}>
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap text-ink-2">
                  {olderThanDays} {olderThanDays === 1 ? 'day' : 'days'}
                </th>
                {kinds.map(({ name }) => (
                  <td key={name} className="py-1 pl-1.5">
                    {exactNumber(counts[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
