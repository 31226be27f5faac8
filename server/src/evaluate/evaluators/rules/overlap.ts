/** Word overlap of a text with its references, by the two measures that papers report. */

/** The length of the longest common subsequence of words. */
function longestCommonSubsequence(first: readonly string[], second: readonly string[]): number {
  let row = new Uint32Array(second.length + 1)
  let next = new Uint32Array(second.length + 1)
  for (const word of first) {
    for (let index = 1; index <= second.length; index++)
      next[index] = word === second[index - 1] ? row[index - 1]! + 1 : Math.max(row[index]!, next[index - 1]!)
    const previous = row
    row = next
    next = previous
  }
  return row[second.length]!
}

/** ROUGE-L, with equal weights for precision and recall (Lin, ROUGE: A Package for Automatic Evaluation, 2004). */
export function rougeL(words: readonly string[], reference: readonly string[]): number {
  const common = longestCommonSubsequence(words, reference)
  return common === 0 ? 0 : (2 * common) / (words.length + reference.length)
}

const orderMax = 4
/** Smooths n-gram orders without a match, which would make the whole score 0 (Chen and Cherry, 2014, method 1). */
const smoothedCount = 0.1

/**
 * BLEU (Papineni and others, BLEU: a Method for Automatic Evaluation of Machine Translation, 2002), with n-grams of up to
 * four words, or as many as the text has.
 */
export function bleu(words: readonly string[], references: readonly (readonly string[])[]): number {
  const orders = Math.min(orderMax, words.length)
  if (orders === 0 || matches(words, references, 1) === 0) return 0
  let logs = 0
  for (let order = 1; order <= orders; order++)
    logs += Math.log((matches(words, references, order) || smoothedCount) / (words.length - order + 1))
  return brevityPenalty(words.length, references) * Math.exp(logs / orders)
}

/** Clipped n-gram matches: each n-gram counts at most as often as in the reference that has it most. */
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
  for (let start = 0; start + order <= words.length; start++) {
    const run = words.slice(start, start + order).join(' ')
    runs.set(run, (runs.get(run) ?? 0) + 1)
  }
  return runs
}

function brevityPenalty(length: number, references: readonly (readonly string[])[]): number {
  const lengths = references.map((reference) => reference.length)
  const distanceTo = (candidate: number): number => Math.abs(candidate - length)
  const closest = lengths.reduce((best, candidate) =>
    distanceTo(candidate) < distanceTo(best) ||
    (distanceTo(candidate) === distanceTo(best) && candidate < best)
      ? candidate
      : best,
  )
  return length > closest ? 1 : Math.exp(1 - closest / length)
}
