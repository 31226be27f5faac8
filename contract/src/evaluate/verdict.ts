/** The types of verdicts, the same for models and people so that they can be compared. */
import { Type } from 'typebox'

export type Verdict =
  | { readonly type: 'boolean' }
  | {
      readonly type: 'numeric'
      readonly min: number
      readonly max: number
      readonly step?: number
      readonly points?: readonly { readonly value: number; readonly label: string }[]
    }
  | { readonly type: 'categorical'; readonly choices: readonly string[] }

export const Verdict = Type.Unsafe<Verdict>({
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['boolean', 'numeric', 'categorical'] },
    min: { type: 'number' },
    max: { type: 'number' },
    step: { type: 'number', exclusiveMinimum: 0 },
    points: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['value', 'label'],
        properties: { value: { type: 'number' }, label: { type: 'string', minLength: 1, maxLength: 200 } },
      },
    },
    choices: {
      type: 'array',
      minItems: 2,
      maxItems: 50,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 200 },
    },
  },
  description:
    'Yes or no; a number from `min` to `max`; or one of `choices`. For people, a number is chosen in steps of `step` (1 when absent), and `points` labels some of the numbers.',
})
