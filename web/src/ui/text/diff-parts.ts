/** Two texts compared, in lines with the changed words marked. Pure. */
import { diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly text: string
  readonly change: 'same' | 'added' | 'removed'
}

export interface DiffLine {
  readonly change: DiffPart['change']
  /** Line numbers in the old and the new text; absent if the line is not in it. */
  readonly before?: number
  readonly after?: number
  readonly parts: readonly DiffPart[]
}

/** Beyond this size, comparing words takes too long to be worthwhile. */
const wordsMax = 20_000

/** What changed between two texts, as running text with the words marked. */
export const wordDiff = (oldText: string, newText: string): readonly DiffPart[] =>
  oldText.length + newText.length > wordsMax
    ? lineParts(oldText, newText)
    : diffWordsWithSpace(oldText, newText).map(toPart)

const lineParts = (oldText: string, newText: string): readonly DiffPart[] =>
  diffLines(oldText, newText, { ignoreNewlineAtEof: true }).map(toPart)

const toPart = ({
  value,
  added,
  removed,
}: {
  value: string
  added?: boolean
  removed?: boolean
}): DiffPart => ({
  text: value,
  change: added ? 'added' : removed ? 'removed' : 'same',
})

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n')

/** Both texts line by line: a line that replaced another has its words marked. */
export function lineDiff(oldText: string, newText: string): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let old = 1
  let newLine = 1
  const parts = lineParts(oldText, newText)
  for (const [index, { text, change }] of parts.entries()) {
    const next = parts[index + 1]
    const previous = parts[index - 1]
    const texts = linesOf(text)
    // Removed lines followed by added ones are paired as changed lines.
    const partners =
      change === 'removed' && next?.change === 'added'
        ? linesOf(next.text)
        : change === 'added' && previous?.change === 'removed'
          ? linesOf(previous.text)
          : []
    for (const [row, line] of texts.entries()) {
      const partner = partners[row]
      const marked =
        partner === undefined
          ? [{ text: line, change }]
          : (change === 'removed' ? wordDiff(line, partner) : wordDiff(partner, line)).filter(
              (part) => part.change === 'same' || part.change === change,
            )
      lines.push({
        change,
        ...(change !== 'added' && { before: old++ }),
        ...(change !== 'removed' && { after: newLine++ }),
        parts: marked,
      })
    }
  }
  return lines
}

/** Runs of unchanged lines beyond the context are collapsed to their count. */
export type FoldedLine = DiffLine | { readonly change: 'folded'; readonly lines: readonly DiffLine[] }

export function foldSame(lines: readonly DiffLine[], context = 3): readonly FoldedLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ change }) => change !== 'same'),
  )
  const folded: FoldedLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = folded.at(-1)
    if (isNear[index]) folded.push(line)
    else if (last?.change === 'folded')
      folded[folded.length - 1] = { change: 'folded', lines: [...last.lines, line] }
    else folded.push({ change: 'folded', lines: [line] })
  }
  return folded
}
