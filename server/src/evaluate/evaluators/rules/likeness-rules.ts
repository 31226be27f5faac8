/** Rules on how similar a text is to the expected one. */
import { invalid } from '@plumbline/contract/errors'
import { comparedLength, similarityOf } from './edit-distance.ts'
import type { Config, Judge } from './judge.ts'
import { bleu, rougeL } from './overlap.ts'
import { nothingAt, readPlace, textOf, valueAt } from './place.ts'
import { readThreshold } from './read-config.ts'
import { wordsOf } from './words.ts'

/** The similarity of two texts, from 0 to 1, and whether only their beginnings were compared. */
interface Likeness {
  readonly value: number
  readonly comparedBy?: string
}

const readLikeness =
  (likenessOf: (text: string, reference: readonly string[]) => Likeness) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const threshold = readThreshold(config)
    const configured = config.value ?? undefined
    if (Array.isArray(configured) && configured.length === 0)
      throw invalid('config.value', 'must not be an empty list')
    return (subject) => {
      const value = valueAt(subject, place)
      const expected = configured ?? subject.idealOutput ?? undefined
      if (expected === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
      if (value === undefined) return nothingAt(place)
      const texts = Array.isArray(configured) ? configured.map(textOf) : [textOf(expected)]
      const { value: likeness, comparedBy } = likenessOf(textOf(value), texts)
      const comment = `${Math.round(likeness * 100)} % alike${comparedBy === undefined ? '' : `, by the first ${comparedBy}`}.`
      return { value: threshold === undefined ? likeness : likeness >= threshold, comment }
    }
  }

/** The most similar reference counts. */
const best = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0)

export const readSimilarity = readLikeness((text, idealTexts) => ({
  value: best(idealTexts.map((reference) => similarityOf(text, reference))),
  ...([text, ...idealTexts].some((each) => each.length > comparedLength) && {
    comparedBy: `${comparedLength} characters`,
  }),
}))

/** Bounded, since the work grows with the product of the word counts. */
const comparedWordsMax = 2000

const readOverlap = (overlapOf: (words: string[], references: string[][]) => number) =>
  readLikeness((text, reference) => {
    const all = [text, ...reference].map(wordsOf)
    const [words = [], ...references] = all.map((list) => list.slice(0, comparedWordsMax))
    return {
      value: overlapOf(words, references),
      ...(all.some((list) => list.length > comparedWordsMax) && { comparedBy: `${comparedWordsMax} words` }),
    }
  })

export const readRougeL = readOverlap((words, references) =>
  best(references.map((reference) => rougeL(words, reference))),
)
export const readBleu = readOverlap(bleu)
