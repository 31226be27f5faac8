/** What a rule looks at. */
export interface Subject {
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  readonly metadata: unknown
  readonly durationMs: number | null
  readonly cost: number | null
  readonly inputTokens: number
  readonly outputTokens: number
}

export const parts = ['output', 'input', 'idealOutput', 'metadata'] as const
export type Part = (typeof parts)[number]

/** Where a rule looks: a part, and the way into it, such as `choices.0.text`. */
export interface Place {
  readonly of: Part
  readonly path: readonly string[]
}

/** What is at a place; undefined where nothing is. JSON that came as a text is looked into. */
export function valueAt(subject: Subject, { of, path }: Place): unknown {
  let value: unknown = subject[of] ?? undefined
  for (const key of path) {
    if (typeof value === 'string') value = parsed(value)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    // Safe: it is an object that has the key.
    value = (value as Record<string, unknown>)[key]
  }
  return value ?? undefined
}

/** A value as text: texts as they are, the rest as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The JSON that a text holds; undefined where it holds none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most texts are no JSON, which is an answer and not a failure.
    return undefined
  }
}
