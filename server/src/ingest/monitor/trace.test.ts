import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  makeExperiment,
  makeFeature,
  makePrompt,
  recordTrace,
  startTestApp,
} from '../../../testing/test-app.ts'

const { monitor, traces } = operations
const { app, newWorkspace } = await startTestApp()

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Every field of a trace, with the value that is returned for it. */
const everyField = {
  name: 'Checkout',
  featureSlug: 'chat',
  chainSlug: 'old',
  input: { question: 'Where is it?' },
  output: ['In', 'Lyon'],
  idealOutput: 'In Lyon.',
  metadata: { channel: 'web', nested: { list: [1, 'two', null], ok: true } },
  organization: { id: 'o-1', name: 'Acme' },
  user: { id: 'u-1', name: 'Ada' },
  startTime: '2025-01-01T10:00:00.000001Z',
  endTime: '2025-01-01T10:00:02.500000Z',
  evaluators: [{ slug: 'nobody' }],
  evaluationConfig: { sampleRate: 0.25 },
}

/** Every field of each log type. */
const everyLog = [
  {
    id: 'step',
    type: 'retrieval',
    name: 'Look up',
    parentId: 'g',
    startTime: '2025-01-01T10:00:00.100000Z',
    endTime: '2025-01-01T10:00:00.200000Z',
    metadata: { hits: 2 },
    input: 'q',
    output: [{ doc: 1 }],
    idealOutput: { doc: 2 },
    evaluators: [{ slug: 'nobody' }],
  },
  {
    id: 'g',
    type: 'generation',
    name: 'Answer',
    parentId: null,
    startTime: null,
    endTime: null,
    metadata: null,
    input: [{ role: 'user', content: 'Where?' }],
    output: 'Lyon',
    idealOutput: null,
    evaluators: null,
    inputTokens: 12.5,
    outputTokens: 3,
    cost: 0.0125,
    variables: [{ label: 'name', value: 'Ada' }, { label: 'empty', value: null }, { label: 'none' }],
    prompt: { slug: 'unknown', version: '1.0.0', tag: 'beta' },
  },
]

