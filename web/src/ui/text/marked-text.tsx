/** A text with search matches highlighted. */
import { Fragment } from 'react'
import { markParts } from './mark-parts.ts'

interface MarkedTextProps {
  readonly text: string
  readonly words: readonly string[]
}

export function MarkedText({ text, words }: MarkedTextProps) {
  if (words.length === 0) return text
  let position = 0
  return markParts(text, words).map(({ text: part, isMatch }) => {
    position += part.length
    return isMatch ? (
      <mark key={position} className="rounded-sm bg-warn-surface text-ink">
        {part}
      </mark>
    ) : (
      <Fragment key={position}>{part}</Fragment>
    )
  })
}
