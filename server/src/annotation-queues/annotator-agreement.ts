/** How much people agree who judged the same items by one evaluator, pure. */
import type { Share } from '@plumbline/contract'
import type { Category } from '../statistics/kappa.ts'
import { intervalDifference, krippendorffsAlpha, nominalDifference } from '../statistics/krippendorff.ts'
import { kappaOf, type Rating, shareOf } from '../statistics/ratings.ts'

/** What somebody said of an item. */
export interface ItemJudgement {
  readonly itemId: string
  readonly annotatorId: string
  readonly value: Category
}

export interface PairAgreement {
  readonly annotatorIds: readonly [string, string]
  readonly agreed: Share
  readonly kappa: number | null
}

export interface PeopleAgreement {
  /** Those that two or more have judged. */
  readonly items: number
  readonly agreed: Share
  readonly kappa: number | null
  readonly alpha: number | null
  readonly pairs: PairAgreement[]
}

/** Agreement of each two, and of all. */
export function annotatorAgreement(judgements: readonly ItemJudgement[]): PeopleAgreement {
  const units = [...Map.groupBy(judgements, ({ itemId }) => itemId).values()].filter((of) => of.length > 1)
  const isNumeric = judgements.every(({ value }) => typeof value === 'number')
  const pairs = [...ratingsByPair(units).values()]
    .map((pair) => ({ ...pair, agreed: shareOf(pair.ratings), kappa: kappaOf(pair.ratings) ?? null }))
    .sort((one, other) => other.ratings.length - one.ratings.length)
  const alpha = krippendorffsAlpha(
    units.map((unit) => unit.map(({ value }) => value)),
    isNumeric ? intervalDifference : nominalDifference,
  )
  return {
    items: units.length,
    agreed: shareOf(pairs.flatMap(({ ratings }) => ratings)),
    kappa: meanKappa(pairs),
    alpha: alpha ?? null,
    pairs: pairs.map(({ annotatorIds, agreed, kappa }) => ({ annotatorIds, agreed, kappa })),
  }
}

function ratingsByPair(units: readonly (readonly ItemJudgement[])[]) {
  const pairs = new Map<string, { annotatorIds: [string, string]; ratings: Rating[] }>()
  for (const unit of units) {
    const inOrder = unit.toSorted((one, other) => (one.annotatorId < other.annotatorId ? -1 : 1))
    inOrder.forEach((one, at) => {
      for (const other of inOrder.slice(at + 1)) {
        const key = JSON.stringify([one.annotatorId, other.annotatorId])
        const pair = pairs.get(key) ?? {
          annotatorIds: [one.annotatorId, other.annotatorId],
          ratings: [],
        }
        pair.ratings.push([one.value, other.value])
        pairs.set(key, pair)
      }
    })
  }
  return pairs
}

/** Weighted by what each is of; one that is unknown says nothing. */
function meanKappa(
  pairs: readonly { readonly ratings: readonly unknown[]; readonly kappa: number | null }[],
): number | null {
  let [sum, weight] = [0, 0]
  for (const { ratings, kappa } of pairs) {
    if (kappa === null) continue
    sum += kappa * ratings.length
    weight += ratings.length
  }
  return weight === 0 ? null : sum / weight
}
