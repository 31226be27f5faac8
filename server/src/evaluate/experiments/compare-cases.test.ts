import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExperimentTrace } from '@plumbline/storage/traces'
import { standardDeviation } from '../../statistics/paired.ts'
import { compareCases } from './compare-cases.ts'
import { withRows } from './rows-of-traces.ts'

let caseCount = 0
const trace = (experimentId: string, row: number, value: number, fields = {}): ExperimentTrace => ({
  traceId: `${caseCount++}`,
  experimentId,
  startUs: 0n,
  durationMs: 1,
  cost: null,
  tokens: 0,
  errors: 0,
  datasetRowId: `row-${row}`,
  dataset: '',
  row: '',
  datasetVersion: '',
  split: '',
  label: '',
  inputHash: `${row}`,
  evaluatorSlugs: [],
  scores: [{ name: 'sleep', value }],
  ...fields,
})

const plan = { ids: ['a', 'b'], baselineId: 'a', lowerIsBetter: new Set<string>() }
const sleepOf = (traces: readonly ExperimentTrace[]) =>
  compareCases(traces, plan).measures.find(({ name }) => name === 'score.sleep')?.experiments[1]

// Hours of sleep that ten patients gained with two drugs: Student, The Probable Error of a Mean, Biometrika 1908.
const dextro = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
const laevo = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
const patients = [
  ...dextro.map((hours, row) => trace('a', row, hours)),
  ...laevo.map((hours, row) => trace('b', row, hours)),
]

describe('paired cases', () => {
  it('have the mean difference that Student gives, 1.58, with nine of ten on one side', () => {
    const compared = sleepOf(patients)
    assert.ok(Math.abs((compared?.meanDelta ?? 0) - 1.58) < 1e-9)
    assert.deepEqual([compared?.pairs, compared?.better, compared?.worse], [10, 9, 0])
    assert.equal(compared?.pValue, 2 / 2 ** 9)
    // The t in R's documentation of these data, 4.0621, is 1.58 over the standard error of the differences.
    const deviation = standardDeviation(laevo.map((hours, index) => hours - dextro[index]!)) ?? 0
    assert.ok(Math.abs((1.58 * Math.sqrt(10)) / deviation - 4.0621) < 5e-5)
    // An interval of the mean is about as wide as that of the t-test, which is 0.70 to 2.46 in the same place.
    assert.ok((compared?.low ?? 0) > 0.7 && (compared?.high ?? 0) < 2.6)
  })
})

it('a trace without known tokens has no value for them, and does not count as 0', () => {
  const tokensOf = (baselineTokens: number, tokens: number) =>
    compareCases(
      dextro.flatMap((hours, row) => [
        trace('a', row, hours, { tokens: baselineTokens }),
        trace('b', row, hours, { tokens }),
      ]),
      plan,
    ).measures.find(({ name }) => name === 'tokens')?.experiments
  assert.equal(tokensOf(0, 0)?.[0]?.mean ?? null, null)
  assert.deepEqual([tokensOf(0, 12)?.[1]?.mean, tokensOf(0, 12)?.[1]?.pairs], [12, 0])
  assert.equal(tokensOf(10, 12)?.[1]?.meanDelta, 2)
})

describe('cases that ran again', () => {
  it('count once, so that repeating them changes no interval and no p-value', () => {
    const again = Array.from({ length: 2 }, () =>
      patients.map((patient) => ({ ...patient, traceId: `${caseCount++}` })),
    )
    assert.deepEqual(sleepOf(again.flat()), sleepOf(patients))
  })

  it('have a mean and a spread', () => {
    const { cases } = compareCases(
      [trace('a', 1, 2), trace('a', 1, 4), trace('a', 1, 4), trace('a', 1, 4), trace('a', 1, 5)].concat([
        trace('a', 1, 5),
        trace('a', 1, 7),
        trace('a', 1, 9),
        trace('b', 1, 5),
      ]),
      plan,
    )
    const [baseline, other] = cases[0]!.cells
    assert.equal(baseline?.values['score.sleep'], 5)
    assert.equal(baseline?.spreads['score.sleep'], Math.sqrt(32 / 7))
    assert.equal(other?.spreads['score.sleep'], undefined)
  })
})

