/** The operations, and how recording applies the rules. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MaskingRule, maskingDetectors, operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const { masking, monitor, traces, scores, ledger, exchange } = operations
const testApp = await startTestApp()
const { app, newWorkspace, send } = testApp

const email = (rest: Partial<MaskingRule> = {}): MaskingRule =>
  ({ type: 'detector', detector: 'email', name: 'E-mail', action: 'mask', ...rest }) as MaskingRule

describe('masking.get, masking.update', () => {
  it('200: there are no rules until they are set; they keep their order and apply to this workspace only', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    assert.deepEqual(await workspace.ok(masking.get), { rules: [] })
    const rules: MaskingRule[] = [
      {
        type: 'pattern',
        pattern: 'EMP-\\d+',
        name: 'Staff',
        action: 'hash',
        fields: ['input'],
        features: ['chat'],
        enabled: false,
      },
      email(),
      { type: 'path', path: 'metadata.ssn', name: 'SSN', action: 'drop' },
    ]
    assert.deepEqual(await workspace.ok(masking.update, { rules }), { rules })
    assert.deepEqual(await workspace.ok(masking.get), { rules })
    assert.deepEqual(await other.ok(masking.get), { rules: [] })
    await workspace.ok(masking.update, { rules: [] })
    assert.deepEqual(await workspace.ok(masking.get), { rules: [] })
  })

  it('400: names the rule and what is wrong with it', async () => {
    const workspace = await newWorkspace()
    const refusalOf = (rule: object) => workspace.refused(masking.update, { rules: [email(), rule] }, 400)
    assert.match(await refusalOf({ ...email(), action: 'erase' }), /^rules\[1\]/)
    assert.match(
      await refusalOf({ type: 'pattern', pattern: 'x{900}y{900}z{900}', name: 'p', action: 'mask' }),
      /^rules\[1\]\.pattern: is too large/,
    )
    assert.match(
      await refusalOf({ type: 'pattern', pattern: '(?<=a)b\\1', name: 'p', action: 'mask' }),
      /^rules\[1\]\.pattern: is not a valid RE2 regular expression/,
    )
    assert.match(
      await refusalOf({ type: 'path', path: 'nowhere.x', name: 'p', action: 'mask' }),
      /^rules\[1\]\.path: must begin with/,
    )
    assert.match(
      await refusalOf({ type: 'path', path: `metadata${'.a'.repeat(33)}`, name: 'p', action: 'mask' }),
      /^rules\[1\]\.path: must have at most 32 keys/,
    )
    assert.match(
      await refusalOf({ type: 'path', path: 'metadata.**.a.**.b.**.c.**.d', name: 'p', action: 'mask' }),
      /^rules\[1\]\.path: must have `\*\*` at most 3 times/,
    )
    assert.match(
      await refusalOf({ type: 'pattern', pattern: 'a'.repeat(1001), name: 'p', action: 'mask' }),
      /^rules\[1\]/,
    )
    assert.deepEqual(await workspace.ok(masking.get), { rules: [] })
  })
})

describe('recording with rules', () => {
  it('masks at once, and never rejects a record (H2)', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, {
      rules: [email(), { type: 'path', path: 'user', name: 'user', action: 'drop' }],
    })
    const { trace, warning } = await workspace.ok(monitor.trace, {
      name: 'for a@example.com',
      user: { id: 'a@example.com', name: 'A' },
      output: 'b@example.com',
      metadata: { n: 1 },
      evaluators: [{ slug: 'c@example.com' }],
    })
    assert.equal(warning?.includes('example.com'), false, warning)
    const readTrace = async () => (await workspace.ok(traces.get, { id: trace.id })).trace
    const before = await readTrace()
    await app.flush()
    const after = await readTrace()
    for (const storedTrace of [before, after]) {
      assert.equal(storedTrace.name, 'for [email]')
      assert.equal(storedTrace.output, '[email]')
      assert.deepEqual(storedTrace.metadata, { n: 1 })
      assert.equal(storedTrace.user, null)
      assert.equal(JSON.stringify(storedTrace).includes('@example.com'), false)
    }
  })

  it('masks comments of scores, new and changed ones', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, { rules: [email()] })
    const { trace } = await workspace.ok(monitor.trace, {})
    const { score } = await workspace.ok(scores.create, {
      traceId: trace.id,
      name: 'x',
      value: 1,
      comment: 'by a@example.com',
    })
    assert.equal(score.comment, 'by [email]')
    await app.flush()
    const changed = await workspace.ok(scores.update, { id: score.id, comment: 'no, b@example.com' })
    assert.equal(changed.score.comment, 'no, [email]')
  })

  it('a rule for a feature applies only to its traces, over REST and OpenTelemetry', async () => {
    const workspace = await newWorkspace()
    for (const slug of ['chat', 'other']) await workspace.ok(operations.features.create, { slug, name: slug })
    await workspace.ok(masking.update, { rules: [email({ features: ['chat'] })] })
    const outputOf = async (featureSlug?: string) => {
      const { trace } = await workspace.ok(monitor.trace, { featureSlug, output: 'a@example.com' })
      return (await workspace.ok(traces.get, { id: trace.id })).trace.output
    }
    assert.deepEqual(
      [await outputOf('chat'), await outputOf('other'), await outputOf()],
      ['[email]', 'a@example.com', 'a@example.com'],
    )
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const span = (traceId: string, feature?: string) =>
      jsonSpan({
        traceId,
        spanId: traceId.slice(0, 16),
        attributes: [
          text('output.value', 'a@example.com'),
          ...(feature === undefined ? [] : [text('basalt.span.feature_slug', feature)]),
        ],
      })
    const ids = ['chat', 'other', undefined].map(
      (feature, index) => [`${index + 1}`.repeat(32), feature] as const,
    )
    assert.equal(
      (await postJson(testApp, workspace, jsonExport(ids.map(([id, feature]) => span(id, feature))))).status,
      200,
    )
    await app.flush()
    const outputs = []
    for (const [id] of ids) outputs.push((await workspace.ok(traces.get, { id })).trace.output)
    // A trace without a feature in this export may name one in a later export.
    assert.deepEqual(outputs, ['[email]', 'a@example.com', '[email]'])
  })

  it('keeps the counts and times of spans', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, {
      rules: [
        ...maskingDetectors.map((detector) => ({ ...email(), detector })),
        { type: 'path', path: 'input', name: 'i', action: 'mask' },
      ],
    })
    const traceId = '9'.repeat(32)
    const jsonBody = jsonSpan({
      traceId,
      spanId: '9'.repeat(16),
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
        { key: 'gen_ai.usage.output_tokens', value: { intValue: 3 } },
        {
          key: 'gen_ai.input.messages',
          value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"secret"}]}]' },
        },
        { key: 'temperature', value: { doubleValue: 0.25 } },
        { key: 'big', value: { intValue: '9007199254740993' } },
        { key: 'odd', value: { doubleValue: 'NaN' } },
      ],
    })
    await postJson(testApp, workspace, jsonExport([jsonBody]))
    await app.flush()
    const { trace } = await workspace.ok(traces.get, { id: traceId })
    assert.equal(trace.totals.inputTokens, 12)
    assert.equal(trace.totals.outputTokens, 3)
    assert.equal(trace.startTime, '2025-10-09T08:53:20.000000Z')
    const { attributes } = (trace.logs[0]!.metadata as { otel: { attributes: Record<string, unknown> } }).otel
    assert.equal(attributes.temperature, 0.25)
    assert.equal(attributes.big, '9007199254740993')
    assert.equal(attributes.odd, 'NaN')
    assert.equal(JSON.stringify(trace).includes('secret'), false)
  })

  it('masks the samples of the ledger; a body that is not JSON has no sample', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, { rules: [email()] })
    await workspace.refused(monitor.trace, { name: 5, x: 'a@example.com' }, 400)
    const headers = { authorization: `Bearer ${workspace.key.secret}`, 'content-type': 'application/json' }
    await send({ method: 'POST', url: '/monitor/trace', headers, payload: '{"x": "a\\u0040example.com", ' })
    // A node writes its counts each second.
    const samples = await eventually(async () => {
      const { entries } = await workspace.ok(ledger.list)
      const lastSamples = entries.flatMap(({ reasons }) => reasons.map(({ lastSample }) => lastSample))
      assert.deepEqual(lastSamples.sort(), ['', '{"name":5,"x":"[email]"}'])
      return lastSamples
    })
    assert.equal(samples.join().includes('example.com'), false, samples.join())
  })

  it('the rules apply to an import of traces', async () => {
    const [source, target] = [await newWorkspace(), await newWorkspace()]
    const { trace } = await source.ok(monitor.trace, {
      output: { mail: 'a@example.com' },
      environment: 'of c@example.com',
      release: 'd@example.com',
      tags: ['e@example.com', 'plain'],
      logs: [{ id: 'a', type: 'span', input: 'b@example.com' }],
    })
    await app.flush()
    const operator = await source.newKey(['operate'])
    const bundle = await source.call(exchange.export, {}, { key: operator.secret })
    await target.ok(masking.update, { rules: [email()] })
    const { secret } = await target.newKey(['operate'])
    const answer = await send({
      method: 'POST',
      url: '/import',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
      payload: bundle.bytes,
    })
    assert.equal(answer.status, 200, answer.text)
    const imported = (await target.ok(traces.get, { id: trace.id })).trace
    assert.deepEqual(imported.output, { mail: '[email]' })
    assert.equal(imported.logs[0]!.input, '[email]')
    assert.deepEqual(
      [imported.environment, imported.release, imported.tags],
      ['of [email]', '[email]', ['[email]', 'plain']],
    )
  })

  it('a large body is masked while other requests are served', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, {
      rules: maskingDetectors.map((detector) => ({ ...email(), detector })),
    })
    const input = Array.from({ length: 60_000 }, (_, index) => ({
      text: `mail${index}@example.com and some more words to read`,
    }))
    const { trace } = await workspace.ok(monitor.trace, { input })
    const storedInput = (await workspace.ok(traces.get, { id: trace.id })).trace.input as { text: string }[]
    assert.equal(storedInput.length, input.length)
    assert.ok(storedInput.every(({ text }) => text === '[email] and some more words to read'))
  })
})

describe('JSON in texts', () => {
  const nestedList = (levels: number): string => `${'['.repeat(levels)}"a@example.com"${']'.repeat(levels)}`
  /** A text in a list in a text, and so on. */
  const nestedText = (times: number): string => {
    let text = 'a@example.com'
    for (let time = 0; time < times; time++) text = JSON.stringify([text])
    return text
  }

  it('is masked whole if it is nested deeper than can be read, and never causes a rejection', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(masking.update, { rules: [email()] })
    const outputOf = async (output: string) => {
      const { trace } = await workspace.ok(monitor.trace, { output })
      return (await workspace.ok(traces.get, { id: trace.id })).trace.output
    }
    assert.equal(await outputOf(nestedList(100)), nestedList(100).replace('a@example.com', '[email]'))
    assert.equal(await outputOf(nestedList(10_000)), '[masked]')
    assert.equal(await outputOf(nestedList(100_000)), '[masked]')
    const escapedList = nestedList(10_000).replace('@', '\\u0040')
    assert.equal(await outputOf(`{"\\u0061": ${escapedList}}`), '[masked]')
    assert.equal(await outputOf(nestedText(4)), nestedText(4).replace('a@example.com', '[email]'))
    assert.equal(((await outputOf(nestedText(12))) as string).includes('example.com'), false)
  })
})

