import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeEvaluator, recordTrace, startTestApp } from '../../../testing/test-app.ts'
import { judgeAgreement, matchCases } from './judge-agreement.ts'

const { agreement } = operations.evaluators
const { app, newWorkspace } = await startTestApp()

const row = (traceId: string, value: ScoreRow['value'], fields: Partial<ScoreRow> = {}): ScoreRow => ({
  workspaceId: 'w',
  scoreId: `${traceId} ${fields.author ?? fields.evaluatorVersion ?? ''}`,
  traceId,
  logId: null,
  name: 'n',
  value,
  comment: null,
  createdAtMs: 0,
  source: 'human',
  evaluatorSlug: null,
  evaluatorVersion: null,
  model: null,
  sessionId: null,
  judgeTraceId: null,
  cost: null,
  inputTokens: null,
  outputTokens: null,
  apiKeyId: null,
  author: null,
  userId: null,
  revision: 0,
  ...fields,
})

const computeAgreement = (verdicts: ScoreRow[], human: ScoreRow[]) => {
  const { type, cases } = matchCases(verdicts, human)
  return judgeAgreement(type, cases)
}

describe('agreement of a judge with human annotators', () => {
  it("counts the judge's verdicts for each human verdict, row by row", () => {
    const pairs: [judge: boolean, people: boolean][] = [
      [true, true],
      [true, true],
      [true, false],
      [false, false],
    ]
    const { agreed, matrix, categories, kappa, type } = computeAgreement(
      pairs.map(([judge], index) => row(`${index}`, judge)),
      pairs.map(([, people], index) => row(`${index}`, people)),
    )
    assert.deepEqual(
      [type, categories, matrix],
      [
        'boolean',
        [true, false],
        [
          [2, 1],
          [0, 1],
        ],
      ],
    )
    assert.deepEqual([agreed.count, agreed.share, kappa], [4, 0.75, 0.5])
  })

  it('uses the majority of human scores, and ignores ties', () => {
    const { agreed, undecided } = computeAgreement(
      [row('1', 'a'), row('2', 'a')],
      [
        ...['a', 'b', 'a'].map((value, index) => row('1', value, { author: `${index}` })),
        ...['a', 'b'].map((value, index) => row('2', value, { author: `${index}` })),
      ],
    )
    assert.deepEqual([agreed.count, agreed.share, undecided], [1, 1, 1])
  })

  it('compares numbers by differences and correlations, with the mean of human scores', () => {
    const numbers = computeAgreement(
      [1, 2, 3, 4].map((value) => row(`${value}`, value)),
      [1, 2, 3, 4].flatMap((value) => [row(`${value}`, value + 1), row(`${value}`, value, { author: 'b' })]),
    )
    assert.equal(numbers.type, 'numeric')
    assert.deepEqual([numbers.meanDifference, numbers.agreed.share], [0.5, 0])
    assert.ok(Math.abs(numbers.pearson! - 1) < 1e-12 && Math.abs(numbers.spearman! - 1) < 1e-12)
  })

  it('has no matrix for free texts, and does not take time cubic in their number', () => {
    const { agreed, kappa, categories, matrix } = computeAgreement(
      Array.from({ length: 10_000 }, (_, index) => row(`${index}`, index % 2 === 0)),
      Array.from({ length: 10_000 }, (_, index) => row(`${index}`, index < 2 ? 'true' : `note ${index}`)),
    )
    assert.deepEqual([agreed.count, agreed.share, categories, matrix], [10_000, 0.0001, [], []])
    // By chance 5,000 of one kind and 2 of the other would agree once in 10,000, as they do.
    assert.ok(Math.abs(kappa!) < 1e-12, `${kappa}`)
  })

  it('counts the latest verdict per subject, and each version separately', () => {
    const version = (evaluatorVersion: string, createdAtMs: number) => ({ evaluatorVersion, createdAtMs })
    const { agreed, versions } = computeAgreement(
      [row('1', false, version('1', 1)), row('1', true, version('2', 2)), row('2', true, version('1', 1))],
      [row('1', true), row('2', true)],
    )
    assert.deepEqual([agreed.count, agreed.share], [2, 1])
    assert.deepEqual(
      versions.map((versionAgreement) => [
        versionAgreement.version,
        versionAgreement.agreed.count,
        versionAgreement.agreed.share,
      ]),
      [
        [2, 1, 1],
        [1, 2, 0.5],
      ],
    )
  })
})

