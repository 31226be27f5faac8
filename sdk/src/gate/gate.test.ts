import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gateMarkdown } from './gate-markdown.ts'
import { type Comparison, judgeGate } from './judge-gate.ts'
import { RuleUnreadable, readRule, readRules } from './rule.ts'

type Entry = Comparison['measures'][number]['experiments'][number]

/** Fifty cases, in which the candidate is a little worse and a tenth cheaper. */
function comparisonOf(fields: Partial<Comparison> = {}, accuracy: Partial<Entry> = {}): Comparison {
  const measure = (name: string, baseline: number, entry: Omit<Entry, 'id' | 'count'>) => ({
    name,
    lowerIsBetter: !name.startsWith('score.'),
    experiments: [
      { id: 'old', count: 50, mean: baseline },
      { id: 'new', count: 50, ...entry },
    ],
  })
  const worse = {
    pairs: 50,
    baselineMean: 0.9,
    meanDelta: -0.04,
    low: -0.1,
    high: 0.02,
    better: 3,
    worse: 5,
    pValue: 0.727,
  }
  const cheaper = {
    pairs: 50,
    baselineMean: 1,
    meanDelta: -0.1,
    low: -0.12,
    high: -0.08,
    better: 50,
    worse: 0,
    pValue: 1e-10,
  }
  const experiment = { featureSlug: 'chat', createdAt: '2027-01-01T00:00:00Z' }
  return {
    experiments: [
      { id: 'old', name: 'Old | one', ...experiment },
      { id: 'new', name: 'New', ...experiment },
    ],
    datasets: [],
    baselineId: 'old',
    measures: [
      measure('score.accuracy', 0.9, { mean: 0.86, ...worse, ...accuracy }),
      measure('cost', 1, { mean: 0.9, ...cheaper }),
      measure('score.tone', 0, {
        mean: 0,
        ...worse,
        baselineMean: 0,
        meanDelta: 0,
        low: 0,
        high: 0,
        better: 0,
        worse: 0,
        pValue: 1,
      }),
    ],
    caseCount: 50,
    regressionCount: 5,
    gaps: [
      { id: 'old', missing: 0, failing: 0 },
      { id: 'new', missing: 0, failing: 2 },
    ],
    isWhole: true,
    cases: [],
    ...fields,
  }
}

const verdictOf = (line: string, comparison = comparisonOf()): string =>
  judgeGate(comparison, 'new', [readRule(line)]).rules[0]!.verdict

describe('a rule', () => {
  it('may have spaces anywhere', () => {
    assert.deepEqual(readRule(' delta( score.my accuracy )>= -2% '), {
      text: 'delta( score.my accuracy )>= -2%',
      type: 'delta',
      measure: 'score.my accuracy',
      comparator: '>=',
      value: -0.02,
      isShare: true,
    })
    assert.equal(readRule('cost<=+10%').type, 'delta')
    assert.equal(readRule('cost <= 0.01').type, 'mean')
    assert.equal(readRules(['# quality', '', 'p < 0.05']).length, 1)
  })

  it('that is invalid is rejected, with examples of valid rules', () => {
    for (const line of [
      'accuracy >= 1',
      'score.a = 1',
      'p > 0.05',
      'p < 5',
      'regressions <= 5%',
      'score. >= 1',
    ])
      assert.throws(() => readRule(line), RuleUnreadable, line)
  })
})

