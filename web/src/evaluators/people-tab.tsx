/** The agreement of an evaluator with people: figures, a matrix with links to the traces, and the disagreements. */
import { Users } from 'lucide-react'
import { Figure, KappaValue, ShareValue } from '../annotation/share-value.tsx'
import { type Output, usePages } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { exactNumber, formatScore } from '../ui/text/format.ts'
import { Count } from '../ui/text/values.tsx'
import { evaluatorRoute } from './routes.ts'
import { AgreementMatrix } from './scores/agreement-matrix.tsx'
import { JudgedCases } from './scores/judged-cases.tsx'
import { labelOf } from './scores/trends.ts'

type Agreement = NonNullable<Output<'evaluators.agreement'>['agreement']>

export function PeopleTab() {
  const { slug } = evaluatorRoute.useParams()
  const { people, cell } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const { range } = useRange()
  const [judgeValue, humanValue] = cell === undefined ? [] : cell.split(' against ')
  const pages = usePages(
    'evaluators.agreement',
    {
      slug,
      ...rangeInput(range),
      ...(people !== undefined && { against: people }),
      ...(judgeValue !== undefined && humanValue !== undefined && { judgeValue, humanValue }),
    },
    'cases',
  )
  const answer = pages.data?.pages[0]
  if (pages.isError && answer === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  if (answer === undefined) return <SkeletonRows />
  const { agreement, against, candidates } = answer
  if (agreement === null || against === null)
    return (
      <EmptyState icon={<Users size={20} />} title="No human scores to compare with yet">
        Add traces it has scored to an annotation queue, score them yourself, or post user feedback. This tab
        then shows how far the evaluator agrees with people.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="flex flex-wrap items-end gap-x-10 gap-y-3">
        <Field label="Compare with">
          <Select
            label="Compare with"
            className="w-56"
            choices={candidates.map(({ name, count }) => ({
              value: name,
              label: name,
              hint: `${exactNumber(count)} shared`,
            }))}
            value={against}
            onChange={(next) =>
              void navigate({ search: (previous) => ({ ...previous, people: next, cell: undefined }) })
            }
          />
        </Field>
        <Figures agreement={agreement} />
      </div>
      {agreement.matrix.length > 0 && (
        <AgreementMatrix
          agreement={agreement}
          cell={cell}
          onCell={(next) =>
            void navigate({ search: (previous) => ({ ...previous, cell: next }), replace: true })
          }
        />
      )}
      {agreement.versions.length > 1 && <Versions versions={agreement.versions} />}
      <section aria-labelledby="judged-cases">
        <h2 id="judged-cases" className="text-base font-semibold">
          {judgeValue === undefined || humanValue === undefined
            ? 'Disagreements'
            : `Evaluator ${wordOf(judgeValue)}, people ${wordOf(humanValue)}`}
        </h2>
        <JudgedCases cases={pages.items} isOfCell={cell !== undefined} />
        {pages.hasNextPage && (
          <Button isBusy={pages.isFetchingNextPage} onClick={pages.loadMore} className="mt-3">
            Show more
          </Button>
        )}
      </section>
    </div>
  )
}

/** A value from the URL, which may be anything. */
function wordOf(json: string): string {
  try {
    return labelOf(JSON.parse(json) as boolean | number | string)
  } catch {
    return json
  }
}

function Figures({ agreement }: { readonly agreement: Agreement }) {
  const { agreed, undecided, kappa, meanDifference, pearson, spearman } = agreement
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      <Figure label="Scored by both">
        <Count value={agreed.count} />
        {undecided > 0 && (
          <span className="ml-1 text-xs font-normal text-ink-3">
            and {exactNumber(undecided)} without a majority
          </span>
        )}
      </Figure>
      <Figure label="Agreement">
        <ShareValue agreement={agreed} />
      </Figure>
      <Figure label="Cohen’s kappa">
        <KappaValue kappa={kappa} />
      </Figure>
      {meanDifference !== null && (
        <Figure label="Mean difference">
          <span className="numbers">{formatScore(meanDifference)}</span>
        </Figure>
      )}
      {pearson !== null && (
        <Figure label="Pearson">
          <span className="numbers">{formatScore(pearson)}</span>
        </Figure>
      )}
      {spearman !== null && (
        <Figure label="Spearman">
          <span className="numbers">{formatScore(spearman)}</span>
        </Figure>
      )}
    </dl>
  )
}

function Versions({ versions }: { readonly versions: Agreement['versions'] }) {
  return (
    <div className="overflow-x-auto">
      <table className="text-sm">
        <caption className="mb-1 text-left text-base font-semibold">By version</caption>
        <thead>
          <tr className="text-left text-xs text-ink-2">
            {['Version', 'Scored by both', 'Agreement', 'Kappa'].map((name) => (
              <th key={name} scope="col" className="py-1 pr-8 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, agreed, kappa }) => (
            <tr key={version} className="border-t border-line">
              <td className="py-1.5 pr-8 font-medium">{version === null ? 'unknown' : `v${version}`}</td>
              <td className="py-1.5 pr-8">
                <Count value={agreed.count} />
              </td>
              <td className="py-1.5 pr-8">
                <ShareValue agreement={agreed} />
              </td>
              <td className="py-1.5 pr-8">
                <KappaValue kappa={kappa} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