describe('masking.rehearse', () => {
  it('200: counts what each rule would change, with marked fragments, and changes nothing', async () => {
    const workspace = await newWorkspace()
    const { trace } = await workspace.ok(monitor.trace, {
      input: 'Write to a@example.com or b@example.com about EMP-1.',
      logs: [{ id: 'a', type: 'span', output: { to: 'c@example.com' } }],
    })
    await workspace.ok(monitor.trace, { input: 'nothing' })
    await app.flush()
    const rules: MaskingRule[] = [
      email(),
      { type: 'pattern', pattern: 'EMP-\\d', name: 'Staff', action: 'hash' },
      email({ enabled: false }),
    ]
    const rehearsal = await workspace.ok(masking.rehearse, { rules })
    assert.deepEqual([rehearsal.traces, rehearsal.changed], [2, 1])
    assert.deepEqual(
      rehearsal.rules.map(({ hits, traces }) => [hits, traces]),
      [
        [3, 1],
        [1, 1],
        [0, 0],
      ],
    )
    const markedText = ({ text, start, end }: { text: string; start: number; end: number }) =>
      text.slice(start, end)
    const [first, second] = rehearsal.rules[0]!.samples
    assert.equal(first!.traceId, trace.id)
    assert.deepEqual(
      [first!.place, markedText(first!.before), markedText(first!.after)],
      ['input', 'a@example.com', '[email]'],
    )
    assert.equal(second!.place, 'logs[0].output.to')
    assert.match(markedText(rehearsal.rules[1]!.samples[0]!.after), /^\[masked:[a-z]+\]$/)
    assert.deepEqual(await workspace.ok(masking.get), { rules: [] })
    assert.match(
      JSON.stringify((await workspace.ok(traces.get, { id: trace.id })).trace.input),
      /a@example\.com/,
    )
    assert.equal((await workspace.ok(masking.rehearse, { rules, traces: 1 })).traces, 1)
  })

  it('400: invalid rules, and an invalid number of traces', async () => {
    const workspace = await newWorkspace()
    const rule = { type: 'pattern', pattern: '[', name: 'p', action: 'mask' }
    assert.match(await workspace.refused(masking.rehearse, { rules: [rule] }, 400), /^rules\[0\]\.pattern: /)
    assert.match(await workspace.refused(masking.rehearse, { rules: [], traces: 201 }, 400), /^traces: /)
  })
})
