/**
 * User-defined regular expressions, run by an engine that never backtracks. One search is linear, but one search per match
 * is not: `a.*b|a` reads the rest of the text for each `a`. So a text is searched in windows, and a match can be at most
 * half as long as a window.
 */
import { RE2JS } from 're2js'
import type { Hit } from '../../detectors/hit.ts'

/** Instructions of a compiled expression, which bound its cost per character of the text. */
const programSizeMax = 2000
const matchLengthMax = 4096
const windowLength = matchLengthMax * 2

export interface Pattern {
  readonly programSize: number
  readonly find: (text: string) => readonly Hit[]
}

/** Counts the searched characters, for the test that searching is linear. */
export const searched = { signs: 0 }

/** Throws an error with a sentence for text that is no expression, is too large, or matches the empty text. */
export function compilePattern(text: string): Pattern {
  let engine: RE2JS
  try {
    engine = RE2JS.compile(text)
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown'
    throw new Error(`is not a valid RE2 regular expression: ${problem}`, { cause: error })
  }
  const programSize = engine.programSize()
  if (programSize > programSizeMax)
    throw new Error(
      `is too large: it compiles to ${programSize} instructions, and ${programSizeMax} are allowed; use smaller repetitions`,
    )
  if (engine.matcher('').find()) throw new Error('must not match an empty text')
  return { programSize, find: (input) => findAll(engine, input) }
}

function findAll(engine: RE2JS, text: string): readonly Hit[] {
  const hits: Hit[] = []
  let from = 0
  while (from < text.length) {
    const isLast = from + windowLength >= text.length
    // One character of the preceding text, so that \b and ^ know their context.
    const lead = from === 0 ? 0 : 1
    const window = text.slice(from - lead, from + windowLength)
    const matcher = engine.matcher(window)
    let next = isLast ? text.length : from + matchLengthMax
    for (let position = lead; position < window.length; ) {
      searched.signs += window.length - position
      if (!matcher.find(position)) break
      const [start, end] = [matcher.start(), matcher.end()]
      if (end === start) {
        position = end + 1
        continue
      }
      const mayGoOn = !isLast && (end === window.length || start - lead >= matchLengthMax)
      if (mayGoOn && start > lead) {
        next = from - lead + start
        break
      }
      hits.push({ start: from - lead + start, end: from - lead + end })
      position = end
      next = Math.max(next, from - lead + end)
    }
    from = next
  }
  return hits
}
