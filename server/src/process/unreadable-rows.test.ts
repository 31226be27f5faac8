/** M2: a stored row that cannot be read, whatever the cause, does not prevent other rows from being read. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
} from '../../testing/test-app.ts'

const { app, newWorkspace } = await startTestApp()

const created_at = 1_700_000_000_000
/** An integer outside the range of valid times. */
const noTime = 9_000_000_000_000_000

it('lists leave out unreadable rows and say so, and records are still accepted (M2)', async () => {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  await makeLivePrompt(workspace, { version: '1.0.0', model: knownModel })
  await makeDataset(workspace)
  await workspace.ok(operations.datasets.add, { slug: 'cases', values: { question: 'Why?' } })
  await makeEvaluator(workspace)
  await makeExperiment(workspace)
  await workspace.ok(operations.prices.create, { model: 'a', inputPerMillion: 1, outputPerMillion: 1 })
  await workspace.ok(operations.views.create, { name: 'v', page: 'traces', search: '' })

  const { bundle } = app.control.scopedTo({ workspaceId: workspace.id })
  const [prompt] = await Array.fromAsync(bundle.rowsOf('prompts'))
  const [dataset] = await Array.fromAsync(bundle.rowsOf('datasets'))
  const id = () => randomUUID()
  const bad = { name: 'Bad', slug: 'bad', created_at }
  // The store itself does not validate rows; earlier versions have written such ones.
  for (const [table, row] of [
    ['features', { ...bad, description: '', created_at: noTime }],
    ['datasets', { ...bad, id: id(), columns: 'x', row_count: 0, last_position: 0 }],
    ['datasets', { ...bad, id: id(), slug: 'bad2', columns: '[7]', row_count: 0, last_position: 0 }],
    ['dataset_rows', { dataset_id: dataset!.id!, position: 9, id: id(), row_values: '{', created_at }],
    ['evaluators', { ...bad, id: id(), kind: 'contains', config: 'not json', sample_rate: 1, version: 1 }],
    ['experiments', { id: id(), feature_slug: 'chat', name: 'Bad', created_at: noTime }],
    [
      'price_overrides',
      { id: id(), model: 'b', starts_at: noTime, input_per_million: 1, output_per_million: 1, created_at },
    ],
    ['views', { id: id(), name: 'Bad', page: 'traces', search: '', created_at: noTime }],
    ['alerts', { id: id(), name: 'Bad', note: '', rule: 'x', is_enabled: 1, created_at: noTime }],
    [
      'annotation_queues',
      {
        id: id(),
        name: 'Bad',
        instructions: '',
        evaluator_slugs: '[]',
        annotators_per_item: 1,
        feed: '{}',
        fed_until: 0,
        created_at,
      },
    ],
    [
      'prompt_versions',
      {
        id: id(),
        prompt_id: prompt!.id!,
        ordinal: 2,
        version: '6.6.6',
        text: 'Bad',
        system_text: '',
        model: 'null',
        message: '',
        created_at,
      },
    ],
  ] as const)
    assert.deepEqual(await bundle.restore(table, [row]), { added: 1, leftOut: [] }, table)
  await workspace.ok(operations.prompts.update, { slug: 'greeting', name: 'Changed' })

  const { features, datasets, evaluators, experiments, prices, views, annotationQueues, versions } =
    operations
  for (const [operation, input, field, count, leftOut] of [
    [features.list, {}, 'features', 1, '1 of features'],
    [datasets.list, {}, 'datasets', 1, '2 of datasets'],
    [datasets.rows, { slug: 'cases' }, 'rows', 1, '1 of dataset_rows'],
    [evaluators.list, {}, 'evaluators', 1, '1 of evaluators'],
    [experiments.list, {}, 'experiments', 1, '1 of experiments'],
    [prices.list, {}, 'priceOverrides', 1, '1 of price_overrides'],
    [views.list, {}, 'views', 1, '1 of views'],
    [annotationQueues.list, {}, 'queues', 0, '1 of annotation_queues'],
    [versions.list, { slug: 'greeting' }, 'versions', 1, '1 of prompt_versions'],
  ] as const) {
    const answer = (await workspace.ok(operation, input)) as unknown as Record<string, unknown[]>
    assert.equal(answer[field]?.length, count, field)
    assert.equal(
      answer.warning,
      `Stored rows that cannot be read were left out: ${leftOut}. The log lists them.`,
    )
  }
  const { alerts } = await workspace.ok(operations.alerts.list)
  assert.deepEqual(
    alerts.map(({ isEnabled }) => isEnabled),
    [false],
  )
  const { dataset: streamed } = await workspace.ok(datasets.get, { slug: 'cases' })
  assert.equal(streamed.rows.length, 1)
  const { prompt: served } = await workspace.ok(operations.prompts.get, { slug: 'greeting' })
  assert.equal(served.version, '1.0.0')
  await workspace.ok(operations.prompts.list, {})

  await workspace.ok(operations.monitor.log, { slug: 'greeting', output: 'Hi' })
  await workspace.ok(operations.monitor.log, { slug: 'greeting', version: '6.6.6', output: 'Hi' })
  // An unreadable feature still accepts traces, and an unreadable evaluator is treated as missing.
  await recordTrace(workspace, { featureSlug: 'bad', evaluators: [{ slug: 'bad' }] })
  await app.flush()
  assert.equal((await workspace.ok(operations.traces.list)).traces.length, 3)
  // Unreadable rows can be deleted.
  await workspace.ok(evaluators.delete, { slug: 'bad' })
  await workspace.ok(datasets.delete, { slug: 'bad' })
})
