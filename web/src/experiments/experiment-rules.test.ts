import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comparisonCsv } from './comparison-csv.ts'
import { formatDelta, formatMeasure, judge, judgeInterval, measureLabel, readableText } from './measures.ts'
import { summariesOf } from './summaries.ts'

describe('a measure', () => {
  it('is formatted in its unit, and a difference with its sign', () => {
    assert.deepEqual(
      ['score.tone', 'cost', 'durationMs', 'tokens'].map((name) => formatDelta(name, -0.0012)),
      ['−0.001', '−$0.0012', '−0.0012 ms', '−0'],
    )
    assert.equal(formatDelta('score.tone', 0), '±0')
    assert.equal(formatMeasure('score.tone', 0.66666), '0.667')
    assert.deepEqual([measureLabel('score.tone'), measureLabel('durationMs')], ['tone', 'Duration'])
  })

  it('is better if it is higher, or if it is lower and less is better', () => {
    assert.deepEqual(
      [judge(0.1, false), judge(0.1, true), judge(-0.1, true), judge(0, true), judge(undefined, false)],
      ['better', 'worse', 'better', 'unclear', 'unclear'],
    )
  })

  it('is better or worse overall only if the interval excludes 0', () => {
    assert.equal(judgeInterval({ low: 0.1, high: 0.3 }, false), 'better')
    assert.equal(judgeInterval({ low: 0.1, high: 0.3 }, true), 'worse')
    assert.equal(judgeInterval({ low: -0.1, high: 0.3 }, false), 'unclear')
    assert.equal(judgeInterval({ low: null, high: null }, false), 'unclear')
  })
})

describe('the text of an output', () => {
  it('is read from its JSON, even if that was truncated', () => {
    assert.deepEqual(['"a\\nb"', '{"a":1}', '"cut of', null].map(readableText), [
      'a\nb',
      '{\n  "a": 1\n}',
      '"cut of',
      '',
    ])
  })
})

describe('the summary of an experiment', () => {
  it('has means per trace and per trace with a cost, and its scores', () => {
    const summaries = summariesOf(
      [
        { experiment: 'e', traces: 4, avgDurationMs: null, errorRate: 0.25 },
        { experiment: 'f', traces: 1, avgDurationMs: 1, errorRate: 0 },
      ],
      [{ experiment: 'e', traces: 2, cost: 1 }],
      [
        { experiment: 'e', scoreName: 'tone', avgScore: 0.5 },
        { experiment: 'e', scoreName: 'label', avgScore: null },
      ],
    )
    assert.deepEqual(summaries.get('e'), {
      traces: 4,
      costUsd: 0.5,
      durationMs: undefined,
      errorRate: 0.25,
      scores: [{ name: 'tone', mean: 0.5 }],
    })
    assert.equal(summaries.get('f')?.costUsd, undefined)
  })
})

describe('a comparison as CSV', () => {
  it('has a line per case, and nothing that a spreadsheet would execute', () => {
    const cell = { experimentId: 'e', traceIds: ['t'], errors: 0, categories: {}, deltas: {}, spreads: {} }
    const csv = comparisonCsv({
      experiments: [{ id: 'e', name: 'One', featureSlug: 'f', createdAt: '' }],
      measures: [{ name: 'cost', lowerIsBetter: true, experiments: [] }],
      cases: [
        {
          key: 'row 1',
          isRegression: true,
          input: '=1+1',
          idealOutput: null,
          cells: [{ ...cell, output: 'a "b"', values: { cost: -0.5 } }],
        },
      ],
    })
    const [titles, line] = csv.split('\r\n')
    assert.match(titles ?? '', /^case,datasetRowId,isRegression,input,idealOutput,One: output,/)
    assert.equal(line, `row 1,,true,'=1+1,,"a ""b""",t,0,-0.5,`)
  })

  it('includes text scores, and distinguishes experiments of the same name', () => {
    const cell = { traceIds: ['t'], errors: 0, values: {}, deltas: {}, spreads: {}, output: null }
    const csv = comparisonCsv({
      experiments: ['a', 'b'].map((id) => ({ id, name: 'One', featureSlug: 'f', createdAt: '' })),
      measures: [],
      cases: [
        {
          key: 'row 1',
          isRegression: false,
          input: null,
          idealOutput: null,
          cells: [
            { ...cell, experimentId: 'a', categories: { tone: 'polite' } },
            { ...cell, experimentId: 'b', categories: {} },
          ],
        },
      ],
    })
    const columns = ['output', 'trace', 'errors', 'text of score.tone']
    const titles = ['a', 'b'].flatMap((id) => columns.map((column) => `One (${id}): ${column}`))
    assert.equal(
      csv,
      `case,datasetRowId,isRegression,input,idealOutput,${titles.join(',')}\r\nrow 1,,false,,,,t,0,polite,,t,0,\r\n`,
    )
  })
})
