/** How well the annotators of a queue agree, by evaluator, and where they disagree. */
import type { AnnotationQueue, AnnotatorAgreement } from '@plumbline/sdk'
import { Users } from 'lucide-react'
import { usePages, useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Count } from '../ui/text/values.tsx'
import { DisagreementList } from './disagreement-list.tsx'
import { Figure, KappaValue, ShareValue } from './share-value.tsx'

export function AgreementTab({ queue }: { readonly queue: AnnotationQueue }) {
  const pages = usePages('annotationQueues.agreement', { id: queue.id }, 'disagreements')
  const evaluators = useRead('evaluators.list', {}).data?.evaluators
  const first = pages.data?.pages[0]
  if (pages.isError && first === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  if (first === undefined) return <SkeletonRows />
  const nameOf = (slug: string): string =>
    evaluators?.find((evaluator) => evaluator.slug === slug)?.name ?? slug
  if (first.evaluators.every(({ items }) => items === 0))
    return (
      <EmptyState icon={<Users size={20} />} title="No overlapping annotations yet">
        {queue.annotatorsPerItem === 1
          ? 'Each item goes to one person. Set two or more per item in the settings to measure agreement.'
          : 'Agreement appears once two people have annotated the same items.'}
      </EmptyState>
    )
  return (
    <div className="flex flex-col">
      {first.evaluators.map((agreement) => (
        <EvaluatorAgreement
          key={agreement.evaluatorSlug}
          name={nameOf(agreement.evaluatorSlug)}
          agreement={agreement}
        />
      ))}
      <section aria-labelledby="disagreements" className="px-4 py-4">
        <h2 id="disagreements" className="text-base font-semibold">
          Disagreements
        </h2>
        <DisagreementList items={pages.items} nameOf={nameOf} />
        {pages.hasNextPage && (
          <Button isBusy={pages.isFetchingNextPage} onClick={pages.loadMore} className="mt-3">
            Show more
          </Button>
        )}
      </section>
    </div>
  )
}

interface EvaluatorAgreementProps {
  readonly name: string
  readonly agreement: AnnotatorAgreement
}

function EvaluatorAgreement({ name, agreement }: EvaluatorAgreementProps) {
  const { items, agreed, kappa, alpha, pairs } = agreement
  return (
    <section aria-label={name} className="border-b border-line px-4 py-4">
      <h2 dir="auto" className="text-base font-semibold">
        {name}
      </h2>
      <dl className="mt-2 flex flex-wrap gap-x-10 gap-y-3">
        <Figure label="Annotated by two or more">
          <Count value={items} />
        </Figure>
        <Figure label="Agreement" title="Share of annotation pairs with the same score">
          <ShareValue agreement={agreed} />
        </Figure>
        <Figure label="Cohen’s kappa" title="Mean over pairs, weighted by shared items">
          <KappaValue kappa={kappa} />
        </Figure>
        <Figure label="Krippendorff’s alpha" title="Across all annotations, for any number of people">
          <KappaValue kappa={alpha} />
        </Figure>
      </dl>
      {pairs.length > 0 && (
        <div className="mt-4 overflow-x-auto">
          <table className="text-sm max-md:[&_.numbers]:whitespace-normal">
            <caption className="sr-only">Pairwise agreement</caption>
            <thead>
              <tr className="text-left text-xs text-ink-2">
                <th scope="col" className="py-1 pr-6 max-md:pr-3 font-medium">
                  Pair
                </th>
                <th scope="col" className="py-1 pr-6 max-md:pr-3 text-right font-medium">
                  Shared items
                </th>
                <th scope="col" className="py-1 pr-6 max-md:pr-3 font-medium">
                  Agreement
                </th>
                <th scope="col" className="py-1 font-medium">
                  Kappa
                </th>
              </tr>
            </thead>
            <tbody>
              {pairs.map((pair) => (
                <tr key={pair.annotators.map(({ id }) => id).join()} className="border-t border-line">
                  <td className="max-w-80 truncate py-1.5 max-md:whitespace-normal pr-6 max-md:pr-3">
                    {pair.annotators.map(({ name, isYou }) => (isYou ? 'You' : name)).join(' and ')}
                  </td>
                  <td className="py-1.5 pr-6 max-md:pr-3 text-right">
                    <Count value={pair.agreed.count} />
                  </td>
                  <td className="py-1.5 pr-6 max-md:pr-3">
                    <ShareValue agreement={pair.agreed} />
                  </td>
                  <td className="py-1.5">
                    <KappaValue kappa={pair.kappa} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
