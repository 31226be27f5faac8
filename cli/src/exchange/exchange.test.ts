// One control plane is enough: import.test.ts tests the same operations on both.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import { answerWith, fates, startProxy } from '../../../sdk/src/testing.ts'
import { fillWorkspace } from '../../../server/testing/filled-workspace.ts'
import { makeFeature, startTestApp } from '../../../server/testing/test-app.ts'
import { emptyFolder, makeShell } from '../testing.ts'
import { sealBundle } from './bundle.ts'

const testApp = await startTestApp()
const url = await testApp.listen()
const folder = emptyFolder()
const { traces, prompts, datasets } = operations

const fixture = (name: string): string =>
  new URL(`../../../fixtures/exchange/${name}`, import.meta.url).pathname

const newShell = async () => {
  const workspace = await testApp.newWorkspace()
  return { workspace, shell: makeShell(url, workspace.key.secret) }
}
type Workspace = Awaited<ReturnType<typeof newShell>>['workspace']

/** All complete traces, by their ids in the source system. */
async function importTraces(workspace: Workspace) {
  const { text } = await workspace.call(traces.export, { format: 'jsonl' })
  const all = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Awaited<ReturnType<typeof getTrace>>)
  return new Map(all.map((trace) => [String(trace.metadata?.['import.id']), trace]))
}
const getTrace = async (workspace: Workspace, id: string) => (await workspace.ok(traces.get, { id })).trace

