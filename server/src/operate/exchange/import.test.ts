import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import { fillWorkspace } from '../../../testing/filled-workspace.ts'
import {
  knownModel,
  makeFeature,
  makePrompt,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { exchange, traces, prompts, datasets, experiments, files } = operations
const testApp = await startTestApp()
const { newWorkspace } = testApp

const ndjson = { 'content-type': 'application/x-ndjson' }
const bundleOf = async (workspace: TestWorkspace): Promise<string> =>
  (await workspace.call(exchange.export)).text
const take = (workspace: TestWorkspace, payload: string | Buffer, headers: Record<string, string> = ndjson) =>
  workspace.ok(exchange.import, {}, { payload, headers })
const refusalOf = (
  workspace: TestWorkspace,
  payload: string | Buffer,
  headers: Record<string, string> = ndjson,
) => workspace.refused(exchange.import, {}, 400, { payload, headers })

/** A bundle of these lines. */
function sealLines(...lines: unknown[]): string {
  const text = [{ type: 'bundle', version: 1 }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `${text}${JSON.stringify({ type: 'end', lines: lines.length + 1, sha256 })}\n`
}

/** Within one service, ids that are unique across workspaces must differ, and so do the times of two exports. */
const comparable = (bundle: string): string[] =>
  bundle
    .split('\n')
    .map((line) =>
      line.replaceAll(
        /"(id|prompt_id|dataset_id|evaluator_id|experimentId|exportedAt|sha256)":"[^"]*"/g,
        '"$1":"…"',
      ),
    )
    .toSorted()

describe('exchange.import', () => {
  it('200: makes an empty workspace equal to the one that the bundle came from', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await fillWorkspace(from, testApp)
    const bundle = await bundleOf(from)
    const { counts } = await take(to, bundle)
    for (const { what, read, added } of counts) assert.equal(added, read, what)
    assert.deepEqual(comparable(await bundleOf(to)), comparable(bundle))
  })

  it('200: returns traces, prompts, rows, files and experiments unchanged', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await fillWorkspace(from, testApp)
    await take(to, await bundleOf(from))
    const list = async (workspace: TestWorkspace) =>
      (await workspace.ok(traces.list, {})).traces.map(({ id }) => id)
    const ids = await list(to)
    assert.deepEqual(ids, await list(from))
    const [{ id: experimentId } = { id: '' }] = (await to.ok(experiments.list)).experiments
    for (const id of ids) {
      const { trace } = await to.ok(traces.get, { id })
      const original = (await from.ok(traces.get, { id })).trace
      assert.deepEqual(trace, {
        ...original,
        experiment: original.experiment === null ? null : { id: experimentId },
        // Their authors are not imported.
        scores: original.scores.map((score) => ({ ...score, isOwn: false })),
      })
    }
    assert.deepEqual((await to.ok(traces.list, { experimentId })).traces.length, 1)
    // Tag changes name the API key that made them, which is not exported.
    const history = async (workspace: TestWorkspace) =>
      (await workspace.ok(prompts.history, { slug: 'greeting' })).moves.map(
        ({ movedByName, ...move }) => move,
      )
    assert.deepEqual(await history(to), await history(from))
    assert.deepEqual(
      await to.ok(datasets.get, { slug: 'cases' }),
      await from.ok(datasets.get, { slug: 'cases' }),
    )
    const version = { slug: 'cases', version: 1 }
    assert.deepEqual(await to.ok(datasets.get, version), await from.ok(datasets.get, version))
    const { versions } = await to.ok(operations.datasetVersions.list, { slug: 'cases' })
    assert.deepEqual(
      versions.map(({ version, note, rowCount }) => [version, note, rowCount]),
      [[1, 'Before the split', 2]],
    )
    const [row] = (await to.ok(datasets.get, { slug: 'cases' })).dataset.rows
    assert.deepEqual([row?.split, row?.labels], ['test', ['hard']])
    const fileKey = row?.values.image
    assert.equal((await to.call(files.get, { fileKey })).text, 'bytes')
    // Additions continue where the original ended.
    const creation = await to.ok(operations.versions.create, {
      slug: 'greeting',
      text: 'Hey',
      model: knownModel,
    })
    assert.equal(creation.version.version, '1.0.2')
  })

  it('200: adds nothing when the same bundle is imported again', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await fillWorkspace(from, testApp)
    const bundle = await bundleOf(from)
    await take(to, bundle)
    const once = await bundleOf(to)
    const { counts } = await take(to, bundle)
    assert.deepEqual(
      counts.filter(({ added }) => added > 0),
      [],
    )
    assert.deepEqual(comparable(await bundleOf(to)), comparable(once))
    assert.deepEqual(
      (await take(from, bundle)).counts.filter(({ added }) => added > 0),
      [],
    )
  })

  it('200: accepts partial bundles, and compressed ones', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await fillWorkspace(from, testApp)
    const bundle = await bundleOf(from)
    const lines = bundle
      .split('\n')
      .slice(1, -2)
      .map((line) => JSON.parse(line) as unknown)
    await take(to, gzipSync(sealLines(...lines.slice(0, 9))), { 'content-type': 'application/gzip' })
    await take(to, gzipSync(sealLines(...lines.slice(9))), { ...ndjson, 'content-encoding': 'gzip' })
    assert.deepEqual(comparable(await bundleOf(to)), comparable(bundle))
  })

  it('200: does not change existing data', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await fillWorkspace(from, testApp)
    await makeFeature(to, { name: 'Mine' })
    await makePrompt(to, { name: 'Mine' })
    const { counts } = await take(to, await bundleOf(from))
    const versions = counts.find(({ what }) => what === 'prompt_versions')
    assert.deepEqual(versions, { what: 'prompt_versions', read: 2, added: 0 })
    assert.equal((await to.ok(prompts.list)).prompts[0]?.name, 'Mine')
  })

  it('400: the bundle was truncated, wherever', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await recordTrace(from, { input: 'whole' })
    const bundle = await bundleOf(from)
    assert.match(await refusalOf(to, ''), /the bundle was cut off$/)
    for (const length of [10, bundle.indexOf('\n') + 1, bundle.length - 100, bundle.length - 4])
      await refusalOf(to, bundle.slice(0, length))
    const half = gzipSync(bundle).subarray(0, 200)
    const error = await to.refused(exchange.import, {}, 400, {
      payload: half,
      headers: { 'content-type': 'application/gzip' },
    })
    assert.equal(error, 'body: is not gzip data, or was cut off')
  })

  it('400: the bundle was changed', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    await recordTrace(from, { input: 'original' })
    const error = await refusalOf(to, (await bundleOf(from)).replace('original', 'changed!'))
    assert.match(error, /the bundle was changed or damaged$/)
  })

  it('400, or refused: names the invalid line and field', async () => {
    const [from, to] = [await newWorkspace(), await newWorkspace()]
    const { id } = await recordTrace(from, { logs: [{ id: 'a', type: 'span' }] })
    const lines = (await bundleOf(from)).split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
    const line = lines.find(({ type }) => type === 'trace') as { trace: object; logs: object[] }
    const wrong: [string, unknown][] = [
      ['line 1: must be the header of a bundle', undefined],
      ['line 2.type: must be one of bundle, row, file, trace, end', { type: 'x' }],
      ['line 2.type: must be one of bundle, row, file, trace, end', null],
      ['line 2: begins another bundle', { type: 'bundle', version: 1 }],
    ]
    for (const [error, content] of wrong)
      assert.equal(
        await refusalOf(to, content === undefined ? '{"type":"row"}\n' : sealLines(content)),
        error,
      )
    const wrongLines: [string, unknown][] = [
      ['table: must be a table that this version has', { type: 'row', table: 'api_keys', row: {} }],
      ['row: must be an object', { type: 'row', table: 'features', row: 1 }],
      ['row.slug: must be a string', { type: 'row', table: 'features', row: {} }],
      ['fileKey: must be a key made by a Plumbline service', { type: 'file', fileKey: '../x', base64: '' }],
      ['fileKey: must be the key of a row of the table "files"', { type: 'file', fileKey: id, base64: '' }],
      ['trace: must be an object', { type: 'trace' }],
      ['trace.traceId: must be a UUIDv7', { ...line, trace: { ...line.trace, traceId: 'x' } }],
      [
        'trace.startUs: must be microseconds since 1970, as a string',
        { ...line, trace: { ...line.trace, startUs: 1 } },
      ],
      [
        'trace.metadata: must be a JSON object as text',
        { ...line, trace: { ...line.trace, metadata: '[]' } },
      ],
      ['logs[0].input: must be JSON text', { ...line, logs: [{ ...line.logs[0], input: '{' }] }],
      ['scores: must be an array', { ...line, scores: null }],
    ]
    for (const [reason, content] of wrongLines) {
      const answer = await take(to, sealLines(content))
      assert.deepEqual(
        [answer.refusedCount, answer.refused.map(({ line, reason }) => [line, reason])],
        [1, [[2, reason]]],
      )
    }
    assert.match(await refusalOf(to, `${sealLines()}{}\n`), /must not follow the end of the bundle$/)
    assert.match(
      await refusalOf(to, sealLines().replace('"version":1', '"version":9')),
      /^line 1.version: must be 1;/,
    )
    assert.deepEqual((await to.ok(traces.list)).traces, [])
  })

  it('400: the body does not match its Content-Encoding', async () => {
    const error = await refusalOf(await newWorkspace(), 'plain', { ...ndjson, 'content-encoding': 'gzip' })
    assert.equal(error, 'The body is not valid gzip data, although Content-Encoding says it is.')
    // Node reads the first of two frames, and drops the second without a word.
    const frames = Buffer.concat([zstdCompressSync(sealLines()), zstdCompressSync('{}')])
    const zstd = { ...ndjson, 'content-encoding': 'zstd' }
    assert.match(await refusalOf(await newWorkspace(), frames, zstd), /^The body is not valid zstd data, /)
  })

  it('415: the body has another type or encoding', async () => {
    const workspace = await newWorkspace()
    const json = { payload: '{}', headers: { 'content-type': 'application/json' } }
    assert.equal(
      await workspace.refused(exchange.import, {}, 415, json),
      'The body must be application/x-ndjson or application/gzip, not application/json.',
    )
    const odd = { payload: '{}', headers: { ...ndjson, 'content-encoding': 'zip' } }
    await workspace.refused(exchange.import, {}, 415, odd)
  })
})
