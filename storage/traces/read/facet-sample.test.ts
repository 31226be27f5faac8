/** Facets of a long list are counted in a sample: compares the estimates with the exact counts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LogRow, ScoreRow, TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { numbersFrom } from '../testing/seeded-numbers.ts'
import { batchOf, openTestTraceStore, testLog, testScore, testTrace } from '../testing/testing.ts'
import type { Facets, TraceFilters } from '../types.ts'

const workspaceId = 'samples'
const count = 20_000
const hourUs = 3_600_000_000
const number = numbersFrom(7)

interface TraceRows {
  readonly trace: TraceRow
  readonly logs: LogRow[]
  readonly scores: ScoreRow[]
}

let store: TraceStore
const recorded: TraceRows[] = []

before(async () => {
  store = await openTestTraceStore()
  for (let index = 0; index < count; index++) {
    // Most traces are in the first of a hundred hours, and their values change from hour to hour.
    const hour = Math.floor((number(1000) / 1000) ** 3 * 100)
    const startUs = BigInt(hour * hourUs + number(1000) * 3_600_000)
    const userNumber = number(3000) ** 2 % 9000
    const trace = testTrace({
      workspaceId,
      startUs,
      name: hour % 3 === 0 ? 'early' : ['answer', 'search', 'summary'][number(3)]!,
      environment: number(4) === 0 ? 'staging' : 'production',
      userId: `user-${userNumber}`,
      userName: `Name ${userNumber}`,
      tags: number(2) === 0 ? ['a', hour < 20 ? 'b' : 'c'] : [],
      metadata: JSON.stringify({ region: ['eu', 'us'][number(2)] }),
      input: JSON.stringify(number(3) === 0 ? 'please refund it now' : 'now it is a refund'),
    })
    const logs = [testLog(trace, { model: hour < 10 ? 'old' : 'new' }), testLog(trace, { model: 'both' })]
    const scores = number(5) === 0 ? [testScore(trace, { name: hour < 50 ? 'correct' : 'kind' })] : []
    recorded.push({ trace, logs, scores })
  }
  const traces = recorded.map(({ trace }) => trace)
  const logs = recorded.flatMap((each) => each.logs)
  await store.insert(batchOf({ traces, logs, scores: recorded.flatMap(({ scores }) => scores) }))
})
after(() => store.close())

const fields = ['name', 'environment', 'user', 'tag', 'metadata', 'metadata.region', 'model', 'score']
const facetsOf = (filters: TraceFilters, traces: number, prefix?: string): Promise<Facets> =>
  store.scopedTo(workspaceId).facets(filters, {
    fields,
    prefix,
    limit: 20,
    sampleSize: { traces, listMax: traces, listMaxWithTexts: traces },
  })

const countsOf = ({ facets }: Facets): Map<string, { count: number; marginOfError?: number }> =>
  new Map(
    facets.flatMap(({ field, values }) => values.map(({ value, ...rest }) => [`${field} ${value}`, rest])),
  )

const phrase = '"refund it"'
const inStaging = [{ field: 'environment', is: ['staging'] }]
const lists: readonly (readonly [name: string, filters: TraceFilters])[] = [
  ['all', {}],
  ['by a filter', { where: inStaging }],
  ['by a range', { fromUs: BigInt(5 * hourUs), toUs: BigInt(60 * hourUs) }],
  ['by a word', { q: 'please' }],
  ['by a phrase', { q: phrase }],
]

for (const [name, filters] of lists)
  test(`the counts of a sample are near those of the list: ${name}`, async () => {
    const counted = await facetsOf(filters, count)
    assert.equal(counted.sample, undefined)
    const exact = countsOf(counted)
    assert.ok(exact.size > 20)
    // A search that reads texts is sampled from the traces with any texts.
    const listed = filters.q === phrase ? count : exact.get('metadata region')!.count
    const sampled = await facetsOf(filters, Math.round(listed / 10))
    const { traces, total } = sampled.sample!
    assert.ok(traces > total / 20 && traces < total / 5, `${traces} of ${total}`)
    const estimates = countsOf(sampled)
    let withinMargin = 0
    let frequent = 0
    for (const [value, { count: exactCount, marginOfError }] of exact) {
      assert.equal(marginOfError, undefined)
      if (exactCount < 300) continue
      frequent += 1
      const { count: estimate, marginOfError: margin = 0 } = estimates.get(value) ?? { count: 0 }
      const error = Math.abs(estimate - exactCount)
      if (error <= margin) withinMargin += 1
      assert.ok(error <= 2.5 * margin + 1, `${value}: ${estimate} ± ${margin}, and not ${exactCount}`)
      assert.ok(margin < exactCount, `${value}: ${estimate} ± ${margin}`)
    }
    assert.ok(frequent >= 10)
    assert.ok(withinMargin >= frequent * 0.8, `${withinMargin} of ${frequent} within their margins`)
  })

test('a value that all traces have is reported without a margin of error', async () => {
  const { facets, sample } = await facetsOf({}, 4000)
  const [keys] = facets.filter(({ field }) => field === 'metadata')
  assert.deepEqual(keys!.values, [{ value: 'region', count: sample!.total, marginOfError: 0 }])
})

test('a searched value is counted in all traces', async () => {
  const { facets, sample } = await facetsOf({}, 4000, 'name 7')
  assert.equal(sample, undefined)
  const [users] = facets.filter(({ field }) => field === 'user')
  for (const { value, count: traces } of users!.values)
    assert.equal(traces, recorded.filter(({ trace }) => trace.userId === value).length)
})

test('the same list has the same sample', async () => {
  assert.deepEqual(await facetsOf({}, 4000), await facetsOf({}, 4000))
})

test('traces that all start at the same instant are counted', async () => {
  const name = 'at once'
  const traces = Array.from({ length: 500 }, () => testTrace({ workspaceId: name, startUs: 5n, name }))
  await store.insert(batchOf({ traces }))
  const { facets, sample } = await store
    .scopedTo(name)
    .facets(
      {},
      { fields: ['name'], limit: 1, sampleSize: { traces: 100, listMax: 100, listMaxWithTexts: 100 } },
    )
  assert.deepEqual(facets[0]!.values, [{ value: name, count: 500, marginOfError: 0 }])
  assert.deepEqual(sample, { traces: 500, total: 500 })
})
