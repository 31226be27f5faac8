/** M2, C1: a bundle is untrusted input. A bad row is refused and reported by line, along with rows that depend on it. */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { newId } from '../../id.ts'

const testApp = await startTestApp({ settings: { PLUMBLINE_IMPORT_BYTES_MAX: '400000' } })
const { newWorkspace } = testApp

const take = (workspace: TestWorkspace, rows: readonly [table: string, row: object][]) => {
  const lines = [{ type: 'bundle', version: 1 }, ...rows.map(([table, row]) => ({ type: 'row', table, row }))]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const end = { type: 'end', lines: lines.length, sha256: createHash('sha256').update(text).digest('hex') }
  const headers = { 'content-type': 'application/x-ndjson' }
  return workspace.ok(operations.exchange.import, {}, { payload: `${text}${JSON.stringify(end)}\n`, headers })
}

const createdAt = { created_at: 1_700_000_000_000 }
const feature = { slug: 'chat', name: 'Chat', description: '', ...createdAt }
const model = {
  provider: 'open-ai',
  client: '',
  model: 'gpt-4o',
  version: '',
  parameters: { temperature: 1, topP: 1, maxLength: 4096, responseFormat: 'text' },
}
const prompt = {
  id: randomUUID(),
  slug: 'greeting',
  name: 'Hi',
  description: '',
  version_count: 1,
  ...createdAt,
}
const version = {
  id: randomUUID(),
  prompt_id: prompt.id,
  ordinal: 1,
  version: '1.0.0',
  text: 'Hi',
  system_text: '',
  model: JSON.stringify(model),
  message: '',
  ...createdAt,
}
const dataset = {
  id: randomUUID(),
  slug: 'cases',
  name: 'Cases',
  columns: '[{"name":"q","type":"text"}]',
  row_count: 1,
  last_position: 1,
  ...createdAt,
}
const datasetRow = {
  dataset_id: dataset.id,
  position: 1,
  id: randomUUID(),
  row_values: '{"q":"a"}',
  ...createdAt,
}
const evaluator = {
  id: randomUUID(),
  slug: 'polite',
  name: 'Polite',
  kind: 'contains',
  config: '{"value":"please"}',
  sample_rate: 0.1,
  version: 1,
  ...createdAt,
}
const alert = {
  id: randomUUID(),
  name: 'Busy',
  note: '',
  rule: '{"measure":"traces","windowMinutes":5,"condition":"above","threshold":5}',
  is_enabled: 1,
  ...createdAt,
}
const price = {
  id: randomUUID(),
  model: 'house-*',
  input_per_million: 1,
  output_per_million: 2,
  ...createdAt,
}
const file = {
  file_key: newId(new Date()),
  file_name: 'x',
  content_type: 'text/plain',
  size_bytes: 1,
  ...createdAt,
}

/** Reads everything that an import could have broken. */
async function readEverything(workspace: TestWorkspace): Promise<void> {
  const {
    features,
    prompts,
    datasets,
    evaluators,
    experiments,
    prices,
    views,
    alerts,
    annotationQueues,
    monitor,
  } = operations
  for (const { list } of [
    features,
    prompts,
    datasets,
    evaluators,
    experiments,
    prices,
    views,
    alerts,
    annotationQueues,
  ])
    await workspace.ok(list, {})
  await workspace.ok(monitor.log, { slug: 'greeting', output: 'Hi' })
}

