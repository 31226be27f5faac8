/** What traces can be filtered by, as one types it. Pure. */

export type FieldKind = 'text' | 'flag' | 'money' | 'duration' | 'count' | 'score'

export interface FilterField {
  readonly name: string
  readonly kind: FieldKind
  readonly hint: string
}

/** In the order in which they are offered. */
export const filterFields: readonly FilterField[] = [
  { name: 'feature', kind: 'text', hint: 'feature' },
  { name: 'name', kind: 'text', hint: 'trace name' },
  { name: 'model', kind: 'text', hint: 'model used in the trace' },
  { name: 'provider', kind: 'text', hint: 'model provider' },
  { name: 'type', kind: 'text', hint: 'log type' },
  { name: 'prompt', kind: 'text', hint: 'prompt used in the trace' },
  { name: 'promptVersion', kind: 'text', hint: 'prompt version' },
  { name: 'user', kind: 'text', hint: 'end-user id' },
  { name: 'organization', kind: 'text', hint: 'customer id' },
  { name: 'session', kind: 'text', hint: 'session id' },
  { name: 'experiment', kind: 'text', hint: 'experiment id' },
  { name: 'evaluator', kind: 'text', hint: 'evaluator named by the trace' },
  { name: 'hasError', kind: 'flag', hint: 'true or false' },
  { name: 'sampled', kind: 'flag', hint: 'sampled for evaluation: true or false' },
  { name: 'cost', kind: 'money', hint: 'in US dollars: cost>0.01' },
  { name: 'duration', kind: 'duration', hint: 'duration>2s, duration<500ms' },
  { name: 'tokens', kind: 'count', hint: 'input and output: tokens>10k' },
  { name: 'inputTokens', kind: 'count', hint: 'input tokens' },
  { name: 'outputTokens', kind: 'count', hint: 'output tokens' },
  { name: 'errors', kind: 'count', hint: 'number of failed logs' },
  { name: 'logs', kind: 'count', hint: 'number of logs' },
]

/** Fields whose second part is the caller's: `metadata.env`, `score.accuracy`. */
export const namedFields = [
  { prefix: 'metadata.', kind: 'text', hint: 'metadata key' },
  { prefix: 'score.', kind: 'score', hint: 'score.accuracy<0.5' },
] as const satisfies readonly { prefix: string; kind: FieldKind; hint: string }[]

/** Other words for the same. */
const aliases: Readonly<Record<string, string>> = {
  featureslug: 'feature',
  userid: 'user',
  org: 'organization',
  customer: 'organization',
  organizationid: 'organization',
  sessionid: 'session',
  experimentid: 'experiment',
  promptslug: 'prompt',
  version: 'promptVersion',
  error: 'hasError',
  durationms: 'duration',
  latency: 'duration',
}

/** The field of this name, in any case, or of one of its other names. */
export function findField(input: string): FilterField | undefined {
  const named = namedFields.find(
    ({ prefix }) => input.toLowerCase().startsWith(prefix) && input.length > prefix.length,
  )
  if (named !== undefined) {
    return { name: named.prefix + input.slice(named.prefix.length), kind: named.kind, hint: named.hint }
  }
  const lower = input.toLowerCase()
  const name = (Object.hasOwn(aliases, lower) ? aliases[lower] : undefined) ?? lower
  return filterFields.find((field) => field.name.toLowerCase() === name.toLowerCase())
}

/** The known field that was likely meant. */
export function nearestField(name: string): string | undefined {
  const lowerName = name.toLowerCase()
  const known = [...filterFields.map(({ name }) => name), ...Object.keys(aliases)]
  const [nearest] = known
    .map((name) => ({ name, distance: distanceOf(lowerName, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest && findField(nearest.name)?.name
}

/** How many letters one has to add, drop, change, or swap with the next. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let index = 1; index <= a.length; index += 1) {
    const row = [index]
    for (let to = 1; to <= b.length; to += 1) {
      const above = rows[index - 1] ?? []
      const isSame = a[index - 1] === b[to - 1]
      const isSwapped = index > 1 && to > 1 && a[index - 1] === b[to - 2] && a[index - 2] === b[to - 1]
      row.push(
        Math.min(
          (above[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (above[to - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (rows[index - 2]?.[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
