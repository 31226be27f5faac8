/** Checks queries while traces grow: each trace counts once, in its old or its new state. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { LogRow, TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { replacementOf } from '../testing/replacements.ts'
import { openTestTraceStore, testLog, testTrace, testTraceId } from '../testing/testing.ts'
import type { MetricsQuery, MetricsRow } from './metric-types.ts'

const hourUs = 3_600_000_000n
const windowStartUs = 1_700_000_000_000_000n - (1_700_000_000_000_000n % hourUs)

type State = ReadonlyMap<string, { readonly trace: TraceRow; readonly logs: readonly LogRow[] }>

/** A small seeded number generator, so that failures can be reproduced. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A trace with new spans, late ones that move its start, and another root. */
function grownTrace(workspaceId: string, traceId: string, random: (limit: number) => number) {
  const logCount = 1 + random(5)
  const trace = testTrace({
    workspaceId,
    traceId,
    startUs: windowStartUs + BigInt(random(120)) * 60_000_000n,
    durationUs: BigInt(random(9)) * 1_000_000n,
    name: `root ${random(3)}`,
    userId: `user ${random(3)}`,
    featureSlug: random(2) === 0 ? null : 'chat',
    errors: random(2),
    inputTokens: 10 * logCount,
    outputTokens: logCount,
    cost: logCount / 4,
    logCount,
  })
  const logs = Array.from({ length: logCount }, (_, position) =>
    testLog(trace, {
      position,
      logId: `log ${position}`,
      type: random(3) === 0 ? 'span' : 'generation',
      model: `m${random(2)}`,
      inputTokens: 10,
      outputTokens: 1,
      costInTotals: 0.25,
      durationUs: BigInt(random(9)) * 1000n,
    }),
  )
  return { trace, logs }
}

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length === 0) return null
  return sorted.length % 2 === 0 ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

type Question = {
  readonly name: string
  readonly ask: (store: TraceStore, workspaceId: string) => Promise<unknown>
  readonly truth: (state: State) => unknown
}

