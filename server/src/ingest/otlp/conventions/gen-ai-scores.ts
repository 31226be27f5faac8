/** Scores of the GenAI conventions, which are events of a span, and how a value and a label are combined. */
import type { AttributeReader } from '../attribute-reader.ts'
import type { SpanScore } from '../facts.ts'
import { booleanOrUndefined, numberOrUndefined, plainValue, textOrUndefined } from '../json-value.ts'
import type { SpanEvent } from '../span.ts'

export function scoresOf(span: AttributeReader): SpanScore[] {
  return span.events('gen_ai.evaluation.result').flatMap((event) => scoreOf(event) ?? [])
}

function scoreOf({ attributes, timeNs }: SpanEvent): SpanScore | undefined {
  const name = textOrUndefined(attributes['gen_ai.evaluation.name'])
  const verdict = verdictOf({
    number: attributes['gen_ai.evaluation.score.value'] ?? attributes['gen_ai.evaluation.score'],
    label: plainValue(attributes['gen_ai.evaluation.score.label'] ?? attributes['gen_ai.evaluation.label']),
    explanation: attributes['gen_ai.evaluation.explanation'],
  })
  if (name === undefined || verdict === undefined) return undefined
  return { name, ...verdict, atMs: Number(timeNs / 1_000_000n) || null }
}

/** The value of a score and its comment, which begins with the label if the value is a number. */
export function verdictOf({
  number,
  label,
  explanation,
}: Readonly<Record<'number' | 'label' | 'explanation', unknown>>):
  | Pick<SpanScore, 'value' | 'comment'>
  | undefined {
  const reason = textOrUndefined(explanation)
  const value = numberOrUndefined(number)
  if (value !== undefined) {
    const words = [textOrUndefined(label), reason].filter((text) => text !== undefined)
    return { value, comment: words.join(': ') || null }
  }
  const verdict = labelOf(label)
  return verdict === undefined ? undefined : { value: verdict, comment: reason ?? null }
}

/** A label; `true` and `false` become booleans. */
const labelOf = (label: unknown): string | boolean | undefined =>
  typeof label === 'boolean' ? label : (booleanOrUndefined(textOrUndefined(label)) ?? textOrUndefined(label))
