/** The words that a filter searches for, to highlight them. Pure. */
import { isClause, readParts } from './filter-text.ts'

export const searchWords = (text: string): readonly string[] =>
  readParts(text).flatMap(({ result }) =>
    isClause(result) && result.type === 'words'
      ? result.text.split(/[\s*"]+/).filter((word) => word !== '')
      : [],
  )