const windowUs = { fromUs: windowStartUs + 61_000_000n, toUs: windowStartUs + hourUs + 61_000_000n }
const isIn = ({ startUs }: TraceRow): boolean => startUs >= windowUs.fromUs && startUs < windowUs.toUs
const ofTraces = (traces: readonly TraceRow[]) => ({
  traces: traces.length,
  errors: sum(traces.map(({ errors }) => errors)),
  totalTokens: sum(traces.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
  cost: traces.length === 0 ? null : sum(traces.map(({ cost }) => cost!)),
})
const tracesOf = (state: State): TraceRow[] => [...state.values()].map(({ trace }) => trace)

const measureBy =
  (query: Partial<MetricsQuery> & Pick<MetricsQuery, 'measures'>): Question['ask'] =>
  (store, workspaceId): Promise<MetricsRow[]> =>
    store.scopedTo(workspaceId).measure({ dimensions: [], filters: {}, ...query })

const sumsOfTraces = ['traces', 'errors', 'totalTokens', 'cost'] as const

const questions: readonly Question[] = [
  {
    name: 'the window of an alert',
    ask: measureBy({ measures: sumsOfTraces, ...windowUs }),
    truth: (state) => [ofTraces(tracesOf(state).filter(isIn))],
  },
  {
    name: 'a percentile',
    ask: measureBy({ measures: [...sumsOfTraces, 'p50DurationMs'] }),
    truth: (state) => [
      {
        ...ofTraces(tracesOf(state)),
        p50DurationMs: median(tracesOf(state).map(({ durationUs }) => Number(durationUs) / 1000)),
      },
    ],
  },
  {
    name: 'the traces of one user',
    ask: measureBy({
      measures: sumsOfTraces,
      filters: { where: [{ field: 'user', is: ['user 1'] }] },
    }),
    truth: (state) => [ofTraces(tracesOf(state).filter(({ userId }) => userId === 'user 1'))],
  },
  {
    name: 'the logs of a minute on',
    ask: measureBy({ measures: ['generations'], ...windowUs }),
    truth: (state) => [
      {
        generations: [...state.values()]
          .filter(({ trace }) => isIn(trace))
          .flatMap(({ logs }) => logs)
          .filter(({ type }) => type === 'generation').length,
      },
    ],
  },
  {
    name: 'the logs of a model',
    ask: measureBy({
      measures: ['logs', 'traces', 'cost', 'inputTokens'],
      filters: { where: [{ field: 'model', is: ['m1'], isOfLog: true }] },
      ...windowUs,
    }),
    truth: (state) => {
      const logs = [...state.values()]
        .filter(({ trace }) => isIn(trace))
        .flatMap((each) => each.logs.filter(({ model }) => model === 'm1'))
      return [
        {
          logs: logs.length,
          traces: new Set(logs.map(({ traceId }) => traceId)).size,
          cost: logs.length === 0 ? null : logs.length / 4,
          inputTokens: logs.length * 10,
        },
      ]
    },
  },
  {
    name: 'the roll-up of traces',
    ask: measureBy({ measures: sumsOfTraces }),
    truth: (state) => [ofTraces(tracesOf(state))],
  },
  {
    name: 'the list',
    async ask(store, workspaceId) {
      const { traces } = await store.scopedTo(workspaceId).list({}, { limit: 100 })
      return traces.map(({ traceId, startUs }) => `${startUs} ${traceId}`)
    },
    truth: (state) =>
      tracesOf(state)
        .map(({ traceId, startUs }) => `${startUs} ${traceId}`)
        .sort()
        .reverse(),
  },
  {
    name: 'the histogram',
    async ask(store, workspaceId) {
      const histogram = await store
        .scopedTo(workspaceId)
        .histogram({}, { chooseWidth: () => 10_000n * hourUs })
      return sum(histogram?.buckets.map(({ traces }) => traces) ?? [])
    },
    truth: (state) => state.size,
  },
  {
    name: 'the facet of names',
    async ask(store, workspaceId) {
      const {
        facets: [facet],
      } = await store.scopedTo(workspaceId).facets({}, { fields: ['name'], limit: 10 })
      return facet?.values.toSorted((a, b) => (a.value < b.value ? -1 : 1))
    },
    truth: (state) => {
      const names = Map.groupBy(tracesOf(state), ({ name }) => name)
      return [...names]
        .map(([value, traces]) => ({ value, count: traces.length }))
        .sort((a, b) => (a.value < b.value ? -1 : 1))
    },
  },
]

const round = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'number' ? Number(each.toPrecision(12)) : each,
  )

const store = await openTestTraceStore()
after(() => store.close())

test('while traces grow, every result is correct for some point in time', async (context) => {
  const workspaceId = randomUUID()
  const random = randomOf(7)
  const ids = Array.from({ length: 12 }, () => testTraceId())
  let before: State = new Map()
  let answered = 0
  const wrong: string[] = []
  const answersMin = propertyRuns(100).numRuns
  while (answered < answersMin) {
    const grownTraces = ids.filter(() => random(3) === 0).map((id) => grownTrace(workspaceId, id, random))
    const after: State = new Map([
      ...before,
      ...grownTraces.map((each) => [each.trace.traceId, each] as const),
    ])
    const older = grownTraces.flatMap(({ trace }) => before.get(trace.traceId) ?? [])
    let isStored = false
    const replacement = replacementOf(grownTraces, older)
    // A node may learn late about completed replacements.
    if (random(3) === 0) store.noteReplacements({ endRevision: replacement.revision, isOneUnfinished: false })
    const grow = async () => {
      if (random(2) === 0) await new Promise(setImmediate)
      await store.replace(replacement)
      isStored = true
    }
    const queries = questions.map(async (question) => {
      const truths = [before, after].map((state) => round(question.truth(state)))
      do {
        const answer = round(await question.ask(store, workspaceId))
        answered += 1
        if (!truths.includes(answer)) wrong.push(`${question.name}: ${answer} of ${truths.join(' or ')}`)
      } while (!isStored)
    })
    await Promise.all([grow(), ...queries])
    for (const question of questions)
      assert.equal(round(await question.ask(store, workspaceId)), round(question.truth(after)), question.name)
    before = after
  }
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${answered} answers`)
  context.diagnostic(`${answered} answers, ${wrong.length} wrong`)
})