describe('evaluators.agreement', () => {
  it('200: compares an evaluator with human scores, and lists disagreements', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const outputs = ['please wait', 'please go', 'no', 'go away']
    const thumbs = [true, false, false, true]
    const traceIds: string[] = []
    for (const [index, output] of outputs.entries()) {
      const { id: traceId } = await recordTrace(workspace, { output })
      traceIds.push(traceId)
      const input = {
        traceId,
        name: 'thumb',
        value: thumbs[index],
        userId: 'ada',
        comment: `I say ${thumbs[index]}.`,
      }
      await workspace.ok(operations.scores.create, input)
    }
    await workspace.ok(operations.scores.create, { traceId: traceIds[0], name: 'other', value: 1 })
    await workspace.ok(operations.evaluations.create, { evaluatorSlug: 'polite', traceIds })
    const all = await eventually(async () => {
      const answer = await workspace.ok(agreement, { slug: 'polite' })
      assert.deepEqual(answer.candidates, [
        { name: 'thumb', count: 4 },
        { name: 'other', count: 1 },
      ])
      return answer
    })
    await app.flush()
    assert.equal(all.against, 'thumb')
    assert.deepEqual([all.agreement?.agreed.share, all.agreement?.kappa], [0.5, 0])
    assert.deepEqual(all.agreement?.matrix, [
      [1, 1],
      [1, 1],
    ])
    assert.deepEqual(
      all.cases.map(({ traceId }) => traceId).toSorted(),
      [traceIds[1], traceIds[3]].toSorted(),
    )
    const { judge, people, version } = all.cases.find(({ traceId }) => traceId === traceIds[1])!
    assert.deepEqual([judge.value, version], [true, 1])
    assert.deepEqual(people, [{ value: false, comment: 'I say false.', author: 'Test', userId: 'ada' }])
    const cell = await workspace.ok(agreement, { slug: 'polite', judgeValue: 'true', humanValue: 'true' })
    assert.deepEqual(
      cell.cases.map(({ traceId }) => traceId),
      [traceIds[0]],
    )
    const first = await workspace.ok(agreement, { slug: 'polite', limit: 1 })
    const next = await workspace.ok(agreement, { slug: 'polite', limit: 1, cursor: first.nextCursor! })
    assert.deepEqual([...first.cases, ...next.cases], all.cases)
    const other = await workspace.ok(agreement, { slug: 'polite', against: 'other' })
    assert.equal(other.agreement?.type, 'numeric')
    const none = await workspace.ok(agreement, { slug: 'polite', to: '2001-01-01T00:00:00Z' })
    assert.deepEqual(none, { against: null, candidates: [], agreement: null, cases: [] })
  })

  it('400 and 404: for a value that is not JSON, for an invalid instant, and for an unknown evaluator', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const refusalOf = (fields: object) => workspace.refused(agreement, { slug: 'polite', ...fields }, 400)
    assert.match(await refusalOf({ judgeValue: 'yes' }), /^judgeValue: /)
    assert.match(await refusalOf({ humanValue: '{}' }), /^humanValue: /)
    assert.match(await refusalOf({ from: 'x' }), /^from: /)
    assert.match(await refusalOf({ cursor: 'x' }), /^cursor: /)
    await workspace.refused(agreement, { slug: 'nobody' }, 404)
  })
})

describe('a `human` evaluator', () => {
  it('400: names the problem with its rubric or its verdict', async () => {
    const workspace = await newWorkspace()
    const refusalOf = (verdict: object) =>
      workspace.refused(
        operations.evaluators.create,
        { slug: 'a', name: 'A', kind: 'human', config: { verdict } },
        400,
      )
    assert.match(await refusalOf({ type: 'stars' }), /^config\.verdict\.type: /)
    assert.match(await refusalOf({ type: 'categorical' }), /^config\.verdict\.choices: /)
    assert.match(await refusalOf({ type: 'numeric', min: 1 }), /^config\.verdict\.max: /)
    assert.match(await refusalOf({ type: 'numeric', min: 2, max: 1 }), /^config\.verdict\.max: /)
    assert.match(await refusalOf({ type: 'numeric', min: 0, max: 1, step: 0.3 }), /^config\.verdict\.step: /)
    const points = [{ value: 7, label: 'Seven' }]
    assert.match(await refusalOf({ type: 'numeric', min: 1, max: 5, points }), /points\[0\]\.value: /)
    await makeEvaluator(workspace, { kind: 'human', config: {} })
    const config = { verdict: { type: 'numeric', min: 0, max: 1, step: 0.1 } }
    await makeEvaluator(workspace, { slug: 'b', kind: 'human', config })
  })
})
