/** Rows as aligned columns under their titles, for people. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((row) => row.map(oneLine))
  const widths = titles.map((_title, column) =>
    lines.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  )
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Control characters would break the row, or play with the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is taken out.
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
