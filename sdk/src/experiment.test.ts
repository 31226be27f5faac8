import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../fixtures/eventually.ts'
import { makeDataset, makeFeature } from '../../server/testing/test-app.ts'
import { createClient } from './index.ts'
import { fates, startProxy, startService } from './testing.ts'

const { url, workspace } = await startService()
const proxy = await startProxy(url)
const plumbline = createClient({
  baseUrl: proxy.url,
  apiKey: workspace.key.secret,
  batchDelayMs: 1,
  pauseMsMin: 1,
  onError: () => {},
})
await makeFeature(workspace)
await makeDataset(workspace)
for (const number of [1, 2, 3, 4]) {
  const row = { values: { question: `What is ${number} + 1?` }, idealOutput: String(number + 1) }
  await plumbline.datasets.add({ slug: 'cases', ...row })
}

/** Adds one, but not to 3. */
const solve = (question: unknown): string => {
  const number = Number(/\d/.exec(String(question))![0])
  return String(number === 3 ? 0 : number + 1)
}

function makeScreen(isTTY: boolean) {
  const parts: string[] = []
  const write = (part: string): void => {
    parts.push(part)
  }
  return { isTTY, columns: 60, write, read: () => parts.join('') }
}

const base = { name: 'Adding', featureSlug: 'chat', dataset: 'cases', screen: null } as const

