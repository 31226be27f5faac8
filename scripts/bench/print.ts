/** Figures as a table. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The target for the figure. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | undefined
}

export function print(figures: readonly Figure[]): void {
  for (const { name, value, unit, target } of figures) {
    const digits = value >= 100 ? value.toFixed(0) : value.toFixed(2)
    process.stdout.write(
      `${name.padEnd(46)}${digits.padStart(10)} ${unit.padEnd(11)}${targetText(value, target)}\n`,
    )
  }
}

function targetText(value: number, target: Figure['target']): string {
  if (target === undefined) return ''
  const [isMet, words] =
    'atLeast' in target
      ? [value >= target.atLeast, `at least ${target.atLeast}`]
      : [value <= target.atMost, `at most ${target.atMost}`]
  return `${words}: ${isMet ? 'met' : 'NOT met'}`
}
