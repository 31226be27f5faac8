/** The form in which a model must return its verdict, and its parser. */
import type { ModelJudge } from '@plumbline/contract'
import type { JSONSchema7 } from 'ai'
import { parseOrUndefined } from '../rules/place.ts'

type Verdict = ModelJudge['verdict']

/** The reason comes first, so that the model reasons before it decides. */
export function verdictSchema(verdict: Verdict, takesBounds: boolean): JSONSchema7 {
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a sentence or two.' },
      verdict: { ...toJsonSchema(verdict, takesBounds), description: describe(verdict) },
    },
    required: ['reason', 'verdict'],
    additionalProperties: false,
  }
}

function toJsonSchema(verdict: Verdict, takesBounds: boolean): JSONSchema7 {
  switch (verdict.type) {
    case 'boolean':
      return { type: 'boolean' }
    case 'numeric':
      return { type: 'number', ...(takesBounds ? { minimum: verdict.min, maximum: verdict.max } : {}) }
    case 'categorical':
      return { type: 'string', enum: [...verdict.choices] }
  }
}

const describe = (verdict: Verdict): string => {
  switch (verdict.type) {
    case 'boolean':
      return 'true or false'
    case 'numeric':
      return `a number from ${verdict.min} to ${verdict.max}`
    case 'categorical':
      return `one of ${verdict.choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  }
}

/** Describes the form to the model, since not every provider enforces a schema. */
export const describeForm = (verdict: Verdict): string =>
  `Answer with nothing but a JSON object: {"reason": why, in a sentence or two, "verdict": ${describe(verdict)}}`

/** The verdict, or a sentence on what is wrong with the response. */
export type ReadVerdict =
  | { readonly type: 'read'; readonly value: boolean | number | string; readonly comment: string }
  | { readonly type: 'malformed'; readonly problem: string }

/** Reads a response; some models put the JSON in a code fence. */
export function readVerdict(text: string, verdict: Verdict): ReadVerdict {
  const answer = parseOrUndefined(/```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return { type: 'malformed', problem: 'It is not a JSON object.' }
  const { verdict: value, reason } = answer as Record<string, unknown>
  const fits =
    verdict.type === 'boolean'
      ? typeof value === 'boolean'
      : verdict.type === 'numeric'
        ? typeof value === 'number' && value >= verdict.min && value <= verdict.max
        : typeof value === 'string' && verdict.choices.includes(value)
  if (!fits) return { type: 'malformed', problem: `Its "verdict" is not ${describe(verdict)}.` }
  // Safe: it was just checked to be of the verdict's type.
  return { type: 'read', value: value as boolean | number | string, comment: String(reason ?? '') }
}
