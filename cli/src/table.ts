/** Formats rows as aligned columns under their titles. */
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

/** Removes control characters, which could break the row or manipulate the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what this removes.
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