describe('a gate', () => {
  it('compares the mean of the candidate with a bound', () => {
    assert.equal(verdictOf('score.accuracy >= 0.86'), 'pass')
    assert.equal(verdictOf('score.accuracy > 0.86'), 'fail')
    assert.equal(verdictOf('score.accuracy >= 0.87'), 'fail')
    assert.equal(verdictOf('score.other >= 0.5'), 'inconclusive')
  })

  it('prints a value with enough digits to distinguish it from the bound', () => {
    const reasonOf = (line: string, mean: number): string =>
      judgeGate(comparisonOf({}, { mean }), 'new', [readRule(line)]).rules[0]!.reason
    assert.equal(reasonOf('score.accuracy >= 0.8', 0.7996), 'The mean of score.accuracy is 0.7996.')
    assert.equal(reasonOf('score.accuracy >= 0.8', 0.8 - 1e-12), 'The mean of score.accuracy is 0.8.')
    assert.equal(reasonOf('score.accuracy <= 12340', 12_341), 'The mean of score.accuracy is 12341.')
    assert.equal(reasonOf('score.accuracy >= 0.5', 0.79962), 'The mean of score.accuracy is 0.8.')
  })

  it('compares the difference from the baseline, absolute or as a share, and says if it is not certain', () => {
    assert.equal(verdictOf('delta(score.accuracy) >= -0.04'), 'pass')
    assert.equal(verdictOf('delta(score.accuracy) >= -0.02'), 'fail')
    assert.equal(verdictOf('cost <= +10%'), 'pass')
    assert.equal(verdictOf('cost <= -10%'), 'pass')
    assert.equal(verdictOf('cost <= -11%'), 'fail')
    assert.equal(verdictOf('score.tone >= -1%'), 'pass')
    const { reason } = judgeGate(comparisonOf(), 'new', [readRule('delta(score.accuracy) >= -0.05')])
      .rules[0]!
    assert.match(reason, /differs by -0\.04, 95 % interval -0\.1 to \+0\.02\. .*not certain/)
    const ofNothing = comparisonOf({}, { meanDelta: 0.5, baselineMean: 0 })
    assert.equal(verdictOf('score.accuracy >= -1%', ofNothing), 'inconclusive')
  })

  it('bases a share on the mean of the baseline in the same cases', () => {
    const partial = comparisonOf()
    const [before, after] = partial.measures[1]!.experiments
    Object.assign(before!, { count: 4, mean: 50.5 })
    Object.assign(after!, {
      count: 2,
      mean: 1.2,
      pairs: 2,
      baselineMean: 1,
      meanDelta: 0.2,
      low: null,
      high: null,
    })
    assert.equal(verdictOf('cost <= +10%', partial), 'fail')
    assert.equal(verdictOf('cost <= +20%', partial), 'pass')
  })

  it('does not decide by a difference that leaves out cases for which the baseline has the measure', () => {
    const judgeDelta = (cases: number) =>
      judgeGate(comparisonOf({}, { unmeasured: cases }), 'new', [readRule('delta(score.accuracy) >= -0.05')])
        .rules[0]!
    assert.equal(judgeDelta(0).verdict, 'pass')
    assert.equal(judgeDelta(1).verdict, 'inconclusive')
    assert.match(
      judgeDelta(1).reason,
      /differs by -0\.04.* In 1 more case that both ran, only the baseline has score\.accuracy\.$/,
    )
    assert.match(judgeDelta(2).reason, / In 2 more cases that/)
  })

  it('does not pass by a mean or by p if such cases are left out: the remaining ones may be the better ones', () => {
    const judgeLine = (line: string, accuracy: Partial<Entry>) =>
      judgeGate(comparisonOf({}, { unmeasured: 40, count: 10, pairs: 10, ...accuracy }), 'new', [
        readRule(line),
      ]).rules[0]!
    for (const line of ['score.accuracy >= 0.8', 'p < 0.05', 'p(score.accuracy) < 0.05']) {
      const judged = judgeLine(line, { better: 0, worse: 0, pValue: 1, mean: 1 })
      assert.equal(judged.verdict, 'inconclusive')
      assert.match(judged.reason, / In 40 more cases that both ran, only the baseline has score\.accuracy\.$/)
    }
    const worse = judgeLine('p(score.accuracy) < 0.05', { better: 0, worse: 10, pValue: 0.002 })
    assert.equal(worse.verdict, 'fail')
  })

  it('decides nothing about regressions if no case was run by both', () => {
    const apart = { ...comparisonOf(), measures: [], regressionCount: 0 }
    assert.equal(verdictOf('regressions <= 0', apart), 'inconclusive')
    assert.equal(verdictOf('failing <= 2', apart), 'pass')
    assert.equal(verdictOf('regressions <= 0', comparisonOf({ regressionCount: 0 })), 'pass')
  })

  it('fails by p only if a score is significantly worse', () => {
    assert.equal(verdictOf('p(score.accuracy) < 0.05'), 'pass')
    const worse = { better: 2, worse: 20, pValue: 0.0001 }
    assert.equal(verdictOf('p(score.accuracy) < 0.05', comparisonOf({}, worse)), 'fail')
    const better = { better: 20, worse: 2, pValue: 0.0001 }
    assert.equal(verdictOf('p(score.accuracy) < 0.05', comparisonOf({}, better)), 'pass')
    // With two scores, the threshold is halved: 0.03 is below 0.05, but above half of it.
    const close = { better: 2, worse: 10, pValue: 0.03 }
    assert.equal(verdictOf('p(score.accuracy) < 0.05', comparisonOf({}, close)), 'fail')
    assert.equal(verdictOf('p < 0.05', comparisonOf({}, close)), 'pass')
    assert.equal(verdictOf('p < 0.05', comparisonOf({ measures: [] })), 'inconclusive')
  })

  it('does not pass by p if it could not fail: with 5 of 5 cases worse, one more case is needed (finding 4)', () => {
    const judgeLine = (line: string, pairs: number, better: number, worse: number, pValue: number) =>
      judgeGate(comparisonOf({}, { pairs, better, worse, pValue }), 'new', [readRule(line)]).rules[0]!
    const five = judgeLine('p(score.accuracy) < 0.05', 5, 0, 5, 0.0625)
    assert.equal(five.verdict, 'inconclusive')
    assert.match(five.reason, /^Cannot be decided: needs at least 1 more case\. .*worse in 5 of 5 cases/)
    assert.equal(judgeLine('p(score.accuracy) < 0.05', 6, 0, 6, 0.03125).verdict, 'fail')
    assert.equal(judgeLine('p(score.accuracy) < 0.05', 6, 3, 3, 1).verdict, 'pass')
    // With two scores, the lowest value that six cases can reach is 0.0625, which is not below 0.0625.
    assert.match(judgeLine('p < 0.05', 6, 0, 6, 0.03125).reason, /needs at least 1 more case\./)
    assert.match(
      judgeLine('p(score.accuracy) < 0.0625', 5, 0, 5, 0.0625).reason,
      /needs at least 1 more case\./,
    )
    assert.match(
      judgeLine('p(score.accuracy) < 0.001', 5, 0, 5, 0.0625).reason,
      /needs at least 6 more cases\./,
    )
  })

  it('counts cases, and fails a candidate that did not run all of them unless a rule allows it', () => {
    assert.equal(verdictOf('regressions <= 5'), 'pass')
    assert.equal(verdictOf('regressions < 5'), 'fail')
    assert.equal(verdictOf('failing <= 1'), 'fail')
    const partial = comparisonOf({
      gaps: [
        { id: 'old', missing: 0, failing: 0 },
        { id: 'new', missing: 3, failing: 0 },
      ],
    })
    assert.equal(judgeGate(partial, 'new', [readRule('regressions <= 5')]).verdict, 'fail')
    assert.equal(judgeGate(partial, 'new', [readRule('missing <= 3')]).verdict, 'pass')
  })

  it('cannot decide on only a part of the traces', () => {
    const partial = comparisonOf({ isWhole: false })
    assert.equal(judgeGate(partial, 'new', [readRule('regressions <= 5')]).verdict, 'inconclusive')
    assert.equal(judgeGate(partial, 'new', [readRule('regressions < 5')]).verdict, 'fail')
  })

  it('fails if one rule fails, and is inconclusive if one rule is', () => {
    const rules = (...lines: string[]) => judgeGate(comparisonOf(), 'new', readRules(lines)).verdict
    assert.equal(rules('score.accuracy >= 0.8', 'regressions <= 5'), 'pass')
    assert.equal(rules('score.accuracy >= 0.8', 'score.other >= 1'), 'inconclusive')
    assert.equal(rules('score.accuracy >= 0.9', 'score.other >= 1'), 'fail')
  })
})

describe('a verdict in Markdown', () => {
  it('has a table of rules and one of measures, with special characters escaped', () => {
    const verdict = judgeGate(comparisonOf(), 'new', readRules(['score.accuracy >= 0.9', 'cost <= +10%']))
    const text = gateMarkdown(comparisonOf(), 'new', verdict, 'https://plumbline.example/app')
    assert.match(text, /^### ❌ The gate fails\n/)
    assert.match(text, /\*\*New\*\* against \*\*Old \\\| one\*\*, 50 cases · \[compare\]/)
    assert.match(text, /\| ✅ \| `cost <= \+10%` \| cost differs by -10 %/)
    assert.match(
      text,
      /\| score\.accuracy \| 0\.9 \| 0\.86 \| -0\.04 \(-0\.1 to \+0\.02\) \| 3 \/ 5 \| 0\.727 \|/,
    )
  })
})
