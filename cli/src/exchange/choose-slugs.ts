/** Other systems know prompts and datasets by any name, we by a slug: names that share one must not become one thing. */
import { hash } from 'node:crypto'
import { slugOf } from '@plumbline/sdk/import'

const digestLength = 8
/** What stands for a name of which a slug can keep nothing. */
const emptySlug = slugOf('')

/** The slug with a digest of the name, as the service chooses it for clients of Langfuse. */
const distinctSlug = (name: string, slug: string): string =>
  `${slug.slice(0, 128 - 1 - digestLength)}-${hash('sha256', name).slice(0, digestLength)}`

/**
 * A slug for each name: its own, or a distinct one where another name has it. `existingNames` are those in the service, by
 * slug, so that a repeated import finds what it made.
 */
export function chooseSlugs(
  slugs: ReadonlyMap<string, string>,
  existingNames: ReadonlyMap<string, string>,
): Map<string, string> {
  const rank = ([name, slug]: readonly [string, string]): number =>
    existingNames.get(slug) === name ? 0 : slug === name ? 1 : 2
  const ownSlugs = new Map<string, string>()
  const usedSlugs = new Set<string>()
  for (const [name, slug] of [...slugs].toSorted((a, other) => rank(a) - rank(other))) {
    const distinct = distinctSlug(name, slug)
    const isDistinct =
      existingNames.get(slug) !== name &&
      (usedSlugs.has(slug) || existingNames.has(distinct) || (slug === emptySlug && name !== slug))
    const ownSlug = isDistinct ? distinct : slug
    usedSlugs.add(ownSlug)
    ownSlugs.set(name, ownSlug)
  }
  return ownSlugs
}
