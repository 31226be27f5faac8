/** Counts what rules would change in stored traces, and keeps the first matches of each rule. */
import type { RehearsedRule } from '@plumbline/contract'
import type { StoredTrace } from '@plumbline/storage/traces'
import type { CompiledRules } from './compile-rules.ts'
import type { Deadline } from './deadline.ts'
import { maskStoredTrace } from './mask-rows.ts'
import type { Change } from './mask-text.ts'
import type { Rehearsal } from './masking-messages.ts'

const samplesMax = 5
/** Characters shown on either side of a match, and of a match itself. */
const marginLength = 40
const markedLengthMax = 200

export function rehearse(
  traces: readonly StoredTrace[],
  rules: CompiledRules,
  ruleCount: number,
  deadline: Deadline,
): Rehearsal {
  const counts = Array.from({ length: ruleCount }, (_, index) => ({
    index,
    hits: 0,
    traces: new Set<string>(),
    samples: [] as RehearsedRule['samples'],
  }))
  const changed = new Set<string>()
  for (const trace of traces) {
    const { traceId } = trace.trace
    let place = ''
    maskStoredTrace(trace, rules, {
      deadline,
      onPlace: (current) => {
        place = current
      },
      onChange: (change) => {
        const count = counts[change.rule.index]!
        count.hits += change.hits.length
        count.traces.add(traceId)
        changed.add(traceId)
        if (count.samples.length < samplesMax) count.samples.push(sampleOf(change, traceId, place))
      },
    })
  }
  return {
    changed: changed.size,
    rules: counts.map(({ traces: ids, ...count }) => ({ ...count, traces: ids.size })),
  }
}

const sampleOf = ({ before, after, hits, first }: Change, traceId: string, place: string) => ({
  traceId,
  place,
  before: fragmentOf(before, hits[0]!),
  after: fragmentOf(after, first),
})

function fragmentOf(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const from = Math.max(0, start - marginLength)
  const markedEnd = Math.min(end, start + markedLengthMax)
  const lead = from === 0 ? '' : '…'
  const isCut = markedEnd < end
  const tail = isCut
    ? '…'
    : text.slice(end, end + marginLength) + (end + marginLength < text.length ? '…' : '')
  const offset = lead.length - from
  return {
    // Half of a surrogate pair is not valid text.
    text: `${lead}${text.slice(from, markedEnd)}${tail}`.toWellFormed(),
    start: start + offset,
    end: markedEnd + offset,
  }
}
