/** Markdown as one line of plain text, for rows. Pure. */

const marks: readonly (readonly [RegExp, string])[] = [
  // Fences and their language.
  [/(?:^|\n)\s*```\w*/g, ' '],
  [/!?\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, '$2'],
  [/`([^`]+)`/g, '$1'],
  [/(?:^|\n)\s*(?:#{1,6}|>|[-*])\s+(?=\S)/g, ' '],
  [/\s+/g, ' '],
]

export const plainMarkdown = (text: string): string =>
  marks.reduce((line, [mark, replacement]) => line.replace(mark, replacement), text).trim()
