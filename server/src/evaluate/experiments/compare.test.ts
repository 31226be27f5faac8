import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  makeExperiment,
  makeFeature,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { compare, update, delete: remove, get, list } = operations.experiments
const { app, newWorkspace } = await startTestApp()

interface Ran {
  readonly row: number
  readonly score?: number | boolean | string
  readonly cost?: number
  readonly fails?: boolean
}

/** An experiment with one trace for each row, in the form that the client's `experiment` records. */
async function run(workspace: TestWorkspace, name: string, rows: readonly Ran[]): Promise<string> {
  const experiment = await makeExperiment(workspace, { name })
  for (const { row, score, cost = 1, fails } of rows) {
    const { id } = await recordTrace(workspace, {
      experiment: { id: experiment.id },
      input: { question: `q${row}` },
      output: `${name} ${row}`,
      idealOutput: 'ideal',
      startTime: 1_700_000_000,
      endTime: 1_700_000_001,
      metadata: { dataset: 'cases', row },
      logs: [{ id: 'g', type: 'generation', cost, metadata: fails ? { error: 'No.' } : {} }],
    })
    if (score !== undefined)
      await workspace.ok(operations.scores.create, { traceId: id, name: 'accuracy', value: score })
  }
  return experiment.id
}

async function makeTwo() {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  const before = await run(workspace, 'before', [
    { row: 0, score: 0.5 },
    { row: 1, score: 0.9 },
    { row: 2, score: 0.9 },
    { row: 3, score: 0.2 },
    { row: 4 },
  ])
  const after = await run(workspace, 'after', [
    { row: 0, score: 0.5, cost: 3 },
    { row: 1, score: 0.8 },
    { row: 2, score: 0.1 },
    { row: 3, score: 0.7 },
    { row: 4, fails: true },
  ])
  await app.flush()
  return { workspace, before, after }
}

