/** The form in which a model has to give its verdict, and how that is read. */
import type { ModelJudge } from '@plumbline/contract'
import type { JSONSchema7 } from 'ai'
import { parsed } from '../rules/place.ts'

type Verdict = ModelJudge['verdict']

/** The reason comes first, so that it is thought of before the verdict is given. */
export function verdictSchema(verdict: Verdict, takesBounds: boolean): JSONSchema7 {
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a sentence or two.' },
      verdict: { ...formOf(verdict, takesBounds), description: inWords(verdict) },
    },
    required: ['reason', 'verdict'],
    additionalProperties: false,
  }
}

function formOf(verdict: Verdict, takesBounds: boolean): JSONSchema7 {
  switch (verdict.type) {
    case 'boolean':
      return { type: 'boolean' }
    case 'numeric':
      return { type: 'number', ...(takesBounds ? { minimum: verdict.min, maximum: verdict.max } : {}) }
    case 'categorical':
      return { type: 'string', enum: [...verdict.choices] }
  }
}

const inWords = (verdict: Verdict): string => {
  switch (verdict.type) {
    case 'boolean':
      return 'true or false'
    case 'numeric':
      return `a number from ${verdict.min} to ${verdict.max}`
    case 'categorical':
      return `one of ${verdict.choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  }
}

/** What is said to the model of the form, since not every provider enforces a schema. */
export const formInWords = (verdict: Verdict): string =>
  `Answer with nothing but a JSON object: {"reason": why, in a sentence or two, "verdict": ${inWords(verdict)}}`

/** The verdict, or a sentence on what is wrong with the answer. */
export type ReadVerdict =
  | { readonly type: 'read'; readonly value: boolean | number | string; readonly comment: string }
  | { readonly type: 'malformed'; readonly problem: string }

/** Reads an answer; the JSON may stand in a fence, as some models put it. */
export function readVerdict(text: string, verdict: Verdict): ReadVerdict {
  const answer = parsed(/```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return { type: 'malformed', problem: 'It is no JSON object.' }
  const { verdict: value, reason } = answer as Record<string, unknown>
  const fits =
    verdict.type === 'boolean'
      ? typeof value === 'boolean'
      : verdict.type === 'numeric'
        ? typeof value === 'number' && value >= verdict.min && value <= verdict.max
        : typeof value === 'string' && verdict.choices.includes(value)
  if (!fits) return { type: 'malformed', problem: `Its "verdict" is not ${inWords(verdict)}.` }
  // Safe: it was just checked to be of the verdict's type.
  return { type: 'read', value: value as boolean | number | string, comment: String(reason ?? '') }
}