describe('plumbline import', () => {
  it('reports what would be imported, and stores nothing, in a dry run', async () => {
    const { workspace, shell } = await newShell()
    const { status, stdout } = await shell('import', fixture('langfuse'), '--dry-run')
    assert.equal(status, 0)
    assert.match(stdout, /^Traces: 6, with 5 generation/m)
    assert.match(stdout, /6 scores/)
    assert.match(stdout, /Prompt versions: 1 folder-chat, 2 answer-question\./)
    assert.match(stdout, /Dataset faq-cases: 1 rows; question:text lang:text\./)
    assert.match(stdout, /Kept in metadata \(no matching field\): .*trace\.public/)
    assert.doesNotMatch(stdout, /trace\.release/)
    assert.match(stdout, /Skipped 1 × dataset item: it is archived\./)
    assert.match(stdout, /^Sample: \{/m)
    const report = await shell.json<{ traces: number; samples: object[] }>(
      'import',
      fixture('langfuse'),
      '--dry-run',
    )
    assert.deepEqual([report.traces, report.samples.length], [6, 3])
    assert.equal((await importTraces(workspace)).size, 0)
    assert.deepEqual((await workspace.ok(prompts.list)).prompts, [])
  })

  it('stores traces faithfully, with scores, prompts and datasets', async () => {
    const { workspace, shell } = await newShell()
    await makeFeature(workspace)
    const done = await shell('import', fixture('langfuse'), '--feature', 'chat')
    assert.equal(done.status, 0, done.stderr)
    assert.equal(
      done.stdout,
      [
        'prompt versions: 3 added',
        'dataset rows: 1 added',
        'traces: 6 added',
        'Skipped 1 × dataset item: it is archived.',
        'Skipped 1 × score: it judges no trace.',
        'Skipped 1 × sdk-log event: it is about the client itself.',
        '',
      ].join('\n'),
    )
    const trace = (await importTraces(workspace)).get('7d1f2a90-6c1e-4c43-9d54-2d1f6f4a1b10')
    assert.equal(trace?.featureSlug, 'chat')
    assert.equal(trace?.startTime, '2026-05-04T09:30:00.000000Z')
    assert.equal(trace?.sessionId, 'chat-4411')
    assert.deepEqual(trace?.user, { id: 'user-17', name: 'user-17' })
    assert.equal(trace?.totals.cost, 0.00089)
    const generation = trace?.logs.find(({ id }) => id === 'obs-gen')
    assert.deepEqual([generation?.inputTokens, generation?.promptVersion], [320, '2'])
    assert.deepEqual([generation?.usage?.cacheRead, generation?.usage?.reasoning], [256, 11])
    assert.deepEqual(
      trace?.scores.map(({ name, value, logId, createdAt }) => [name, value, logId, createdAt]),
      [
        ['helpfulness', 0.9, null, '2026-05-04T10:00:00.000Z'],
        ['is-polite', true, 'obs-gen', '2026-05-04T10:01:00.000Z'],
        ['topic', 'account', null, '2026-05-04T10:02:00.000Z'],
      ],
    )
    const { prompt } = await workspace.ok(prompts.get, { slug: 'answer-question' })
    assert.deepEqual([prompt.version, prompt.systemText], ['2', "You help {{company}}'s customers."])
    const { dataset } = await workspace.ok(datasets.get, { slug: 'faq-cases' })
    assert.deepEqual(dataset.rows[0]?.values, { question: 'Why?', lang: 'en' })
  })

  it('keeps prompts and datasets apart whose names share a slug, even if it is repeated', async () => {
    const { workspace, shell } = await newShell()
    const prompt = (name: string) => ({
      name,
      version: 1,
      type: 'text',
      prompt: name,
      labels: ['production'],
    })
    const item = (id: string, datasetName: string) => ({
      ...{ id, datasetName, status: 'ACTIVE', input: { [id]: datasetName }, expectedOutput: '1' },
    })
    const names = ['My Set', 'my-set', '数据', '问题', `long ${'x'.repeat(200)}`]
    const records = names.flatMap((name, index) => [prompt(name), item(`i${index}`, name)])
    const file = join(folder, 'shared-slugs.jsonl')
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'))
    for (const added of [names.length, 0]) {
      const { outcomes } = await shell.json<{ outcomes: Record<string, { added: number }> }>('import', file)
      assert.deepEqual([outcomes['prompt versions']!.added, outcomes['dataset rows']!.added], [added, added])
    }
    const { prompts: storedPrompts } = await workspace.ok(prompts.list)
    assert.deepEqual(storedPrompts.map(({ name }) => name).sort(), names.toSorted())
    for (const { name, slug } of storedPrompts)
      assert.equal((await workspace.ok(prompts.get, { slug })).prompt.text, name)
    const { datasets: sets } = await workspace.ok(datasets.list)
    assert.deepEqual(
      sets.map(({ name, rowCount }) => [name, rowCount]).sort(),
      names.map((name) => [name, 1]).sort(),
    )
    assert.ok(storedPrompts.some(({ slug }) => slug === 'my-set'))
  })

  it('accepts a Parquet file written by Phoenix', async () => {
    const { workspace, shell } = await newShell()
    // Like its dataframe of annotations: a row names its span, but not its trace.
    const annotations = join(folder, 'annotations.jsonl')
    const rows = ['61dacda9c60ef4e6', '0000000000000000'].map((spanId) => ({
      ...{ id: 'a', annotation_name: 'helpful', annotator_kind: 'HUMAN', span_id: spanId },
      ...{ 'result.label': 'yes', 'result.score': 1, 'result.explanation': 'It helps.' },
    }))
    writeFileSync(annotations, rows.map((row) => JSON.stringify(row)).join('\n'))
    const { status, stdout, stderr } = await shell('import', annotations, fixture('phoenix-parquet'))
    assert.equal(status, 0, stderr)
    assert.match(stdout, /traces: 1 added/)
    await testApp.app.flush()
    const [trace] = (await importTraces(workspace)).values()
    const logs = trace!.logs.map(({ name, type, model, inputTokens, outputTokens }) => [
      ...[name, type, model, inputTokens, outputTokens],
    ])
    const model = 'gpt-4o-mini-2024-07-18'
    assert.deepEqual(logs, [
      ['weather', 'span', undefined, undefined, undefined],
      ['ChatCompletion', 'generation', model, 120, 20],
      ['ChatCompletion', 'generation', model, 200, 40],
      ['ChatCompletion', 'generation', model, 200, 40],
      // There are no reported token counts, so these are counted.
      ['ChatCompletion', 'generation', 'no-such-model', 10, 0],
    ])
    assert.deepEqual(
      trace!.scores.map(({ name, value, logId, comment }) => [name, value, logId, comment]),
      [['helpful', 1, '61dacda9c60ef4e6', 'yes: It helps.']],
    )
    const dry = await shell('import', annotations, '--dry-run')
    assert.match(dry.stdout, /Skipped 2 × record: its span was not read/)
    const [, call, , , failed] = trace!.logs
    assert.deepEqual(call?.input, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is the weather in Lyon?' },
    ])
    assert.match(JSON.stringify(call?.output), /get_weather/)
    assert.match(String(failed?.metadata?.error), /does not exist/)
    assert.deepEqual(
      [trace!.startTime, call?.startTime],
      ['2026-11-22T12:55:02.841211Z', '2026-11-22T12:55:02.900072Z'],
    )
  })

  it('adds nothing if it is repeated, for every system', async () => {
    for (const system of ['langfuse', 'phoenix', 'helicone', 'langsmith', 'opik', 'braintrust', 'mlflow']) {
      const { workspace, shell } = await newShell()
      const first = await shell('import', fixture(system))
      assert.equal(first.status, 0, `${system}: ${first.stderr}`)
      await testApp.app.flush()
      const once = await importTraces(workspace)
      assert.ok(once.size > 0)
      const again = await shell('import', fixture(system))
      assert.equal(again.status, 0, `${system}: ${again.stderr}`)
      assert.doesNotMatch(again.stdout, /[1-9]\d* added/, system)
      assert.deepEqual(await importTraces(workspace), once)
    }
  })

  it('resumes where it was interrupted', async () => {
    const { workspace, shell } = await newShell()
    const proxy = await startProxy(url)
    const proxyShell = makeShell(proxy.url, workspace.key.secret)
    // The list of existing traces, and then lost responses: the traces are stored, but the import does not know.
    proxy.fate(fates.loseAnswer, fates.pass)
    const { status, stderr } = await proxyShell('import', fixture('helicone/requests.jsonl'))
    assert.equal(status, 1, stderr)
    assert.equal((await shell('import', fixture('helicone/requests.jsonl'))).status, 0)
    const traceById = await importTraces(workspace)
    assert.equal(traceById.size, 2)
    assert.equal([...traceById.values()].flatMap((trace) => trace.scores).length, 2)
  })

  it('splits rows by their size, reports those that the service rejects, and imports the rest', async () => {
    const { workspace, shell } = await newShell()
    const item = (datasetName: string, id: number, input: object) => ({
      ...{ id: `${datasetName} ${id}`, datasetId: 'any', datasetName },
      ...{ input, expectedOutput: 'So.', sourceTraceId: null },
    })
    const records = [
      ...[1, 2].map((id) => item('Unnamed', id, { '': 'a column without a name' })),
      ...Array.from({ length: 20 }, (_, id) => item('Long', id, { text: 'x'.repeat(2 ** 20) })),
      item('Long', 20, { text: 'x'.repeat(17 * 2 ** 20) }),
      { id: 'a', timestamp: '2026-11-01T00:00:00Z', name: 'after the rows', sessionId: 's', input: 'Why?' },
    ]
    const file = join(folder, 'rows.jsonl')
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'))
    const { status, stdout, stderr } = await shell('import', file)
    assert.equal(status, 1)
    assert.equal(stdout, 'dataset rows: 20 added, 3 rejected\ntraces: 1 added\n')
    assert.match(stderr, /^Dataset unnamed: columns\[0\]\.name: must not be empty$/m)
    assert.match(stderr, /^Row Long 20 of long: The body is larger than/m)
    assert.equal((await importTraces(workspace)).size, 1)
  })

  it('waits for a service that is busy', async () => {
    const { workspace } = await newShell()
    const proxy = await startProxy(url)
    const busy = answerWith(429, '{"error":"Later."}', { 'retry-after': '1' })
    proxy.fate(fates.pass, fates.pass, busy, busy)
    const proxyShell = makeShell(proxy.url, workspace.key.secret)
    assert.equal((await proxyShell('import', fixture('helicone/requests.jsonl'))).status, 0)
    assert.equal((await importTraces(workspace)).size, 2)
  })

  it('explains what is wrong with a truncated or unknown file', async () => {
    const { shell } = await newShell()
    const cut = join(folder, 'cut.json')
    copyFileSync(fixture('langfuse/traces.json'), cut)
    truncateSync(cut, 1500)
    const { status, stderr } = await shell('import', cut)
    assert.equal(status, 1)
    assert.match(stderr, /cut\.json cannot be read: the file ends within a value: it was cut off\./)
    const odd = join(folder, 'odd.jsonl')
    writeFileSync(odd, '{"a":1}\n')
    assert.match((await shell('import', odd, '--dry-run')).stdout, /Skipped 1 × record: no known system/)
    const unread = await shell('import', odd)
    assert.equal(unread.status, 1)
    assert.match(unread.stdout, /^Nothing was imported\.\nSkipped 1 × record: no known system/)
    assert.equal((await shell('import', join(folder, 'none.json'))).status, 1)
    assert.equal((await shell('import')).status, 2)
    assert.equal((await shell('import', odd, '--bundle', odd)).status, 2)
  })

  it('reads compressed files and folders, and uses the system named with --from', async () => {
    const { workspace, shell } = await newShell()
    const inner = join(folder, 'export', 'deep')
    mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, 'a.jsonl.gz'), gzipSync(readFileSync(fixture('helicone/requests.jsonl'))))
    writeFileSync(join(inner, 'notes.txt'), 'not read')
    assert.equal((await shell('import', join(folder, 'export'), '--from', 'helicone')).status, 0)
    assert.equal((await importTraces(workspace)).size, 2)
    const wrong = await shell('import', fixture('helicone'), '--from', 'opik', '--dry-run')
    assert.match(wrong.stdout, /Skipped 3 × record: it is no trace, span, prompt or dataset\./)
  })

  it('posts OpenTelemetry files, whose spans become one trace', async () => {
    const { workspace, shell } = await newShell()
    const done = await shell('import', fixture('otlp/collector.jsonl'))
    assert.equal(done.status, 0, done.stderr)
    assert.equal(done.stdout, 'spans: 2 added\n')
    await testApp.app.flush()
    const { traces: listed } = await workspace.ok(traces.list)
    assert.equal(listed.length, 1)
    assert.equal(listed[0]?.logCount, 2)
  })

  it('stores spans from files written by a Protocol Buffers library', async () => {
    const { workspace, shell } = await newShell()
    const toBase64 = (_match: string, field: string, id: string) =>
      `"${field}": "${Buffer.from(id, 'hex').toString('base64')}"`
    const text = readFileSync(fixture('otlp/collector.jsonl'), 'utf8')
      .replaceAll(/"(traceId|spanId|parentSpanId)": "(\w+)"/g, toBase64)
      .replaceAll(/"(\w+)":/g, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    assert.match(text, /"trace_id": "\S+=="/)
    const file = join(folder, 'names-of-the-schema.jsonl')
    writeFileSync(file, text)
    assert.equal((await shell('import', file)).stdout, 'spans: 2 added\n')
    await testApp.app.flush()
    const { traces: listed } = await workspace.ok(traces.list)
    assert.deepEqual(
      listed.map(({ logCount }) => logCount),
      [2],
    )
  })

  it('splits OpenTelemetry spans by their size, and continues after one that is too large', async () => {
    const { shell } = await newShell()
    const lengths = [...Array<number>(9).fill(2 ** 21), 17 * 2 ** 20, 1]
    const spans = lengths.map((length, index) => ({
      ...{ traceId: 'a'.repeat(32), spanId: String(index + 1).padStart(16, '0'), name: 'long' },
      ...{ startTimeUnixNano: '1790000000000000000', endTimeUnixNano: '1790000001000000000' },
      attributes: [{ key: 'input.value', value: { stringValue: 'x'.repeat(length) } }],
    }))
    const file = join(folder, 'long-spans.json')
    writeFileSync(
      file,
      JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans }] }] }),
    )
    const { status, stdout, stderr } = await shell('import', file)
    assert.equal(status, 1)
    assert.equal(stdout, 'spans: 10 added, 1 rejected\n')
    assert.match(stderr, /^1 spans: The body is larger than/)
  })
})

