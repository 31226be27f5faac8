/** What an evaluator judges of live traffic, besides the traces that name it. */
import { type Static, Type } from 'typebox'
import { FreeObject, NamedObject } from '../interface/shapes.ts'
import { logTypes } from '../traces/trace-fields.ts'
import { FilterObject, q, traceFilters } from '../traces/trace-filters.ts'

/** What is judged of a trace that matches: the whole trace, its session, or each of its logs of a type. */
export const liveSubjects = ['trace', 'session', ...logTypes] as const
export type LiveSubject = (typeof liveSubjects)[number]

export const defaultQuietMinutes = 10

/** The times of a trace are no part of a rule: it judges what arrives. */
const { receivedFrom: _receivedFrom, from: _from, to: _to, ...filters } = traceFilters
export const LiveFilters = FilterObject({ ...filters, q })

export const LiveRule = NamedObject('LiveRule', 'What an evaluator judges of the traces that arrive.', {
  filters: FreeObject(
    'Filters of GET /monitor/traces without times, such as `{"featureSlug": "chat"}`; `{}` means every trace.',
  ),
  subject: Type.Enum([...liveSubjects], {
    description:
      'What it judges of a matching trace: `trace`, its `session` once no trace of it has arrived for `quietMinutes`, or each log of this type.',
  }),
  sampleRate: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Fraction of the matching traces that it judges, chosen by the id of the trace; of sessions, by that of the session.',
  }),
  quietMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: `Of the subject \`session\` alone: minutes without a trace after which it judges a session; ${defaultQuietMinutes} when absent.`,
    }),
  ),
})
export type LiveRule = Static<typeof LiveRule>
