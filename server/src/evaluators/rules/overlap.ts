/** How much of a text's words is in the texts it is compared with: the two measures that papers report. */

/** The words that two texts have in common in the same order, at most: their longest common subsequence. */
function commonInOrder(one: readonly string[], other: readonly string[]): number {
  let row = new Uint32Array(other.length + 1)
  let next = new Uint32Array(other.length + 1)
  for (const word of one) {
    for (let at = 1; at <= other.length; at++)
      next[at] = word === other[at - 1] ? row[at - 1]! + 1 : Math.max(row[at]!, next[at - 1]!)
    const kept = row
    row = next
    next = kept
  }
  return row[other.length]!
}

/** ROUGE-L of one text, precision and recall weighed alike (Lin, ROUGE: A Package for Automatic Evaluation, 2004). */
export function rougeL(words: readonly string[], reference: readonly string[]): number {
  const common = commonInOrder(words, reference)
  return common === 0 ? 0 : (2 * common) / (words.length + reference.length)
}

const orderMax = 4
/** In place of no match at all of some length, which would make the whole 0 (Chen and Cherry, 2014, method 1). */
const inPlaceOfNone = 0.1

/**
 * BLEU of one text (Papineni and others, BLEU: a Method for Automatic Evaluation of Machine Translation, 2002), by runs
 * of up to four words, or as many as there are.
 */
export function bleu(words: readonly string[], references: readonly (readonly string[])[]): number {
  const orders = Math.min(orderMax, words.length)
  if (orders === 0 || matches(words, references, 1) === 0) return 0
  let logs = 0
  for (let order = 1; order <= orders; order++)
    logs += Math.log((matches(words, references, order) || inPlaceOfNone) / (words.length - order + 1))
  return brevityPenalty(words.length, references) * Math.exp(logs / orders)
}

/** Runs of a length that a reference has too, each as often as the reference with the most of them has it. */
function matches(
  words: readonly string[],
  references: readonly (readonly string[])[],
  order: number,
): number {
  const counted = references.map((reference) => runsOf(reference, order))
  let sum = 0
  for (const [run, count] of runsOf(words, order))
    sum += Math.min(
      count,
      counted.reduce((most, runs) => Math.max(most, runs.get(run) ?? 0), 0),
    )
  return sum
}

function runsOf(words: readonly string[], order: number): Map<string, number> {
  const runs = new Map<string, number>()
  for (let at = 0; at + order <= words.length; at++) {
    const run = words.slice(at, at + order).join(' ')
    runs.set(run, (runs.get(run) ?? 0) + 1)
  }
  return runs
}

function brevityPenalty(length: number, references: readonly (readonly string[])[]): number {
  const lengths = references.map((reference) => reference.length)
  const far = (of: number): number => Math.abs(of - length)
  const closest = lengths.reduce((best, of) =>
    far(of) < far(best) || (far(of) === far(best) && of < best) ? of : best,
  )
  return length > closest ? 1 : Math.exp(1 - closest / length)
}
