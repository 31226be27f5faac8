/** Rules on how alike a text is to what was wanted. */
import { invalid } from '@plumbline/contract'
import { comparedLength, similarityOf } from './edit-distance.ts'
import type { Config, Judge } from './judge.ts'
import { bleu, rougeL } from './overlap.ts'
import { nothing, readPlace, textOf, valueAt } from './place.ts'
import { readThreshold } from './read-config.ts'
import { wordsOf } from './words.ts'

/** What two texts have in common, from 0 to 1, and whether only their beginnings were compared. */
interface Likeness {
  readonly value: number
  readonly comparedBy?: string
}

const readLikeness =
  (likenessOf: (text: string, wanted: readonly string[]) => Likeness) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const threshold = readThreshold(config)
    const given = config.value ?? undefined
    if (Array.isArray(given) && given.length === 0) throw invalid('config.value', 'must not be an empty list')
    return (subject) => {
      const value = valueAt(subject, place)
      const wanted = given ?? subject.idealOutput ?? undefined
      if (wanted === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
      if (value === undefined) return nothing(place)
      const texts = Array.isArray(given) ? given.map(textOf) : [textOf(wanted)]
      const { value: likeness, comparedBy } = likenessOf(textOf(value), texts)
      const comment = `${Math.round(likeness * 100)} % alike${comparedBy === undefined ? '' : `, by the first ${comparedBy}`}.`
      return { value: threshold === undefined ? likeness : likeness >= threshold, comment }
    }
  }

/** The best of several references counts. */
const best = (values: readonly number[]): number => values.reduce((most, of) => Math.max(most, of), 0)

export const readSimilarity = readLikeness((text, wanted) => ({
  value: best(wanted.map((of) => similarityOf(text, of))),
  ...([text, ...wanted].some((each) => each.length > comparedLength) && {
    comparedBy: `${comparedLength} characters`,
  }),
}))

/** The work grows with the product of the numbers of words. */
const comparedWords = 2000

const readOverlap = (overlapOf: (words: string[], references: string[][]) => number) =>
  readLikeness((text, wanted) => {
    const all = [text, ...wanted].map(wordsOf)
    const [words = [], ...references] = all.map((of) => of.slice(0, comparedWords))
    return {
      value: overlapOf(words, references),
      ...(all.some((of) => of.length > comparedWords) && { comparedBy: `${comparedWords} words` }),
    }
  })

export const readRougeL = readOverlap((words, references) => best(references.map((of) => rougeL(words, of))))
export const readBleu = readOverlap(bleu)