describe('rounding', () => {
  const outcomeOf = (traces: readonly ExperimentTrace[]) => {
    const { cases, measures } = compareCases(traces, plan)
    return {
      compared: measures.find(({ name }) => name === 'score.sleep')!.experiments[1]!,
      regressions: cases.filter(({ isRegression }) => isRegression).length,
      spreads: cases.flatMap(({ cells }) => cells.map(({ spreads }) => spreads['score.sleep'])),
    }
  }

  it('makes no case worse: the same three scores in another order have the same mean', () => {
    const rows = Array.from({ length: 8 }, (_, row) => row)
    const { compared, regressions } = outcomeOf(
      rows.flatMap((row) => [
        ...[0.1, 0.2, 0.3].map((value) => trace('a', row, value)),
        ...[0.3, 0.2, 0.1].map((value) => trace('b', row, value)),
      ]),
    )
    const { meanDelta, better, worse, pValue, pMean, verdict } = compared
    assert.deepEqual([meanDelta, better, worse, pValue, pMean, verdict], [0, 0, 0, 1, 1, 'unclear'])
    assert.equal(regressions, 0)
  })

  it('is no spread: if all cases gain 0.1, the interval and the detectable difference are unknown', () => {
    const { compared } = outcomeOf(
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].flatMap((value, row) => [
        trace('a', row, value),
        trace('b', row, Number((value + 0.1).toFixed(1))),
      ]),
    )
    assert.deepEqual([compared.better, compared.verdict], [7, 'better'])
    assert.deepEqual([compared.low, compared.high, compared.detectable], [null, null, null])
  })

  it('gives no spread to the runs of a case that have equal scores', () => {
    const { spreads } = outcomeOf([0.1, 0.1, 0.1].map((value) => trace('a', 0, value)))
    assert.equal(spreads[0], 0)
  })
})

describe('the gaps of an experiment', () => {
  it('are cases of the baseline that it did not run, and cases that failed', () => {
    const { gaps } = compareCases(
      [trace('a', 1, 1), trace('a', 2, 1), trace('b', 2, 1, { errors: 1 }), trace('b', 3, 1)],
      plan,
    )
    assert.deepEqual(gaps, [
      { id: 'a', missing: 0, failing: 0 },
      { id: 'b', missing: 1, failing: 1 },
    ])
  })
})

describe('the row of a trace', () => {
  it('comes from the trace itself, from its attachment, or from another trace at the same position', () => {
    const unknown = { datasetRowId: '' }
    const rows = withRows(
      [
        trace('a', 1, 1, { dataset: 'cases', row: '0' }),
        trace('b', 1, 1, { ...unknown, dataset: 'cases', row: '0' }),
        trace('b', 1, 1, { ...unknown, traceId: 'attached' }),
        trace('b', 1, 1, unknown),
      ],
      [{ traceId: 'attached', datasetRowId: 'row-9' }],
    )
    assert.deepEqual(
      rows.map(({ datasetRowId }) => datasetRowId),
      ['row-1', 'row-1', 'row-9', ''],
    )
  })

  it('does not come from a position that had several rows', () => {
    const atPlace = { dataset: 'cases', row: '0' }
    const rows = withRows(
      [
        trace('a', 1, 1, atPlace),
        trace('b', 1, 1, { ...atPlace, datasetRowId: '' }),
        trace('a', 2, 1, atPlace),
        trace('a', 1, 1, atPlace),
      ],
      [],
    )
    assert.deepEqual(
      rows.map(({ datasetRowId }) => datasetRowId),
      ['row-1', '', 'row-2', 'row-1'],
    )
  })
})
