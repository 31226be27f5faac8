/** The words that a filter searches texts for, to mark them. Pure. */
import { isClause, readParts } from './filter-text.ts'

export const searchWords = (text: string): readonly string[] =>
  readParts(text).flatMap(({ parsed }) =>
    isClause(parsed) && parsed.type === 'words'
      ? parsed.text.split(/[\s*"]+/).filter((word) => word !== '')
      : [],
  )
