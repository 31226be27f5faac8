import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeFeature,
  makePrompt,
  makeVersion,
  type TestApp,
  type TestWorkspace,
} from './test-app.ts'

/** Fills a workspace with one object of every kind that a bundle has to contain. */
export async function fillWorkspace(workspace: TestWorkspace, { send }: TestApp): Promise<void> {
  await makeFeature(workspace, { description: 'Talks.' })
  await makePrompt(workspace, { featureSlug: 'chat', description: 'Says hello.' })
  await makeVersion(workspace, {
    text: 'Hi {{ name }}',
    systemText: 'Be kind.',
    model: knownModel,
    tags: ['production', 'best'],
  })
  await makeVersion(workspace, { text: 'Hello {{ name }}', message: 'Warmer', tags: ['production'] })
  await makePrompt(workspace, { slug: 'old' })
  await workspace.ok(operations.prompts.archive, { slug: 'old' })
  await makeDataset(workspace, {
    columns: [
      { name: 'question', type: 'text', schema: { type: 'string', maxLength: 100 }, onMismatch: 'reject' },
      { name: 'image', type: 'image' },
    ],
  })
  const { uploadUrl, fileKey } = await workspace.ok(operations.files.sign, {
    fileName: 'a.png',
    contentType: 'image/png',
  })
  await send({
    method: 'PUT',
    url: new URL(uploadUrl).pathname + new URL(uploadUrl).search,
    payload: 'bytes',
  })
  const rows = [
    { values: { question: 'Why?', image: fileKey, gone: [1, { a: null }] }, idealOutput: 'Because.' },
    { values: { question: '' }, name: 'empty', metadata: { hard: true } },
  ]
  for (const row of rows) await workspace.ok(operations.datasets.add, { slug: 'cases', ...row })
  await workspace.ok(operations.datasetVersions.create, { slug: 'cases', note: 'Before the split' })
  const [row] = (await workspace.ok(operations.datasets.rows, { slug: 'cases' })).rows
  await workspace.ok(operations.datasets.change, {
    slug: 'cases',
    id: row!.id,
    values: { question: 'Why not?' },
    split: 'test',
    labels: ['hard'],
  })
  // A `human` evaluator, so that nothing is judged automatically during a test.
  await makeEvaluator(workspace, { kind: 'human', config: {} })
  await workspace.ok(operations.prices.create, {
    model: 'house-*',
    inputPerMillion: 1,
    outputPerMillion: 2,
    startsAt: '2027-01-01T00:00:00Z',
  })
  await workspace.ok(operations.alerts.create, {
    name: 'Busy',
    measure: 'traces',
    filters: { featureSlug: 'chat' },
    windowMinutes: 5,
    condition: 'above',
    threshold: 1000,
  })
  const experiment = await makeExperiment(workspace)
  const { trace } = await workspace.ok(operations.monitor.trace, {
    name: null,
    chainSlug: 'chat',
    input: 'Grüß Gott 🙂 "quoted"\n',
    output: { a: [1.5, null, '='] },
    user: { id: 'u1', name: 'Ada' },
    organization: { id: 'o1', name: 'Lovelace' },
    metadata: { sessionId: 's1', plan: 'pro' },
    environment: 'production',
    release: '2.4.1',
    tags: ['beta', 'größe'],
    startTime: '2026-03-01T10:00:00.123456Z',
    endTime: '2026-03-01T10:00:02Z',
    experiment: { id: experiment.id },
    evaluators: [{ slug: 'polite' }, { slug: 'unknown' }],
    logs: [
      { id: 'a', type: 'span', name: 'root' },
      {
        id: 'b',
        parentId: 'a',
        type: 'generation',
        prompt: { slug: 'greeting' },
        variables: [{ label: 'name', value: 'Bo' }],
        output: 'Hello Bo',
        cost: 0,
        timeToFirstTokenMs: 120.5,
        metadata: { model: 'gpt-4o', provider: 'open-ai', error: 'late' },
      },
    ],
  })
  await workspace.ok(operations.scores.create, { traceId: trace.id, name: 'exact', value: true })
  await workspace.ok(operations.scores.create, {
    traceId: trace.id,
    logId: 'b',
    name: 'tone',
    value: 'warm',
    comment: 'Nice.',
  })
  await workspace.ok(operations.monitor.log, { slug: 'greeting', output: null, startTime: 1_700_000_000 })
}
