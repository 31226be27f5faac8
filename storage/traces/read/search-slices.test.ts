/** Searches go through slices of time; here over enough traces for several slices. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { LogRow, TraceRow } from '../rows/row-types.ts'
import type { TraceStore } from '../store.ts'
import { numbersFrom } from '../testing/seeded-numbers.ts'
import { batchOf, openTestTraceStore, testLog, testTrace } from '../testing/testing.ts'
import type { Position, TraceFilters } from '../types.ts'

const workspaceId = 'slices'
const firstSlice = 1_000
/** The slices have at least 1,001 traces, 8,001 traces, and the rest. */
const count = 10_000
const separators = [' ', ', ', ' — ', '.\n', '\t', ' "']
/** Squaring favours the first words. */
const vocabulary = [
  'the',
  'trace',
  'store',
  'keeps',
  'spüren',
  'seldom',
  'written',
  'texts',
  'never',
  'rarely',
]
const number = numbersFrom(11)

const isThorough = propertyRuns(1).numRuns > 1

let store: TraceStore
const traces: TraceRow[] = []
/** The words of each text, with a space before and after each. */
const textsOf = new Map<string, string[]>()

before(async () => {
  store = await openTestTraceStore()
  const logs: LogRow[] = []
  const text = (length: number): string => {
    const words = Array.from({ length }, () => {
      const place = Math.floor((number(1000) / 1000) ** 4 * vocabulary.length)
      return `${vocabulary[place]}${separators[number(separators.length)]}`
    })
    return JSON.stringify(words.join(''))
  }
  for (let index = 0; index < count; index++) {
    // Several start at the same instant, so that slices end among them.
    const startUs = BigInt(number(count / 20))
    const trace = testTrace({ workspaceId, startUs, input: text(3), errors: number(3) })
    traces.push(trace)
    const texts = [wordsOf(trace.input ?? '""')]
    if (index % 20 === 0) {
      const log = testLog(trace, { output: text(8) })
      logs.push(log)
      texts.push(wordsOf(log.output ?? '""'))
    }
    textsOf.set(trace.traceId, texts)
  }
  // Only the oldest trace has this word.
  const oldest = traces.reduce((a, b) => (b.startUs < a.startUs ? b : a))
  traces.push(
    testTrace({ workspaceId, startUs: oldest.startUs - 1n, input: '"the oldest of all the traces"' }),
  )
  textsOf.set(traces.at(-1)!.traceId, [wordsOf('"the oldest of all the traces"')])
  await store.insert(batchOf({ traces, logs }))
})
after(() => store.close())

const wordsOf = (text: string): string =>
  ` ${((JSON.parse(text) as string).match(/[\p{L}\d]+/gu) ?? []).join(' ')} `
const hasPhrase = (text: string, phrase: string): boolean => text.includes(` ${phrase} `)

/** A query, and whether a text matches it. */
const queries: readonly (readonly [query: string, isIn: (text: string) => boolean])[] = [
  ['"the trace"', (text) => hasPhrase(text, 'the trace')],
  ['"written, the store"', (text) => hasPhrase(text, 'written the store')],
  ['"rarely never rarely"', (text) => hasPhrase(text, 'rarely never rarely')],
  ['"he trace"', (text) => hasPhrase(text, 'he trace')],
  ['"oldest of all"', (text) => hasPhrase(text, 'oldest of all')],
  ['store keeps', (text) => hasPhrase(text, 'store') && hasPhrase(text, 'keeps')],
  ['oldest', (text) => hasPhrase(text, 'oldest')],
  ['spüren', (text) => hasPhrase(text, 'spüren')],
  ['writ*', (text) => hasPhrase(text, 'written')],
  ['*eldo*', (text) => hasPhrase(text, 'seldom')],
]

/** A search for plain words covers the rest in one statement. */
const isAnsweredByIndex = (q: string): boolean => /^[a-z ]+$/.test(q)

const ranges: readonly (readonly [TraceFilters, (trace: TraceRow) => boolean])[] = [
  [{}, () => true],
  [{ fromUs: 30n, toUs: 470n }, ({ startUs }) => startUs >= 30n && startUs < 470n],
  [{ where: [{ field: 'errors', min: 2 }] }, ({ errors }) => errors >= 2],
]

for (const [queryIndex, [q, isIn]] of queries.entries())
  test(`${q} finds the same traces in time slices as in one search, page by page`, async () => {
    for (const [rangeIndex, [filters, isMatch]] of ranges.entries()) {
      // Each query is tested with one range, a different one than the next query; the slow group tests all pairs.
      if (!isThorough && rangeIndex !== (queryIndex + 2) % ranges.length) continue
      for (const tracesToSearch of [undefined, 4_500]) {
        const expected = traces
          .filter((trace) => isMatch(trace) && textsOf.get(trace.traceId)?.some(isIn))
          .map(({ traceId }) => traceId)
        const matches: { readonly traceId: string; readonly startUs: bigint }[] = []
        const limit = Math.max(50, Math.ceil(expected.length / 3))
        let position: Position | undefined
        let stops = 0
        do {
          const page = await store
            .scopedTo(workspaceId)
            .list(
              { ...filters, q },
              { limit, before: position, firstSlice, ...(tracesToSearch && { tracesToSearch }) },
            )
          assert.ok(page.traces.length === limit || page.next === undefined || tracesToSearch !== undefined)
          if (page.searchedFromUs !== undefined) {
            stops += 1
            assert.ok(page.traces.length <= limit)
            assert.ok(page.traces.every(({ startUs }) => startUs >= page.searchedFromUs!))
          }
          matches.push(...page.traces)
          position = page.next
        } while (position !== undefined)
        // The ranges have nearly all traces, or few; frequent words fill the pages before a search stops.
        if (expected.length < 100 && filters.where === undefined)
          assert.equal(stops > 0, tracesToSearch !== undefined && !isAnsweredByIndex(q))
        assert.deepEqual(matches.map(({ traceId }) => traceId).toSorted(), expected.toSorted())
        assert.ok(
          matches.every(
            ({ startUs }, index) => index === 0 || startUs <= (matches[index - 1]?.startUs ?? 0n),
          ),
        )
      }
    }
  })