describe('experiments.compare', () => {
  it('200: returns every case with its differences, the worst regression first, and means with their intervals', async () => {
    const { workspace, before, after } = await makeTwo()
    const answer = await workspace.ok(compare, { ids: `${before},${after}` })
    assert.deepEqual(
      answer.experiments.map(({ name }) => name),
      ['before', 'after'],
    )
    assert.deepEqual([answer.baselineId, answer.caseCount, answer.isWhole], [before, 5, true])
    // Row 4 fails only now, row 2 lost most, row 1 lost a little; the others lost nothing.
    assert.deepEqual(
      answer.cases.map(({ input, isRegression }) => [JSON.parse(input ?? '').question, isRegression]),
      [
        ['q2', true],
        ['q4', true],
        ['q1', true],
        ['q0', false],
        ['q3', false],
      ],
    )
    assert.equal(answer.regressionCount, 3)
    const [worst] = answer.cases
    assert.equal(worst?.idealOutput, '"ideal"')
    assert.deepEqual(
      worst?.cells.map(({ output, values }) => [output, values['score.accuracy'], values.durationMs]),
      [
        ['"before 2"', 0.9, 1000],
        ['"after 2"', 0.1, 1000],
      ],
    )
    assert.ok(Math.abs((worst?.cells[1]?.deltas['score.accuracy'] ?? 0) + 0.8) < 1e-12)
    assert.deepEqual(worst?.cells[0]?.deltas, {})
    const accuracy = answer.measures.find(({ name }) => name === 'score.accuracy')!
    const [, compared] = accuracy.experiments
    assert.deepEqual([compared?.pairs, compared?.better, compared?.worse, compared?.count], [4, 1, 2, 4])
    assert.ok(Math.abs((compared?.meanDelta ?? 0) + 0.1) < 1e-12)
    assert.ok((compared?.low ?? 0) < -0.1 && (compared?.high ?? 0) > -0.1)
    assert.equal(compared?.pValue, 1)
    const cost = answer.measures.find(({ name }) => name === 'cost')!
    assert.deepEqual([cost.lowerIsBetter, cost.experiments[1]?.worse], [true, 1])
  })

  it('200: accepts any baseline and any direction of a score, and returns only regressions and pages on request', async () => {
    const { workspace, before, after } = await makeTwo()
    const ids = `${before},${after}`
    const turned = await workspace.ok(compare, { ids, baseline: after, only: 'regressions' })
    assert.deepEqual(
      turned.cases.map(({ input }) => JSON.parse(input ?? '').question),
      ['q3'],
    )
    const lower = await workspace.ok(compare, {
      ids,
      lowerIsBetter: 'accuracy',
      only: 'regressions',
      limit: 1,
    })
    assert.deepEqual([lower.cases.length, lower.regressionCount], [1, 2])
    const next = await workspace.ok(compare, {
      ids,
      lowerIsBetter: 'accuracy',
      only: 'regressions',
      limit: 1,
      cursor: lower.nextCursor,
    })
    assert.deepEqual([next.cases.length, next.nextCursor], [1, undefined])
    assert.notEqual(next.cases[0]?.key, lower.cases[0]?.key)
  })

  it('200: pairs by the named row, else by the input, and uses the mean of a case that ran again', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const [first, second] = [await makeExperiment(workspace), await makeExperiment(workspace)]
    const record = (id: string, fields: object) => recordTrace(workspace, { experiment: { id }, ...fields })
    await record(first.id, { input: 'a', metadata: { datasetRowId: 'r1' } })
    await record(second.id, { input: 'b', metadata: { datasetRowId: 'r1' } })
    await record(first.id, { input: 'same' })
    for (const value of [true, false]) {
      const { id } = await record(second.id, { input: 'same' })
      await workspace.ok(operations.scores.create, { traceId: id, name: 'ok', value })
      await workspace.ok(operations.scores.create, { traceId: id, name: 'tone', value: 'calm' })
    }
    await app.flush()
    const { cases } = await workspace.ok(compare, { ids: `${first.id},${second.id}` })
    assert.equal(cases.length, 2)
    const namedCase = cases.find(({ datasetRowId }) => datasetRowId === 'r1')
    assert.deepEqual(
      namedCase?.cells.map(({ traceIds }) => traceIds.length),
      [1, 1],
    )
    const again = cases.find(({ datasetRowId }) => datasetRowId === undefined)?.cells[1]
    assert.deepEqual([again?.traceIds.length, again?.values['score.ok']], [2, 0.5])
    assert.deepEqual(again?.categories, { tone: 'calm' })
  })

  it('400: names the invalid parameter', async () => {
    const { workspace, before, after } = await makeTwo()
    assert.match(await workspace.refused(compare, { ids: before }, 400), /^ids: /)
    const ids = `${before},${after}`
    assert.match(await workspace.refused(compare, { ids, baseline: 'x' }, 400), /^baseline: /)
    assert.match(await workspace.refused(compare, { ids, cursor: 'x' }, 400), /^cursor: /)
  })

  it('404: for an experiment that does not exist or belongs to another workspace', async () => {
    const { before, after } = await makeTwo()
    await (await newWorkspace()).refused(compare, { ids: `${before},${after}` }, 404)
  })
})

describe('experiments.update', () => {
  it('200: renames it; 400 without a name, 404 for an unknown experiment', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await makeExperiment(workspace)
    assert.equal((await workspace.ok(update, { id, name: 'Longer' })).experiment.name, 'Longer')
    assert.equal((await workspace.ok(get, { id })).experiment.name, 'Longer')
    assert.match(await workspace.refused(update, { id, name: '' }, 400), /^name: /)
    await workspace.refused(update, { id: 'nobody', name: 'x' }, 404)
  })
})

describe('experiments.delete', () => {
  it('204: deletes it and keeps its traces; 404 from then on', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await makeExperiment(workspace)
    const { trace } = await recordTrace(workspace, { experiment: { id } })
    await workspace.ok(remove, { id })
    assert.deepEqual((await workspace.ok(list)).experiments, [])
    assert.equal((await workspace.ok(operations.traces.get, { id: trace.id })).trace.experiment?.id, id)
    await workspace.refused(remove, { id }, 404)
  })
})
