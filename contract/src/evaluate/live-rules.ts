/** The live traffic that an evaluator judges, besides the traces that name it. */
import { type Static, Type } from 'typebox'
import { FreeObject, NamedObject } from '../interface/shapes.ts'
import { logTypes } from '../traces/trace-fields.ts'
import { FilterObject, q, traceFilters } from '../traces/trace-filters.ts'

/** What is judged if a trace matches: the whole trace, its session, or each of its logs of a type. */
export const liveSubjects = ['trace', 'session', ...logTypes] as const
export type LiveSubject = (typeof liveSubjects)[number]

export const defaultQuietMinutes = 10

/** Rules have no time filters, since they apply to traces as they arrive. */
const { receivedFrom: _receivedFrom, from: _from, to: _to, ...filters } = traceFilters
export const LiveFilters = FilterObject({ ...filters, q })

export const LiveRule = NamedObject('LiveRule', 'Selects the arriving traces that an evaluator judges.', {
  filters: FreeObject(
    'Filters of GET /monitor/traces except those on time, such as `{"featureSlug": "chat"}`; `{}` matches every trace.',
  ),
  subject: Type.Enum([...liveSubjects], {
    description:
      'What it judges when a trace matches: the `trace`, its `session` once it has been quiet for `quietMinutes`, or each log of this type.',
  }),
  sampleRate: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Fraction of the matching traces that it judges, sampled by the id of the trace, or of the session for sessions.',
  }),
  quietMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: `For the subject \`session\` only: minutes without a new trace after which it judges a session; ${defaultQuietMinutes} when absent.`,
    }),
  ),
})
export type LiveRule = Static<typeof LiveRule>