describe('an experiment', () => {
  it('records a trace with its scores for each row, despite an unreliable service', async () => {
    proxy.fate(fates.pass)
    let underWay = 0
    let busiest = 0
    const running = plumbline.experiment({
      ...base,
      concurrency: 2,
      run: async (row, trace) => {
        busiest = Math.max(busiest, ++underWay)
        proxy.fate(fates.pass, fates.loseAnswer)
        await trace.generation({ input: row.values.question }, async () => solve(row.values.question))
        underWay--
        return solve(row.values.question)
      },
      evaluators: {
        exact: ({ row, output }) => output === row.idealOutput,
        digits: async ({ output }) => ({ value: String(output).length, comment: 'Counted.' }),
        parity: ({ output }) => (Number(output) % 2 === 0 ? 'even' : 'odd'),
      },
    })
    const { experiment, rows, scores, hasPassed } = await running
    assert.equal(busiest, 2)
    assert.deepEqual(
      rows.map(({ output }) => output),
      ['2', '3', '0', '5'],
    )
    assert.equal(scores.exact.mean, 0.75)
    assert.equal(scores.digits.mean, 1)
    assert.deepEqual(scores.parity.texts, { even: 2, odd: 2 })
    assert.equal(hasPassed, true)
    const readTraces = async () => {
      const { traces } = await workspace.ok(operations.traces.list, { experimentId: experiment.id })
      assert.equal(traces.length, 4)
      const { trace } = await workspace.ok(operations.traces.get, {
        id: (await rows[2]!.trace.recorded())!.trace.id,
      })
      const { rows: datasetRows } = await workspace.ok(operations.datasets.rows, { slug: 'cases' })
      assert.deepEqual(trace.metadata, { dataset: 'cases', row: 2, datasetRowId: datasetRows[2]!.id })
      assert.deepEqual([trace.idealOutput, trace.output, trace.logs.length], ['4', '0', 2])
      const scores = trace.scores.map(({ name, value, comment }) => [name, value, comment])
      assert.deepEqual(scores.sort(), [
        ['digits', 1, 'Counted.'],
        ['exact', false, null],
        ['parity', 'even', null],
      ])
    }
    await eventually(readTraces)
  })

  it('runs on a version, a split or a label of a dataset, and its traces name the rows', async () => {
    const slug = 'marked'
    await makeDataset(workspace, { slug })
    const { ids } = await plumbline.datasets.append({
      slug,
      rows: ['a', 'b', 'c'].map((question, index) => ({
        values: { question },
        split: index === 0 ? 'train' : 'test',
        ...(index === 2 && { labels: ['hard'] }),
      })),
    })
    await plumbline.datasetVersions.create({ slug })
    await plumbline.datasets.discard({ slug, ids: [ids[2]!] })
    const run = (row: { values: Record<string, unknown> }) => row.values.question
    const plan = { ...base, dataset: slug, run }
    const ofVersion = await plumbline.experiment({ ...plan, datasetVersion: 1, split: 'test' })
    assert.deepEqual(
      ofVersion.rows.map(({ row }) => row),
      [
        { values: { question: 'b' }, split: 'test' },
        { values: { question: 'c' }, split: 'test', labels: ['hard'] },
      ],
    )
    const ofNow = await plumbline.experiment({ ...plan, split: 'test' })
    assert.equal(ofNow.rows.length, 1)
    assert.equal((await plumbline.experiment({ ...plan, label: 'hard' })).rows.length, 0)
    await eventually(async () => {
      const compared = await plumbline.experiments.compare({
        ids: `${ofVersion.experiment.id},${ofNow.experiment.id}`,
      })
      const source = { datasetSlug: slug, split: 'test', label: null }
      assert.deepEqual(compared.datasets, [
        { id: ofVersion.experiment.id, ...source, datasetVersion: 1 },
        { id: ofNow.experiment.id, ...source, datasetVersion: null },
      ])
      // The row that both experiments ran is one case.
      const traces = new Map(
        compared.cases.map(({ datasetRowId, cells }) => [
          datasetRowId,
          cells.map(({ traceIds }) => traceIds.length),
        ]),
      )
      // Cases without a difference have no order.
      assert.deepEqual([traces.size, traces.get(ids[1]), traces.get(ids[2])], [2, [1, 1], [1, 0]])
    })
    const rows = [{ values: {} }]
    await assert.rejects(plumbline.experiment({ ...base, dataset: rows, split: 'test', run }), /slug/)
  })

  it('matches cases by row, even if a previous row has been deleted in between', async () => {
    const slug = 'shrinking'
    await makeDataset(workspace, { slug })
    const { ids } = await plumbline.datasets.append({
      slug,
      rows: ['a', 'b', 'c'].map((question) => ({ values: { question } })),
    })
    const plan = { ...base, dataset: slug, run: ({ values }: { values: object }) => values }
    const before = await plumbline.experiment(plan)
    await plumbline.datasets.discard({ slug, ids: [ids[0]!] })
    const after = await plumbline.experiment(plan)
    await eventually(async () => {
      const { cases } = await plumbline.experiments.compare({
        ids: `${before.experiment.id},${after.experiment.id}`,
      })
      const outputs = cases.map(({ datasetRowId, cells }) => [
        datasetRowId,
        cells.map(({ output }) => output ?? ''),
      ])
      assert.deepEqual(
        Object.fromEntries(outputs),
        Object.fromEntries(
          ['a', 'b', 'c'].map((question, index) => {
            const output = JSON.stringify({ question })
            return [ids[index], [output, index === 0 ? '' : output]]
          }),
        ),
      )
    })
  })

  it('runs every row with any concurrency', async () => {
    proxy.fate(fates.pass)
    for (const concurrency of [0, -1, Number.NaN]) {
      const { rows, hasPassed } = await plumbline.experiment({
        ...base,
        concurrency,
        run: () => {
          throw new Error('Nobody knows.')
        },
      })
      assert.equal(rows.filter(({ error }) => error instanceof Error).length, 4)
      assert.equal(hasPassed, false)
    }
  })

  it('fails below a threshold, and exits with 1', async () => {
    const plan = {
      ...base,
      run: (row: { values: Record<string, unknown> }) => solve(row.values.question),
      evaluators: {
        exact: ({ row, output }: { row: { idealOutput?: string }; output: unknown }) =>
          output === row.idealOutput,
      },
    }
    const reached = await plumbline.experiment({ ...plan, thresholds: { exact: 0.75 } })
    assert.deepEqual([reached.hasPassed, reached.exitCode], [true, 0])
    const missed = await plumbline.experiment({ ...plan, thresholds: { exact: 0.76 } })
    assert.deepEqual([missed.hasPassed, missed.exitCode], [false, 1])
  })

  it('continues after a row or an evaluator fails, and fails in the end', async () => {
    const screen = makeScreen(false)
    const result = await plumbline.experiment({
      ...base,
      screen,
      dataset: [{ values: { n: 1 } }, { values: { n: 2 } }, { values: { n: 3 } }],
      run: ({ values }) => {
        if (values.n === 2) throw new Error('Two is too much.')
        return values.n
      },
      evaluators: {
        odd: ({ output }) => {
          if (output === 3) throw new Error('Three is hard to judge.')
          return true
        },
        any: () => 1,
      },
    })
    assert.equal(result.exitCode, 1)
    assert.deepEqual(
      result.rows.map(({ scores }) => scores),
      [{ odd: true, any: 1 }, {}, { any: 1 }],
    )
    assert.equal(screen.read(), result.table)
    assert.match(result.table, /^Adding: 3 rows, 2 failed/)
    assert.match(result.table, /row 1: Two is too much\.\nrow 2: Three is hard to judge\./)
  })

  it('shows a progress bar on a terminal, below which the table stays intact', async () => {
    const screen = makeScreen(true)
    const { table } = await plumbline.experiment({ ...base, screen, run: () => 'x' })
    assert.match(screen.read(), /█+ 4\/4 {2}0 failed/)
    assert.ok(screen.read().endsWith(`\r\x1b[K${table}`))
  })

  it('reports traces and scores that are not stored', async () => {
    const small = createClient({
      baseUrl: url,
      apiKey: workspace.key.secret,
      recordsMax: 3,
      onError: () => {},
    })
    const { unstored, table } = await small.experiment({ ...base, run: () => 'x' })
    assert.equal(unstored, 1)
    assert.match(table, /1 traces or scores are not stored/)
  })

  it('rejects if its dataset or feature does not exist', async () => {
    await assert.rejects(plumbline.experiment({ ...base, dataset: 'none', run: () => '' }), /No dataset/)
    await assert.rejects(plumbline.experiment({ ...base, featureSlug: 'none', run: () => '' }), /No feature/)
  })
})
