/** Usage and costs in the form that Langfuse's older clients send. */
import { isRecord, type JsonRecord } from './read-input.ts'

const usageKey = 'langfuse.observation.usage_details'
const costKey = 'langfuse.observation.cost_details'

/** The attributes in which newer clients send an observation's usage. */
export function usageOf({
  usage,
  usageDetails,
  costDetails,
}: JsonRecord): Record<string, string | undefined> {
  const counts = isRecord(usageDetails) ? withBuckets(usageDetails) : countsOf(usage)
  const costs = isRecord(costDetails) ? numbersIn(costDetails) : costsOf(usage)
  return {
    [usageKey]: counts === undefined || Object.keys(counts).length === 0 ? undefined : JSON.stringify(counts),
    [costKey]: costs === undefined || Object.keys(costs).length === 0 ? undefined : JSON.stringify(costs),
  }
}

const numbersIn = (fields: JsonRecord): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, number] => Number.isFinite(field[1])),
  )

/** Only tokens are counted: Langfuse also accepts characters, seconds, requests and images. */
function countsOf(usage: unknown): Record<string, number> | undefined {
  if (!isRecord(usage) || (typeof usage.unit === 'string' && usage.unit !== 'TOKENS')) return undefined
  return numbersIn({
    input: usage.input ?? usage.promptTokens,
    output: usage.output ?? usage.completionTokens,
    total: usage.total ?? usage.totalTokens,
  })
}

const costsOf = (usage: unknown): Record<string, number> | undefined =>
  isRecord(usage)
    ? numbersIn({ input: usage.inputCost, output: usage.outputCost, total: usage.totalCost })
    : undefined

/** OpenAI's own forms have nested details that overlap with the sums; Langfuse converts them to disjoint buckets. */
function withBuckets(details: JsonRecord): Record<string, number> {
  const buckets: Record<string, number> = {}
  // Sums first, since the details are parts of them.
  for (const [key, value] of Object.entries(details).toSorted(
    ([, a], [, b]) => Number(isRecord(a)) - Number(isRecord(b)),
  )) {
    const direction = /^(?:prompt|input)_tokens(_details)?$/.test(key)
      ? 'input'
      : /^(?:completion|output)_tokens(_details)?$/.test(key)
        ? 'output'
        : undefined
    if (direction === undefined) {
      if (Number.isFinite(value)) buckets[key === 'total_tokens' ? 'total' : key] = value as number
    } else if (isRecord(value)) {
      for (const [name, count] of Object.entries(numbersIn(value))) {
        buckets[`${direction}_${name}`] = count
        buckets[direction] = Math.max(0, (buckets[direction] ?? 0) - count)
      }
    } else if (Number.isFinite(value)) buckets[direction] = (buckets[direction] ?? 0) + (value as number)
  }
  return buckets
}