describe('monitor.trace', () => {
  describe('200', () => {
    it('returns the id of the trace, a UUIDv7 of its time of arrival', async () => {
      const { id } = await recordTrace(await newWorkspace())
      assert.match(id, uuidV7)
      const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
      assert.ok(Math.abs(Date.now() - ms) < 60_000)
    })

    it('accepts an empty object, and returns null or a default for every field that was not sent', async () => {
      const { trace, warning } = await recordTrace(await newWorkspace())
      assert.equal(warning, undefined)
      const { id: _id, startTime, receivedAt, ...rest } = trace
      assert.equal(startTime.slice(0, 23), receivedAt.slice(0, 23))
      assert.deepEqual(rest, {
        name: 'trace',
        featureSlug: null,
        chainSlug: null,
        endTime: null,
        organization: null,
        user: null,
        sessionId: null,
        environment: null,
        release: null,
        tags: [],
        experiment: null,
        totals: {
          inputTokens: 0,
          outputTokens: 0,
          cost: null,
          durationMs: null,
          errors: 0,
          models: [],
          tokensEstimated: false,
          unpriced: 0,
          estimated: 0,
        },
        sampled: false,
        sampleRate: null,
        sampledBy: null,
        warning: null,
        metadata: null,
        input: null,
        output: null,
        idealOutput: null,
        evaluators: null,
        evaluationConfig: null,
        logs: [],
        scores: [],
      })
    })

    it('keeps every field that was sent, before and after it is in the trace store', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      const { id, trace } = await recordTrace(workspace, { ...everyField, logs: everyLog })
      await app.flush()
      const { trace: drained } = await workspace.ok(traces.get, { id })
      assert.deepEqual(drained, trace)
      for (const [field, value] of Object.entries(everyField))
        assert.deepEqual(trace[field as keyof typeof trace], value, field)
      everyLog.forEach((log, index) => {
        for (const [field, value] of Object.entries(log)) {
          const read = trace.logs[index]
          assert.deepEqual(read?.[field as keyof typeof read], value, `logs[${index}].${field}`)
        }
      })
    })

    it('accepts null for every optional field, of the trace and of both shapes of a log', async () => {
      const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((key) => [key, null]))
      const log = { ...nulls(everyLog[0]!), id: 'a', type: 'tool' }
      const generation = { ...nulls(everyLog[1]!), id: 'b', type: 'generation' }
      const { featureSlug: _feature, chainSlug: _chain, ...nullable } = everyField
      const body = { ...nulls(nullable), experiment: null, logs: [log, generation] }
      const { trace, warning } = await recordTrace(await newWorkspace(), body)
      assert.equal(warning, undefined)
      assert.equal(trace.name, 'trace')
      assert.deepEqual(
        trace.logs.map(({ name, input, output, metadata }) => [name, input, output, metadata]),
        [
          [null, null, null, null],
          [null, null, null, null],
        ],
      )
      assert.deepEqual((await recordTrace(await newWorkspace(), { logs: null })).trace.logs, [])
    })

    it('accepts an empty object as no user, organization or experiment', async () => {
      const none = { user: {}, organization: {}, experiment: {} }
      const { trace } = await recordTrace(await newWorkspace(), none)
      assert.deepEqual([trace.user, trace.organization, trace.experiment], [null, null, null])
      assert.equal(trace.sampledBy, null)
    })

    it('ignores unknown fields of the trace and of its logs', async () => {
      const logs = [{ id: 'a', type: 'span', parent: 'x', options: { a: 1 } }]
      const { trace, warning } = await recordTrace(await newWorkspace(), { surprise: 1, error: 'x', logs })
      assert.equal(warning, undefined)
      assert.ok(!('surprise' in trace) && !('error' in trace))
      assert.equal(trace.logs[0]?.parentId, null)
    })

    it('ignores the fields of a generation on any other log, even those of wrong types', async () => {
      const wrong = { variables: [], cost: 'free', inputTokens: {}, outputTokens: 'x', prompt: 7 }
      const logs = ['span', 'function', 'tool', 'retrieval', 'event'].map((type) => ({
        id: type,
        type,
        ...wrong,
      }))
      const { trace, warning } = await recordTrace(await newWorkspace(), { logs })
      assert.equal(warning, undefined)
      assert.deepEqual(
        trace.logs.map((log) => [log.type, 'cost' in log, 'variables' in log]),
        logs.map(({ type }) => [type, false, false]),
      )
    })

    it('adds the trace to an experiment, and samples all of its traces', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      const { id } = await makeExperiment(workspace)
      const body = { experiment: { id }, evaluationConfig: { sampleRate: 0 } }
      const { trace } = await recordTrace(workspace, body)
      assert.deepEqual([trace.experiment, trace.sampled, trace.sampleRate], [{ id }, true, 1])
    })

    it('accepts sample_rate for sampleRate, which takes precedence', async () => {
      const workspace = await newWorkspace()
      const rateOf = async (evaluationConfig: object) => {
        const { trace } = await recordTrace(workspace, { evaluationConfig })
        return [trace.evaluationConfig?.sampleRate, trace.sampleRate]
      }
      assert.deepEqual(await rateOf({ sample_rate: 0.5 }), [0.5, 0.5])
      assert.deepEqual(await rateOf({ sample_rate: 0.5, sampleRate: 0.75 }), [0.75, 0.75])
      assert.deepEqual(await rateOf({ sample_rate: 0.5, sampleRate: null }), [0.5, 0.5])
    })

    it('names a trace by its feature, else by its first root log, else "trace"', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      const logs = [
        { id: 'child', type: 'tool', name: 'child', parentId: 'root' },
        { id: 'root', type: 'span', name: 'root' },
      ]
      const nameOf = async (body: object) => (await recordTrace(workspace, body)).trace.name
      assert.equal(await nameOf({ name: 'mine', featureSlug: 'chat', logs }), 'mine')
      assert.equal(await nameOf({ featureSlug: 'chat', logs }), 'chat')
      assert.equal(await nameOf({ logs }), 'root')
      assert.equal(await nameOf({ logs: [{ id: 'a', type: 'span' }] }), 'trace')
    })
  })

  describe('200: the feature', () => {
    it('is that of featureSlug, which takes precedence over chainSlug', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makeFeature(workspace, { slug: 'other' })
      const featureOf = async (body: object) => (await recordTrace(workspace, body)).trace.featureSlug
      assert.equal(await featureOf({ featureSlug: 'chat' }), 'chat')
      assert.equal(await featureOf({ chainSlug: 'other' }), 'other')
      assert.equal(await featureOf({ featureSlug: 'chat', chainSlug: 'other' }), 'chat')
      assert.equal(await featureOf({ featureSlug: 'chat', chainSlug: 'nobody' }), 'chat')
      assert.equal(await featureOf({}), null)
    })

    it('is the prompt’s feature if the slug names a prompt, and none if the prompt has none', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makePrompt(workspace, { slug: 'greeting', featureSlug: 'chat' })
      await makePrompt(workspace, { slug: 'loner' })
      assert.equal((await recordTrace(workspace, { featureSlug: 'greeting' })).trace.featureSlug, 'chat')
      assert.equal((await recordTrace(workspace, { chainSlug: 'greeting' })).trace.featureSlug, 'chat')
      assert.equal((await recordTrace(workspace, { featureSlug: 'loner' })).trace.featureSlug, null)
    })
  })

  describe('200 with a warning', () => {
    it('warns of an end before the start, and keeps both as sent', async () => {
      const times = { startTime: '2025-01-01T10:00:10.000000Z', endTime: '2025-01-01T10:00:05.000000Z' }
      const { trace, warning } = await recordTrace(await newWorkspace(), {
        ...times,
        logs: [{ id: 'a', type: 'span', ...times }],
      })
      assert.match(warning ?? '', /endTime is before startTime.* logs\[0\]\.endTime is before/)
      assert.equal(trace.warning, warning)
      assert.deepEqual([trace.startTime, trace.endTime], [times.startTime, times.endTime])
      assert.equal(trace.totals.durationMs, null)
    })

    it('warns of an end before the start if one of them comes from the logs or the arrival', async () => {
      const workspace = await newWorkspace()
      const [earlier, later] = ['2025-01-01T10:00:05.000000Z', '2025-01-01T10:00:10.000000Z']
      const log = { id: 'a', type: 'span' }
      const arrival = 'the arrival of the trace, which is used as its startTime'
      for (const [body, sentence] of [
        [
          { endTime: earlier, logs: [{ ...log, startTime: later }] },
          'endTime is before the earliest startTime of the logs',
        ],
        [
          { startTime: later, logs: [{ ...log, endTime: earlier }] },
          'The latest endTime of the logs is before startTime',
        ],
        [
          {
            logs: [
              { ...log, endTime: earlier },
              { ...log, id: 'b', startTime: later },
            ],
          },
          'The latest endTime of the logs is before the earliest startTime of the logs',
        ],
        [{ endTime: earlier }, `endTime is before ${arrival}`],
        [{ logs: [{ ...log, endTime: earlier }] }, `The latest endTime of the logs is before ${arrival}`],
      ] as const) {
        const { trace, warning } = await recordTrace(workspace, body)
        assert.equal(warning, `${sentence}; the trace is stored with these times.`)
        assert.deepEqual([trace.warning, trace.endTime], [warning, earlier])
        assert.equal(trace.totals.durationMs, null)
      }
      const { warning } = await recordTrace(workspace, {
        startTime: earlier,
        logs: [{ ...log, endTime: later }],
      })
      assert.equal(warning, undefined)
    })

    it('warns of a missing parent and of every unknown evaluator in one text', async () => {
      const { trace, warning } = await recordTrace(await newWorkspace(), {
        evaluators: [{ slug: 'nobody' }],
        logs: [{ id: 'a', type: 'span', parentId: 'ghost', evaluators: [{ slug: 'noone' }] }],
      })
      assert.equal(
        warning,
        'logs[0].parentId names no log of this trace; the log is stored as a root. No evaluator has the slug "nobody". No evaluator has the slug "noone".',
      )
      assert.equal(trace.logs[0]?.parentId, 'ghost')
      assert.equal(trace.warning, warning)
    })

    it('gives no warning if a child comes before its parent', async () => {
      const logs = [
        { id: 'child', type: 'tool', parentId: 'parent' },
        { id: 'parent', type: 'span' },
      ]
      const { trace, warning } = await recordTrace(await newWorkspace(), { logs })
      assert.equal(warning, undefined)
      assert.equal(trace.logs[0]?.parentId, 'parent')
    })
  })

  describe('400', () => {
    const log = (fields: object) => ({
      logs: [
        { id: 'a', type: 'span' },
        { id: 'b', type: 'tool', ...fields },
      ],
    })
    const generation = (fields: object) => ({ logs: [{ id: 'a', type: 'generation', ...fields }] })
    const refusals: [path: string, sent: object][] = [
      ['name', { name: 5 }],
      ['featureSlug', { featureSlug: 5 }],
      ['featureSlug', { featureSlug: null }],
      ['chainSlug', { chainSlug: {} }],
      ['input', { input: 5 }],
      ['output', { output: true }],
      ['idealOutput', { idealOutput: 1.5 }],
      ['metadata', { metadata: 'text' }],
      ['metadata', { metadata: ['list'] }],
      ['organization', { organization: 'Acme' }],
      ['organization.name', { organization: { id: 'o' } }],
      ['user.id', { user: { id: 7, name: 'Ada' } }],
      ['user.name', { user: { id: 'u' } }],
      ['experiment', { experiment: 'x' }],
      ['experiment.id', { experiment: { id: 5 } }],
      ['experiment.id', { experiment: { slug: 'x' } }],
      ['logs', { logs: {} }],
      ['logs[0]', { logs: ['text'] }],
      ['evaluators', { evaluators: 'x' }],
      ['evaluators[1].slug', { evaluators: [{ slug: 'a' }, {}] }],
      ['evaluationConfig', { evaluationConfig: [] }],
      ['evaluationConfig.sampleRate', { evaluationConfig: { sampleRate: 1.1 } }],
      ['evaluationConfig.sampleRate', { evaluationConfig: { sampleRate: -0.1 } }],
      ['evaluationConfig.sampleRate', { evaluationConfig: { sampleRate: '0.5' } }],
      ['evaluationConfig.sample_rate', { evaluationConfig: { sample_rate: 2 } }],
      ['logs[1].id', log({ id: undefined })],
      ['logs[1].id', log({ id: 7 })],
      ['logs[1].type', log({ type: undefined })],
      ['logs[1].type', log({ type: 7 })],
      ['logs[1].name', log({ name: {} })],
      ['logs[1].input', log({ input: 3 })],
      ['logs[1].output', log({ output: false })],
      ['logs[1].idealOutput', log({ idealOutput: 3 })],
      ['logs[1].metadata', log({ metadata: 'x' })],
      ['logs[1].parentId', log({ parentId: 1 })],
      ['logs[1].evaluators[0].slug', log({ evaluators: [{ slug: 7 }] })],
      ['logs[0].inputTokens', generation({ inputTokens: '12' })],
      ['logs[0].outputTokens', generation({ outputTokens: {} })],
      ['logs[0].cost', generation({ cost: '0.5' })],
      ['logs[0].variables[1].label', generation({ variables: [{ label: 'a' }, { value: 'b' }] })],
      ['logs[0].prompt.slug', generation({ prompt: { version: '1.0.0' } })],
      ['logs[0].prompt.version', generation({ prompt: { slug: 'a', version: 1 } })],
      ['logs[0].prompt.tag', generation({ prompt: { slug: 'a', tag: {} } })],
    ]
    it('names the path of the wrong field', async () => {
      const workspace = await newWorkspace()
      for (const [path, body] of refusals) {
        const error = await workspace.refused(monitor.trace, body, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(body)}: ${error}`)
      }
    })

    it('lists the types that a log may have', async () => {
      const error = await (await newWorkspace()).refused(monitor.trace, log({ type: 'thought' }), 400)
      assert.equal(error, 'logs[1].type: must be one of span, function, tool, retrieval, event, generation')
    })

    it('rejects a log id that repeats within a trace, and accepts it in another', async () => {
      const workspace = await newWorkspace()
      const logs = [
        { id: 'same', type: 'span' },
        { id: 'other', type: 'span' },
        { id: 'same', type: 'tool' },
      ]
      assert.match(await workspace.refused(monitor.trace, { logs }, 400), /^logs\[2\]\.id: /)
      await recordTrace(workspace, { logs: logs.slice(0, 2) })
      await recordTrace(workspace, { logs: logs.slice(1) })
    })

    it('rejects a cycle of parents of any length, including a log that is its own parent', async () => {
      const workspace = await newWorkspace()
      const chain = (parents: Record<string, string>) => ({
        logs: Object.entries(parents).map(([id, parentId]) => ({ id, type: 'span', parentId })),
      })
      for (const body of [
        chain({ a: 'a' }),
        chain({ a: 'b', b: 'a' }),
        chain({ x: 'a', a: 'b', b: 'c', c: 'a' }),
      ])
        assert.match(await workspace.refused(monitor.trace, body, 400), /^logs\[\d\]\.parentId: /)
    })
  })

  describe('404', () => {
    it('if no feature and no prompt has the slug, and stores nothing', async () => {
      const workspace = await newWorkspace()
      const error = await workspace.refused(monitor.trace, { featureSlug: 'nobody' }, 404)
      assert.equal(error, 'No feature has the slug "nobody".')
      await workspace.refused(monitor.trace, { chainSlug: 'nobody' }, 404)
      await app.flush()
      assert.deepEqual((await workspace.ok(traces.list)).traces, [])
    })

    it('if the experiment does not exist or belongs to another workspace', async () => {
      const [workspace, other] = [await newWorkspace(), await newWorkspace()]
      await makeFeature(other)
      const { id } = await makeExperiment(other)
      for (const experiment of [{ id: 'nobody' }, { id }]) {
        const error = await workspace.refused(monitor.trace, { experiment }, 404)
        assert.equal(error, `No experiment has the id "${experiment.id}".`)
      }
    })

    it('if the feature belongs to another workspace', async () => {
      const [workspace, other] = [await newWorkspace(), await newWorkspace()]
      await makeFeature(other)
      await workspace.refused(monitor.trace, { featureSlug: 'chat' }, 404)
    })
  })
})
