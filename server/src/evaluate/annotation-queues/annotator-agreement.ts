/** Agreement between annotators who judged the same items with one evaluator. Pure. */
import type { Share } from '@plumbline/contract'
import type { Category } from '../../statistics/kappa.ts'
import { intervalDifference, krippendorffsAlpha, nominalDifference } from '../../statistics/krippendorff.ts'
import { kappaOf, type Rating, shareOf, shareOfItems } from '../../statistics/ratings.ts'

/** One annotator's score of an item. */
export interface ItemScore {
  readonly itemId: string
  readonly annotatorId: string
  readonly value: Category
}

export interface PairAgreement {
  readonly annotatorIds: readonly [string, string]
  readonly agreed: Share
  readonly kappa: number | null
}

export interface AnnotatorAgreement {
  /** Items with scores of two or more annotators. */
  readonly items: number
  readonly agreed: Share
  readonly kappa: number | null
  readonly alpha: number | null
  readonly pairs: PairAgreement[]
}

/** The agreement of each pair of annotators, and of all. */
export function annotatorAgreement(scores: readonly ItemScore[]): AnnotatorAgreement {
  const units = [...Map.groupBy(scores, ({ itemId }) => itemId).values()].filter((unit) => unit.length > 1)
  const isNumeric = scores.every(({ value }) => typeof value === 'number')
  const pairs = [...ratingsByPair(units).values()]
    .map((pair) => ({ ...pair, agreed: shareOf(pair.ratings), kappa: kappaOf(pair.ratings) ?? null }))
    .sort((first, second) => second.ratings.length - first.ratings.length)
  const alpha = krippendorffsAlpha(
    units.map((unit) => unit.map(({ value }) => value)),
    isNumeric ? intervalDifference : nominalDifference,
  )
  return {
    items: units.length,
    agreed: shareOfItems(units.map(pairUp)),
    kappa: meanKappa(pairs),
    alpha: alpha ?? null,
    pairs: pairs.map(({ annotatorIds, agreed, kappa }) => ({ annotatorIds, agreed, kappa })),
  }
}

const pairUp = (unit: readonly ItemScore[]): Rating[] =>
  unit.flatMap(({ value }, index) => unit.slice(index + 1).map((other): Rating => [value, other.value]))

function ratingsByPair(units: readonly (readonly ItemScore[])[]) {
  const pairs = new Map<string, { annotatorIds: [string, string]; ratings: Rating[] }>()
  for (const unit of units) {
    const sorted = unit.toSorted((first, second) => (first.annotatorId < second.annotatorId ? -1 : 1))
    sorted.forEach((first, index) => {
      for (const second of sorted.slice(index + 1)) {
        const key = JSON.stringify([first.annotatorId, second.annotatorId])
        const pair = pairs.get(key) ?? {
          annotatorIds: [first.annotatorId, second.annotatorId],
          ratings: [],
        }
        pair.ratings.push([first.value, second.value])
        pairs.set(key, pair)
      }
    })
  }
  return pairs
}

/** Weighted by the number of ratings; unknown kappas are ignored. */
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
