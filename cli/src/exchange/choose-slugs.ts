/** Other systems allow any names for prompts and datasets. Different names with the same slug must stay separate. */
import { hash } from 'node:crypto'
import { slugOf } from '@plumbline/sdk/import'

const digestLength = 8
/** Stands for a name without any characters that a slug can have. */
const emptySlug = slugOf('')

/** The slug with a digest of the name, as the service chooses it for Langfuse clients. */
const distinctSlug = (name: string, slug: string): string =>
  `${slug.slice(0, 128 - 1 - digestLength)}-${hash('sha256', name).slice(0, digestLength)}`

/**
 * A slug for each name: its own, or a distinct one if another name has it. `existingNames` are those in the service, by slug,
 * so that a repeated import finds what it created.
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
