/** The configuration of a `human` evaluator. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'
import { Verdict } from './verdict.ts'

export const HumanJudge = Type.Object({
  rubric: Absentable(
    Type.String({
      maxLength: 20_000,
      description: 'Instructions in Markdown, shown to annotators beside each item.',
    }),
  ),
  verdict: Absentable(Verdict),
})
export type HumanJudge = Static<typeof HumanJudge>
