/** The configuration of an evaluator of the kind `human`. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'
import { Verdict } from './verdict.ts'

export const HumanJudge = Type.Object({
  rubric: Absentable(
    Type.String({
      maxLength: 20_000,
      description: 'What to judge by, in Markdown; people see it beside each item.',
    }),
  ),
  verdict: Absentable(Verdict),
})
export type HumanJudge = Static<typeof HumanJudge>