describe('plumbline export --bundle', () => {
  it('writes a bundle that can be imported unchanged, compressed or not', async () => {
    const { workspace: from, shell: fromShell } = await newShell()
    await fillWorkspace(from, testApp)
    for (const name of ['bundle.ndjson', 'bundle.ndjson.gz']) {
      const file = join(folder, name)
      const done = await fromShell('export', '--bundle', file)
      assert.equal(done.status, 0, done.stderr)
      const { workspace, shell } = await newShell()
      assert.match(
        (await shell('import', '--bundle', file, '--dry-run')).stdout,
        /^The bundle is complete\. It has 1 features/,
      )
      const answer = await shell('import', '--bundle', file)
      assert.equal(answer.status, 0, answer.stderr)
      assert.match(answer.stdout, /^traces: 2 of 2 are new$/m)
      const ids = async (owner: Workspace) => (await owner.ok(traces.list)).traces.map(({ id }) => id)
      assert.deepEqual(await ids(workspace), await ids(from))
      assert.match((await shell('import', '--bundle', file)).stdout, /^traces: 0 of 2 are new$/m)
    }
  })

  it('lists the lines that the service rejected, and imports the rest (M2)', async () => {
    const { workspace: from, shell: fromShell } = await newShell()
    await fillWorkspace(from, testApp)
    const file = join(folder, 'bad.ndjson')
    await fromShell('export', '--bundle', file)
    const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n').slice(0, -1)
    const spoiled = lines.map((line) => line.replace('"name":"Chat"', '"name":""'))
    writeFileSync(file, sealBundle(spoiled, head!))
    const { workspace, shell } = await newShell()
    const answer = await shell('import', '--bundle', file)
    assert.equal(answer.status, 0, answer.stderr)
    assert.match(answer.stdout, /lines were rejected; the rest was imported:/)
    assert.match(answer.stdout, /^ {2}line 2 \(features\): row\.name: must not be empty$/m)
    assert.match(answer.stdout, /refers to a row of features that was rejected/)
    assert.equal((await workspace.ok(traces.list)).traces.length, 2)
  })

  it('neither writes nor imports a truncated or changed bundle', async () => {
    const { workspace, shell } = await newShell()
    await fillWorkspace(workspace, testApp)
    const proxy = await startProxy(url)
    proxy.fate(async (response, forward) => {
      const text = await (await forward()).text()
      // A complete response, as far as HTTP can tell.
      response.end(text.slice(0, text.lastIndexOf('{"type":"end"')))
    })
    const cut = join(folder, 'cut.ndjson')
    const { status, stderr } = await makeShell(proxy.url, workspace.key.secret)('export', '--bundle', cut)
    assert.equal(status, 1)
    assert.match(stderr, /The bundle has no end: it is truncated/)
    assert.ok(!existsSync(cut))

    const file = join(folder, 'whole.ndjson.gz')
    await shell('export', '--bundle', file)
    const text = gunzipSync(readFileSync(file)).toString()
    const { workspace: to, shell: toShell } = await newShell()
    const damaged: [string, RegExp][] = [
      [text.replace('Hello Bo', 'Hello Al'), /changed or damaged/],
      [text.slice(0, text.lastIndexOf('{"type":"end"')), /truncated/],
      [`${text}{}\n`, /continues after its end/],
      ['{"a":1}\n', /This is not a bundle/],
    ]
    for (const [content, words] of damaged) {
      const path = join(folder, 'damaged.ndjson')
      writeFileSync(path, content)
      assert.match((await toShell('import', '--bundle', path)).stderr, words)
    }
    assert.deepEqual((await to.ok(traces.list)).traces, [])
  })
})
