import { invalid, ServiceError } from '@plumbline/contract'
import type { Workspace } from '../../workspace/workspace.ts'

/** Throws for an unknown evaluator, and for one that is not `human`. */
export async function checkEvaluators(slugs: readonly string[], { evaluators }: Workspace): Promise<void> {
  const evaluatorsBySlug = new Map(
    (await evaluators.findMany(slugs)).map((evaluator) => [evaluator.slug, evaluator]),
  )
  slugs.forEach((slug, index) => {
    const kind = evaluatorsBySlug.get(slug)?.kind
    if (kind === undefined) throw new ServiceError('evaluator_not_found', { slug })
    if (kind !== 'human')
      throw invalid(
        `evaluatorSlugs[${index}]`,
        `must be a "human" evaluator; "${slug}" is a "${kind}" evaluator`,
      )
  })
}