describe('exchange.import', () => {
  it('200: accepts the rows that the tests below corrupt', async () => {
    const workspace = await newWorkspace()
    const answer = await take(workspace, [
      ['features', feature],
      ['prompts', prompt],
      ['prompt_versions', version],
      ['datasets', dataset],
      ['dataset_rows', datasetRow],
      ['evaluators', evaluator],
      ['price_overrides', price],
      ['alerts', alert],
      ['files', file],
    ])
    assert.deepEqual([answer.refusedCount, answer.refused], [0, []])
    for (const { read, added } of answer.counts) assert.deepEqual([read, added], [1, 1])
    await readEverything(workspace)
  })

  const spoiled: [reason: RegExp, table: string, row: object][] = [
    [/^row\.created_at: must be an integer$/, 'features', { ...feature, created_at: 'abc' }],
    [/^row\.created_at: must be/, 'features', { ...feature, created_at: 1e300 }],
    [/^row\.created_at: must be/, 'features', { ...feature, created_at: 1.5 }],
    [/^row\.slug: must be 1 to 128 characters/, 'features', { ...feature, slug: "x'); DROP TABLE features" }],
    [/^row\.slug: must be 1 to 128 characters/, 'features', { ...feature, slug: 'UPPER <b>/..' }],
    [/^row\.name: must not be empty/, 'features', { ...feature, name: '' }],
    [/^row\.name: must be a string/, 'features', { ...feature, name: null }],
    [/^row\.folder: /, 'prompts', { ...prompt, folder: 'support//refunds' }],
    [/^row\.config: must be JSON text/, 'evaluators', { ...evaluator, config: 'not json' }],
    [/^config\.value: /, 'evaluators', { ...evaluator, config: '{}' }],
    [/^row\.kind: must be one of/, 'evaluators', { ...evaluator, kind: 'magic' }],
    [/^row\.sample_rate: must be at most 1/, 'evaluators', { ...evaluator, sample_rate: 2 }],
    [/^row\.columns: must be JSON text/, 'datasets', { ...dataset, columns: 'x' }],
    [/^row\.columns: must be an array/, 'datasets', { ...dataset, columns: '{}' }],
    [
      /^row\.columns\[0\]\.type: must be one of/,
      'datasets',
      { ...dataset, columns: '[{"name":"a","type":"b"}]' },
    ],
    [
      /^columns\[1\]\.name: must be unique/,
      'datasets',
      { ...dataset, columns: '[{"name":"a","type":"text"},{"name":"a","type":"text"}]' },
    ],
    [/^row\.measure|^row\.rule\.measure: is required/, 'alerts', { ...alert, rule: '{}' }],
    [
      /^threshold: must be a fraction/,
      'alerts',
      { ...alert, rule: alert.rule.replace('traces', 'errorRate') },
    ],
    [/^row\.output_per_million: must be a number/, 'price_overrides', { ...price, output_per_million: 'x' }],
    [/^row\.input_per_million: must be at least 0/, 'price_overrides', { ...price, input_per_million: -1 }],
    [/^row\.file_key: must be a key/, 'files', { ...file, file_key: '../../control.db' }],
    [/^row\.file_key: must be a key/, 'files', { ...file, file_key: '/etc/passwd' }],
    [/^row\.file_key: must be a key/, 'files', { ...file, file_key: '..%2F..%2Fcontrol.db' }],
    [/^row\.file_key: must be a key/, 'files', { ...file, file_key: `${file.file_key}\0` }],
    [/^row\.content_type: must be a media type/, 'files', { ...file, content_type: 'a/b\r\nx: y' }],
    [/^table: must be a table/, 'api_keys', {}],
    [/^table: must be a table/, '__proto__', {}],
  ]
  it('200: refuses each bad row by its line, and accepts the rest', async () => {
    const workspace = await newWorkspace()
    for (const [reason, table, row] of spoiled) {
      const other = { ...feature, slug: `good-${randomUUID()}` }
      const answer = await take(workspace, [
        [table, row],
        ['features', other],
      ])
      assert.equal(answer.refusedCount, 1, `${table} ${reason}`)
      const [refused] = answer.refused
      assert.deepEqual([refused?.line, refused?.table], [2, table])
      assert.match(refused!.reason, reason)
      assert.ok(
        (await workspace.ok(operations.features.list)).features.some(({ slug }) => slug === other.slug),
        other.slug,
      )
    }
    for (const { read, added } of (await take(workspace, [['prompts', prompt]])).counts)
      assert.deepEqual([read, added], [1, 1])
    await readEverything(workspace)
    for (const fileKey of ['../../control.db', '/etc/passwd', '..%2F..%2Fcontrol.db'])
      await workspace.refused(operations.files.get, { fileKey }, 404)
  })

  it('200: refuses what depends on a refused row, and counts what was accepted', async () => {
    const workspace = await newWorkspace()
    const bad = {
      ...version,
      id: randomUUID(),
      ordinal: 2,
      version: '1.0.1',
      model: JSON.stringify({ ...model, provider: 5 }),
    }
    const answer = await take(workspace, [
      ['features', { ...feature, name: 5 }],
      ['prompts', { ...prompt, feature_slug: 'chat' }],
      ['prompt_versions', version],
      ['datasets', { ...dataset, row_count: 99 }],
      ['dataset_rows', { ...datasetRow, row_values: '[]' }],
      ['dataset_rows', { ...datasetRow, position: 2, id: randomUUID() }],
      ['experiments', { id: randomUUID(), feature_slug: 'nowhere', name: 'E', ...createdAt }],
    ])
    assert.deepEqual(
      answer.refused.map(({ line, reason }) => [line, reason]),
      [
        [2, 'row.name: must be a string'],
        [3, 'row.feature_slug: refers to a row of features that was rejected'],
        [4, 'row.prompt_id: refers to a row of prompts that was rejected'],
        [6, 'row.row_values: must be an object'],
        [8, 'feature_slug: refers to a row of features that does not exist here'],
      ],
    )
    assert.equal((await workspace.ok(operations.datasets.list)).datasets[0]?.rowCount, 1)
    const second = await take(workspace, [
      ['prompts', prompt],
      ['prompt_versions', version],
      ['prompt_versions', bad],
      ['prompt_tags', { id: randomUUID(), prompt_id: prompt.id, label: 'production', version: '1.0.1' }],
    ])
    assert.deepEqual(
      second.refused.map(({ line, reason }) => [line, reason]),
      [
        [4, 'row.model.provider: must be a string'],
        [5, 'conflicts with existing rows'],
      ],
    )
    await workspace.ok(operations.versions.create, { slug: 'greeting', text: 'Hello' })
    await readEverything(workspace)
  })

  it('200: reports the first hundred refused lines, and counts all', async () => {
    const rows = Array.from({ length: 250 }, (): [string, object] => ['features', { ...feature, slug: '' }])
    const { refused, refusedCount } = await take(await newWorkspace(), rows)
    assert.deepEqual([refused.length, refusedCount, refused.at(-1)?.line], [100, 250, 101])
  })

  it('413: the bundle is longer than the setting allows, compressed or not (M4)', async () => {
    const workspace = await newWorkspace()
    for (const [type, payload] of [
      ['application/x-ndjson', Buffer.alloc(400_001, 'x')],
      ['application/gzip', gzipSync(Buffer.alloc(4_000_000, 'x'))],
    ] as const)
      assert.equal(
        await workspace.refused(operations.exchange.import, {}, 413, {
          payload,
          headers: { 'content-type': type },
        }),
        'The body is larger than 400000 bytes (after decompression).',
      )
  })
})
