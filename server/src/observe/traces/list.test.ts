import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../../fixtures/property-runs.ts'
import {
  knownModel,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
  makeVersion,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { list } = operations.traces
const { app, newWorkspace } = await startTestApp()

const generation = (fields: object) => ({ id: 'g', type: 'generation', ...fields })
const seconds = (start: string, end: string) => ({
  startTime: `2024-03-01T00:00:${start}Z`,
  endTime: `2024-03-01T00:00:${end}Z`,
})

/** Names of the traces that match a filter. */
async function listNames(workspace: TestWorkspace, query: object): Promise<string[]> {
  return (await workspace.ok(list, query)).traces.map(({ metadata }) => String(metadata?.as)).toSorted()
}

/** Filters: a match, a mismatch, and the query that separates the two. */
const filters: Record<string, [hit: object, miss: object, query: object]> = {
  featureSlug: [{ featureSlug: 'chat' }, { featureSlug: 'other' }, { featureSlug: 'chat' }],
  userId: [{ user: { id: 'u-1', name: 'A' } }, { user: { id: 'u-2', name: 'u-1' } }, { userId: 'u-1' }],
  organizationId: [
    { organization: { id: 'o-1', name: 'A' } },
    { organization: { id: 'o-2', name: 'o-1' } },
    { organizationId: 'o-1' },
  ],
  name: [{ name: 'Apples' }, { name: 'Apples and pears' }, { name: 'Apples' }],
  'name in its case': [{ name: 'Apples' }, { name: 'apples' }, { name: 'Apples' }],
  type: [
    {
      logs: [
        { id: 'a', type: 'span' },
        { id: 'b', type: 'retrieval' },
      ],
    },
    { logs: [{ id: 'a', type: 'tool' }] },
    { type: 'retrieval' },
  ],
  model: [
    { logs: [generation({ metadata: { model: 'gpt-4o' } })] },
    { logs: [generation({ metadata: { model: 'gpt-4' } })] },
    { model: 'gpt-4o' },
  ],
  promptSlug: [
    { logs: [generation({ prompt: { slug: 'greeting' } })] },
    { logs: [generation({ prompt: { slug: 'farewell' } })] },
    { promptSlug: 'greeting' },
  ],
  'promptSlug of a prompt that is not there': [
    { logs: [generation({ prompt: { slug: 'ghost' } })] },
    { logs: [generation({ prompt: { slug: 'greeting' } })] },
    { promptSlug: 'ghost' },
  ],
  promptVersion: [
    { logs: [generation({ prompt: { slug: 'greeting', version: '1.0.1' } })] },
    { logs: [generation({ prompt: { slug: 'greeting' } })] },
    { promptVersion: '1.0.1' },
  ],
  'promptVersion as served, not as asked for': [
    { logs: [generation({ prompt: { slug: 'greeting', version: '9.9.9' } })] },
    { logs: [generation({ prompt: { slug: 'greeting', version: '1.0.1' } })] },
    { promptVersion: '1.0.0' },
  ],
  hasError: [
    { logs: [{ id: 'a', type: 'tool', metadata: { error: 'No' } }] },
    { logs: [{ id: 'a', type: 'tool', metadata: { error: null } }] },
    { hasError: true },
  ],
  'hasError=false': [{}, { logs: [{ id: 'a', type: 'tool', metadata: { error: {} } }] }, { hasError: false }],
  minCost: [
    { logs: [generation({ cost: 0.3 }), { ...generation({ cost: 0.2 }), id: 'h' }] },
    { logs: [generation({ cost: 0.4999 })] },
    { minCost: 0.5 },
  ],
  minDurationMs: [seconds('00', '02'), seconds('00', '01.999'), { minDurationMs: 2000 }],
  'from, inclusive': [seconds('20', '21'), seconds('19.999999', '21'), { from: '2024-03-01T00:00:20Z' }],
  'to, exclusive': [seconds('19.999999', '20'), seconds('20', '20'), { to: '2024-03-01T00:00:20Z' }],
  'from as Unix time': [seconds('20', '21'), seconds('19', '21'), { from: 1709251220 }],
  'metadata.KEY': [
    { metadata: { channel: 'web' } },
    { metadata: { channel: 'app', other: 'web' } },
    { 'metadata.channel': 'web' },
  ],
  'metadata of a number, compared as text': [
    { metadata: { n: 7 } },
    { metadata: { n: 70 } },
    { 'metadata.n': '7' },
  ],
  'metadata of a boolean, compared as text': [
    { metadata: { on: true } },
    { metadata: { on: false } },
    { 'metadata.on': 'true' },
  ],
  'metadata of a key with a dot': [
    { metadata: { 'a.b': 'x' } },
    { metadata: { a: { b: 'x' } } },
    { 'metadata.a.b': 'x' },
  ],
  'q in the input': [{ input: 'The zebrafish swims.' }, { input: 'The zebra swims.' }, { q: 'zebrafish' }],
  'q of several words': [
    { input: 'red house', output: 'green door' },
    { input: 'red door' },
    { q: 'green red' },
  ],
  'q of a phrase': [{ input: 'a red green door' }, { input: 'a green red door' }, { q: '"red green"' }],
  'q of a phrase with marks between its words (issue 16, part 8)': [
    { input: 'a red — (“green”) door' },
    { input: 'a red, then green door' },
    { q: '"red green door"' },
  ],
  'q of the beginning of a word behind a mark': [
    { input: 'the “refund”' },
    { input: 'it is unrefundable' },
    { q: 'refun*' },
  ],
  'q of a part of a text with a mark in it': [
    { input: 'prefund; amount' },
    { input: 'prefund the amount' },
    { q: '*fund-amo*' },
  ],
  'q in a log': [
    { logs: [{ id: 'a', type: 'tool', output: { deep: ['quicksilver'] } }] },
    { logs: [{ id: 'a', type: 'tool', output: 'silver' }] },
    { q: 'quicksilver' },
  ],
  'q in a language without spaces': [{ input: '今日は天気がいい' }, { input: '今日は雨' }, { q: '天気' }],
  'two filters, which both must hold': [
    { name: 'run', metadata: { plan: 'pro' } },
    { name: 'run', metadata: { plan: 'free' } },
    { name: 'run', 'metadata.plan': 'pro' },
  ],
}

describe('traces.list', () => {
  describe('200', () => {
    for (const [name, [hit, miss, query]] of Object.entries(filters)) {
      it(`finds traces that match ${name}, and no others`, async () => {
        const workspace = await newWorkspace()
        await makeFeature(workspace)
        await makeFeature(workspace, { slug: 'other' })
        await makeLivePrompt(workspace, { model: knownModel })
        await makeVersion(workspace)
        const withMark = (body: object, name: string) => {
          const metadata = 'metadata' in body ? (body.metadata as object) : {}
          return { ...body, metadata: { ...metadata, as: name } }
        }
        await recordTrace(workspace, withMark(hit, 'hit'))
        await recordTrace(workspace, withMark(miss, 'miss'))
        await app.flush()
        assert.deepEqual(await listNames(workspace, {}), ['hit', 'miss'])
        assert.deepEqual(await listNames(workspace, query), ['hit'])
      })
    }

    it('finds the traces of an experiment', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      const experiment = await makeExperiment(workspace)
      const { id } = await recordTrace(workspace, { experiment: { id: experiment.id } })
      await recordTrace(workspace)
      await app.flush()
      const { traces } = await workspace.ok(list, { experimentId: experiment.id })
      assert.deepEqual(
        traces.map((trace) => trace.id),
        [id],
      )
    })

    it('returns each trace as traces.get does, with previews instead of its texts and a count instead of its logs', async () => {
      const workspace = await newWorkspace()
      const body = {
        name: 'x',
        input: 'in',
        output: { o: 1 },
        logs: [generation({ cost: 1 })],
        metadata: { a: 1 },
      }
      const { trace } = await recordTrace(workspace, { ...body, user: { id: 'u', name: 'U' } })
      await app.flush()
      const [summary] = (await workspace.ok(list)).traces
      const { input: _i, output: _o, idealOutput: _d, logs: _l, scores: _s, evaluators: _e, ...rest } = trace
      const { chainSlug: _c, evaluationConfig: _g, totals, ...shared } = rest
      // The gaps of sums are counted from the logs, which a list does not read.
      const { unpriced: _u, estimated: _t, ...sums } = totals
      assert.deepEqual(summary, {
        ...shared,
        totals: sums,
        inputPreview: '"in"',
        outputPreview: '{"o":1}',
        logCount: 1,
        error: null,
      })
    })

    it('has the error of the first failed log, whatever its form', async () => {
      const workspace = await newWorkspace()
      const error = { type: 'Timeout', message: 'No response within 30 s.' }
      const logs = [
        { id: 'a', type: 'tool' },
        { id: 'b', type: 'tool', metadata: { error } },
        { id: 'c', type: 'tool', metadata: { error: 'Gave up.' } },
      ]
      await recordTrace(workspace, { logs })
      await app.flush()
      for (const sort of ['start', 'cost'] as const)
        assert.deepEqual(
          (await workspace.ok(list, { sort })).traces.map((trace) => trace.error),
          ['No response within 30 s.'],
        )
    })

    it('returns nothing of another workspace', async () => {
      const [workspace, other] = [await newWorkspace(), await newWorkspace()]
      await recordTrace(other)
      await app.flush()
      assert.deepEqual(await workspace.ok(list), { traces: [] })
    })

    it('returns pages of 50 by default, latest start first', async () => {
      const workspace = await newWorkspace()
      for (let index = 0; index < 51; index++)
        await workspace.ok(operations.monitor.trace, { startTime: 1_700_000_000 + index })
      await app.flush()
      const first = await workspace.ok(list)
      assert.equal(first.traces.length, 50)
      assert.equal(first.traces[0]?.startTime, '2023-11-14T22:14:10.000000Z')
      const second = await workspace.ok(list, { cursor: first.nextCursor })
      assert.deepEqual([second.traces.length, second.nextCursor], [1, undefined])
    })

    it('visits every trace once, in order, for any starts and page size, while others arrive', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 }),
          fc.integer({ min: 1, max: 7 }),
          fc.integer({ min: 1, max: 6 }),
          async (starts, limit, late) => {
            const workspace = await newWorkspace()
            const ids: string[] = []
            for (const startTime of starts)
              ids.push((await workspace.ok(operations.monitor.trace, { startTime })).trace.id)
            await app.flush()
            const listedTraces: { id: string; startTime: string }[] = []
            let cursor: string | undefined
            do {
              const page = await workspace.ok(list, { limit, ...(cursor && { cursor }) })
              listedTraces.push(...page.traces)
              cursor = page.nextCursor
              await workspace.ok(operations.monitor.trace, { startTime: late, name: 'late' })
              await app.flush()
            } while (cursor !== undefined && listedTraces.length < 100)
            const starting = listedTraces.map(({ startTime }) => startTime)
            assert.deepEqual(starting, starting.toSorted().toReversed())
            assert.equal(new Set(listedTraces.map(({ id }) => id)).size, listedTraces.length)
            assert.deepEqual(
              listedTraces
                .map(({ id }) => id)
                .filter((id) => ids.includes(id))
                .toSorted(),
              ids.toSorted(),
            )
          },
        ),
        propertyRuns(2),
      )
    })
  })

  describe('400', () => {
    it('names the invalid parameter', async () => {
      const workspace = await newWorkspace()
      const refusals: [parameter: string, values: readonly string[]][] = [
        ['limit', ['0', '-1', 'ten', '1001', '2.5']],
        ['cursor', ['x', '', Buffer.from('["prompts",1,"a"]').toString('base64url')]],
        ['from', ['yesterday', '2024-02-30T00:00:00Z', '2024-01-01', '']],
        ['to', ['0', 'x']],
        ['minCost', ['much', '']],
        ['minDurationMs', ['long']],
        ['hasError', ['maybe', '2']],
        ['type', ['thought']],
      ]
      for (const [parameter, values] of refusals) {
        for (const value of values) {
          const error = await workspace.refused(list, { [parameter]: value }, 400)
          assert.ok(error.startsWith(`${parameter}: `), `${parameter}=${value}: ${error}`)
        }
      }
    })
  })
})

describe('the limit of a list', () => {
  it('400: must be a decimal number', async () => {
    const workspace = await newWorkspace()
    for (const limit of ['0x10', '0b1', '1e', 'ten']) {
      const { status, text } = await workspace.call(list, { limit } as unknown as { limit: number })
      assert.equal(status, 400, limit)
      assert.match(text, /limit: must be an integer/)
    }
    await workspace.ok(list, { limit: 10 })
  })
})
