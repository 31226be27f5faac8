import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareMeasures } from './compare-measures.ts'
import type { Cell } from './comparison.ts'

const plan = { ids: ['old', 'new'], baselineId: 'old', lowerIsBetter: new Set<string>() }

const cellOf = (experimentId: string, values: Record<string, number>): Cell => ({
  experimentId,
  traceIds: [],
  errors: 0,
  values,
  spreads: {},
  categories: {},
  deltas: {},
  latest: undefined,
})

/** Compares cases by the differences of each measure. */
function compareDifferences(differences: Record<string, readonly number[]>) {
  const count = Math.max(...Object.values(differences).map((values) => values.length))
  const cases = Array.from({ length: count }, (_, index) => [
    cellOf(
      'old',
      mapValues(differences, () => 1),
    ),
    cellOf(
      'new',
      mapValues(differences, (values) => 1 + values[index]!),
    ),
  ])
  const measures = compareMeasures(Object.keys(differences), cases, plan)
  return Object.fromEntries(measures.map(({ name, experiments }) => [name, experiments[1]!]))
}

const mapValues = (
  differences: Record<string, readonly number[]>,
  map: (values: readonly number[]) => number,
) => Object.fromEntries(Object.entries(differences).map(([name, values]) => [name, map(values)]))

const gains = [0.4, 0.3, 0.5, 0.2, 0.6, 0.35]
const noise = [0.1, -0.1, 0.2, -0.2, 0.05, -0.05]

describe('comparing measures', () => {
  it('calls no difference better or worse with 5 cases, and states how many more are needed (finding 4)', () => {
    const { 'score.a': compared } = compareDifferences({ 'score.a': [-2, -2, -2, -2, -2] })
    assert.equal(compared?.verdict, 'too_few')
    assert.equal(compared?.casesNeeded, 1)
    assert.deepEqual([compared?.low, compared?.high], [null, null])
    assert.deepEqual([compared?.worse, compared?.pValue], [5, 0.0625])
  })

  it('calls six gains in six cases better if it is the only measure, and requires more cases if there are others', () => {
    assert.equal(compareDifferences({ 'score.a': gains })['score.a']?.verdict, 'better')
    const { 'score.a': compared } = compareDifferences({ 'score.a': gains, 'score.b': noise })
    assert.deepEqual([compared?.verdict, compared?.casesNeeded], ['too_few', 1])
    assert.deepEqual([compared?.pMean, compared?.pCorrected], [0.03125, 0.0625])
  })

  it('corrects for the number of measures: a difference that one measure alone would show may be chance among three', () => {
    const edge = [0.4, 0.3, 0.5, 0.2, 0.6, 0.35, 0.3, 0.25, -0.1, -0.3]
    const calm = [0.1, -0.1, 0.2, -0.2, 0.05, -0.05, 0.1, -0.1, 0, 0]
    assert.equal(compareDifferences({ 'score.a': edge })['score.a']?.verdict, 'better')
    const { 'score.a': compared } = compareDifferences({ 'score.a': edge, 'score.b': calm, 'score.c': calm })
    assert.equal(compared?.verdict, 'unclear')
    assert.equal(compared?.pCorrected, 3 * compared!.pMean!)
  })

  it('treats a lower cost as better, and a higher score', () => {
    const compared = compareDifferences({
      'score.a': [...gains, ...gains],
      cost: [...gains, ...gains].map((gain) => -gain),
    })
    assert.equal(compared['score.a']?.verdict, 'better')
    assert.equal(compared.cost?.verdict, 'better')
    assert.deepEqual([compared.cost?.better, compared.cost?.worse], [12, 0])
  })

  it('returns the mean of the baseline over the pairs, and the cases in which only the baseline has the measure', () => {
    const ran = (experimentId: string, values: Record<string, number>) => ({
      ...cellOf(experimentId, values),
      traceIds: ['t'],
    })
    const cases = [
      [ran('old', { cost: 1 }), ran('new', { cost: 1.2 })],
      [ran('old', { cost: 1 }), ran('new', { cost: 1.2 })],
      [ran('old', { cost: 100 }), ran('new', {})],
      [ran('old', { cost: 100 }), cellOf('new', {})],
      [ran('old', {}), ran('new', { cost: 7 })],
    ]
    const [measure] = compareMeasures(['cost'], cases, plan)
    const compared = measure?.experiments[1]
    assert.deepEqual([compared?.pairs, compared?.baselineMean, compared?.unmeasured], [2, 1, 1])
    assert.equal(measure?.experiments[0]?.baselineMean, undefined)
  })

  it('returns no verdict without a shared case', () => {
    const cases = [
      [cellOf('old', { cost: 1 }), cellOf('new', {})],
      [cellOf('old', {}), cellOf('new', { cost: 1 })],
    ]
    const [measure] = compareMeasures(['cost'], cases, plan)
    const { pairs, verdict, baselineMean } = measure!.experiments[1]!
    assert.deepEqual([pairs, verdict, baselineMean], [0, undefined, null])
  })
})
