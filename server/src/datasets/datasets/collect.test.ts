import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeDataset, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { collect, rows } = operations.datasets
const { newWorkspace } = await startTestApp()

const columns = ['question', 'language'].map((name) => ({ name, type: 'text' }))

describe('datasets.collect', () => {
  it('201: fills columns from the input by their names, with the ideal output and the source', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns })
    const { id } = await recordTrace(workspace, {
      input: { question: 'Why?', other: 1 },
      idealOutput: 'So.',
    })
    const { ids } = await workspace.ok(collect, { slug: 'cases', sources: [{ traceId: id }] })
    const [row] = (await workspace.ok(rows, { slug: 'cases' })).rows
    const { createdAt: _at, ...rowFields } = row!
    assert.deepEqual(rowFields, {
      id: ids[0],
      values: { question: 'Why?' },
      idealOutput: 'So.',
      metadata: { traceId: id },
    })
  })

  it('201: accepts a log with its variables, by the mapping, and the whole input if nothing matches', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns })
    const { id } = await recordTrace(workspace, {
      input: 'plain',
      logs: [
        {
          id: 'g',
          type: 'generation',
          input: [{ role: 'user', content: 'Hallo' }],
          output: { text: 'Hi' },
          variables: [{ label: 'language', value: 'de' }],
        },
      ],
    })
    await workspace.ok(collect, {
      slug: 'cases',
      sources: [{ traceId: id, logId: 'g' }],
      mapping: { question: 'input.0.content', language: 'variables.language' },
      idealOutput: 'output.text',
    })
    await workspace.ok(collect, { slug: 'cases', sources: [{ traceId: id }] })
    const [mapped, whole] = (await workspace.ok(rows, { slug: 'cases' })).rows
    assert.deepEqual(mapped?.values, { question: 'Hallo', language: 'de' })
    assert.deepEqual([mapped?.idealOutput, mapped?.metadata], ['Hi', { traceId: id, logId: 'g' }])
    assert.deepEqual(whole?.values, { question: 'plain' })
  })

  it('201: accepts the maximum number of sources in order, the same trace several times too', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns })
    const recorded: string[] = []
    for (let index = 0; index < 30; index++) {
      const logs = [0, 1].map((log) => ({
        id: `l${log}`,
        type: 'tool',
        input: { question: `${index}.${log}` },
      }))
      recorded.push((await recordTrace(workspace, { input: { question: `${index}` }, logs })).id)
    }
    const sources = recorded.flatMap((id, index) => [
      { traceId: index % 2 === 0 ? id : id.toUpperCase(), logId: 'l1' },
      { traceId: id },
      { traceId: id, logId: 'l0' },
    ])
    const { ids } = await workspace.ok(collect, { slug: 'cases', sources })
    const collected = (await workspace.ok(rows, { slug: 'cases' })).rows
    assert.deepEqual(
      collected.map(({ id }) => id),
      ids,
    )
    assert.deepEqual(
      collected.map(({ values, metadata }) => [values.question, metadata?.traceId]),
      recorded.flatMap((id, index) => ['.1', '', '.0'].map((log) => [`${index}${log}`, id])),
    )
  })

  it('400: a path starts with something that a trace does not have', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns })
    const { id } = await recordTrace(workspace)
    const input = { slug: 'cases', sources: [{ traceId: id }], mapping: { question: 'secret' } }
    assert.match(await workspace.refused(collect, input, 400), /^mapping\.question: must begin with one of /)
  })

  it('404: the dataset, trace or log does not exist, and nothing is added', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns })
    const { id } = await recordTrace(workspace)
    const nobody = '01890000-0000-7000-8000-000000000000'
    await workspace.refused(collect, { slug: 'nobody', sources: [{ traceId: id }] }, 404)
    await workspace.refused(collect, { slug: 'cases', sources: [{ traceId: id }, { traceId: nobody }] }, 404)
    await workspace.refused(collect, { slug: 'cases', sources: [{ traceId: id, logId: 'x' }] }, 404)
    assert.deepEqual((await workspace.ok(rows, { slug: 'cases' })).rows, [])
  })
})
