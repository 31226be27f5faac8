// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { facetFields, operations } from '@plumbline/contract'
import {
  knownModel,
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { list, facets, histogram, percentiles } = operations.traces
const { app, newWorkspace } = await startTestApp()

const generation = (fields: object = {}) => ({ id: 'g', type: 'generation', ...fields })

/** Three traces that differ in every filter field. */
async function makeTraces(workspace: TestWorkspace) {
  await makeFeature(workspace)
  await makeLivePrompt(workspace, { model: knownModel })
  const traces = {
    cheap: {
      featureSlug: 'chat',
      startTime: '2024-03-01T00:00:00Z',
      endTime: '2024-03-01T00:00:01Z',
      user: { id: 'ada', name: 'Ada' },
      metadata: { env: 'prod', sessionId: 's1' },
      logs: [generation({ prompt: { slug: 'greeting' }, inputTokens: 10, outputTokens: 5, cost: 0.01 })],
    },
    dear: {
      startTime: '2024-03-01T06:00:00Z',
      endTime: '2024-03-01T06:00:09Z',
      user: { id: 'bob', name: 'Bob Bello' },
      organization: { id: 'org_1', name: 'Papiermühle' },
      metadata: { env: 'dev' },
      input: 'a refund, please',
      logs: [
        generation({
          metadata: { model: 'claude', provider: 'anthropic' },
          inputTokens: 900,
          outputTokens: 1,
          cost: 2,
        }),
        { id: 't', type: 'tool', metadata: { error: 'No.' }, evaluators: [{ slug: 'kindness' }] },
      ],
    },
    bare: { startTime: '2024-03-02T00:00:00Z' },
  }
  const ids = new Map<string, string>()
  for (const [name, fields] of Object.entries(traces))
    ids.set((await recordTrace(workspace, { name, ...fields })).id, name)
  const idOf = (name: string) => [...ids].find(([, traceName]) => traceName === name)![0]
  await workspace.ok(operations.scores.create, { traceId: idOf('cheap'), name: 'accuracy', value: 0.4 })
  await workspace.ok(operations.scores.create, { traceId: idOf('dear'), name: 'accuracy', value: 0.9 })
  await workspace.ok(operations.scores.create, { traceId: idOf('dear'), name: 'tone', value: 'rude' })
  await app.flush()
  return idOf
}

const workspace = await newWorkspace()
const idOf = await makeTraces(workspace)
const namesOf = async (query: object) => (await workspace.ok(list, query)).traces.map(({ name }) => name)
const where = (...conditions: object[]) => ({ where: JSON.stringify(conditions) })

const cases: [query: object, names: string[]][] = [
  [{ provider: 'anthropic' }, ['dear']],
  [{ sessionId: 's1' }, ['cheap']],
  [{ maxCost: 0.01 }, ['cheap']],
  [{ maxDurationMs: 1000 }, ['cheap']],
  [{ minTokens: 901 }, ['dear']],
  [{ maxTokens: 15 }, ['bare', 'cheap']],
  [{ receivedFrom: '2099-01-01T00:00:00Z' }, []],
  [{ receivedFrom: '2020-01-01T00:00:00Z' }, ['bare', 'dear', 'cheap']],
  [where({ field: 'trace', is: [idOf('bare'), idOf('cheap')] }), ['bare', 'cheap']],
  [where({ field: 'user', is: ['ada', 'bob'] }), ['dear', 'cheap']],
  [where({ field: 'user', not: ['ada'] }), ['bare', 'dear']],
  // Users are found by name.
  [where({ field: 'user', named: ['bello'] }), ['dear']],
  [where({ field: 'user', named: ['ada', 'bob b'] }), ['dear', 'cheap']],
  [where({ field: 'user', named: ['ad'], exists: true }), ['cheap']],
  [where({ field: 'organization', named: ['PAPIERMÜHLE'] }), ['dear']],
  [{ q: 'Bello' }, ['dear']],
  [{ q: 'bob bello' }, ['dear']],
  [{ q: 'papiermühle' }, ['dear']],
  // The beginnings and parts of words.
  [{ q: 'refun*' }, ['dear']],
  [{ q: 'efun*' }, []],
  [{ q: '*fund*' }, ['dear']],
  [{ q: 'plea* *efu*' }, ['dear']],
  [where({ field: 'feature', exists: false }), ['bare', 'dear']],
  [where({ field: 'model', is: ['claude', 'gpt-4o'] }), ['dear', 'cheap']],
  [where({ field: 'model', not: ['claude'] }), ['bare', 'cheap']],
  [where({ field: 'model', exists: false }), ['bare']],
  [where({ field: 'provider', not: ['anthropic'] }), ['bare', 'cheap']],
  [where({ field: 'provider', exists: true }), ['dear', 'cheap']],
  [where({ field: 'type', is: ['tool'] }), ['dear']],
  [where({ field: 'evaluator', is: ['kindness'] }), ['dear']],
  [where({ field: 'prompt', is: ['greeting'] }, { field: 'promptVersion', is: ['1.0.0'] }), ['cheap']],
  [where({ field: 'metadata.env', not: ['prod'] }), ['bare', 'dear']],
  [where({ field: 'metadata.env', is: ['prod', 'dev'] }), ['dear', 'cheap']],
  [where({ field: 'metadata.env', exists: false }), ['bare']],
  [where({ field: 'cost', min: 0.01, max: 1 }), ['cheap']],
  [where({ field: 'cost', exists: false }), ['bare']],
  [where({ field: 'durationMs', min: 9000 }), ['dear']],
  [where({ field: 'errors', min: 1 }), ['dear']],
  [where({ field: 'logs', min: 2 }), ['dear']],
  [where({ field: 'hasError', is: ['true'] }), ['dear']],
  [where({ field: 'hasError', not: ['true'] }), ['bare', 'cheap']],
  [where({ field: 'sampled', is: ['true', 'false'] }), ['bare', 'dear', 'cheap']],
  [where({ field: 'score', exists: true }), ['dear', 'cheap']],
  [where({ field: 'score', exists: false }), ['bare']],
  [where({ field: 'score.accuracy', max: 0.5 }), ['cheap']],
  [where({ field: 'score.accuracy', min: 0.5, max: 1 }), ['dear']],
  [where({ field: 'score.tone', is: ['rude'] }), ['dear']],
  [where({ field: 'score.tone', not: ['rude'] }), ['bare', 'cheap']],
  [where({ field: 'score.tone', exists: false }), ['bare', 'cheap']],
]

describe('traces.list', () => {
  for (const [query, names] of cases) {
    it(`200: finds traces that match ${JSON.stringify(query)}`, async () => {
      assert.deepEqual(await namesOf(query), names)
    })
  }

  it('200: sorts by the requested field, missing values last, and pages in that order', async () => {
    const orders: Record<string, string[]> = {
      start: ['bare', 'dear', 'cheap'],
      duration: ['dear', 'cheap', 'bare'],
      cost: ['dear', 'cheap', 'bare'],
      tokens: ['dear', 'cheap', 'bare'],
      errors: ['dear', 'bare', 'cheap'],
      received: ['bare', 'dear', 'cheap'],
    }
    for (const [sort, names] of Object.entries(orders)) {
      for (const order of ['desc', 'asc']) {
        const walked: (string | null)[] = []
        let cursor: string | undefined
        do {
          const page = await workspace.ok(list, { sort, order, limit: 1, ...(cursor && { cursor }) })
          walked.push(...page.traces.map(({ name }) => name))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        assert.deepEqual(walked, order === 'desc' ? names : names.toReversed(), `${sort} ${order}`)
      }
    }
  })

  it('200: keeps a stable order among equal values, so that pages neither repeat nor skip a trace', async () => {
    const other = await newWorkspace()
    for (let index = 0; index < 7; index++)
      await other.ok(operations.monitor.trace, { logs: [generation({ cost: 0.1 + 0.2 })] })
    await app.flush()
    const foundIds = new Set<string>()
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await other.ok(list, { sort: 'cost', limit: 2, ...(cursor && { cursor }) })
      for (const { id } of page.traces) foundIds.add(id)
      cursor = page.nextCursor
      pages += 1
    } while (cursor !== undefined)
    assert.deepEqual([foundIds.size, pages], [7, 4])
  })

  it('400: names an invalid condition, an invalid sort, and a cursor of another order', async () => {
    const refusal = (query: object) => workspace.refused(list, query, 400)
    assert.match(await refusal({ where: 'x' }), /^where: must be a JSON array/)
    assert.match(await refusal({ where: '{}' }), /^where: /)
    assert.match(await refusal(where({ field: 'secret' })), /^where\[0\]\.field: must be one of /)
    assert.match(await refusal(where({ field: 'cost', min: 'x' })), /^where\[0\]\.min: /)
    assert.match(await refusal(where({ field: 'model', min: 1 })), /^where\[0\]\.min: .*is, not, exists/)
    assert.match(
      await refusal(where({ field: 'user', exists: true }, { field: 'cost', is: ['1'] })),
      /^where\[1\]\.is: /,
    )
    // Both would match every trace.
    assert.equal(
      await refusal(where({ field: 'cost' })),
      'where[0]: must have one of the operators of cost: min, max, exists',
    )
    assert.match(await refusal(where({ field: 'hasError', not: ['True'] })), /^where\[0\]\.not\[0\]: /)
    assert.match(await refusal({ sort: 'name' }), /^sort: must be one of /)
    const { nextCursor } = await workspace.ok(list, { sort: 'cost', limit: 1 })
    assert.match(await refusal({ sort: 'tokens', cursor: nextCursor }), /^cursor: /)
    assert.match(await refusal({ receivedFrom: 'x' }), /^receivedFrom: /)
  })
})

describe('traces.facets', () => {
  it('200: counts the values of each field among the traces that match the filters', async () => {
    const counted = await workspace.ok(facets, {
      fields: 'feature,model,provider,user,prompt,promptVersion,hasError,score,metadata,metadata.env',
    })
    const asText = Object.fromEntries(
      counted.facets.map(({ field, values }) => [
        field,
        values.map(({ value, count }) => `${value} ${count}`).toSorted(),
      ]),
    )
    assert.deepEqual(asText, {
      feature: ['chat 1'],
      model: ['claude 1', 'gpt-4o 1'],
      provider: ['anthropic 1', 'open-ai 1'],
      user: ['ada 1', 'bob 1'],
      prompt: ['greeting 1'],
      promptVersion: ['1.0.0 1'],
      hasError: ['false 2', 'true 1'],
      score: ['accuracy 2', 'tone 1'],
      metadata: ['env 2', 'sessionId 1'],
      'metadata.env': ['dev 1', 'prod 1'],
    })
    const narrowed = await workspace.ok(facets, { fields: 'score', q: 'refund' })
    assert.deepEqual(narrowed.facets, [
      {
        field: 'score',
        values: [
          { value: 'accuracy', count: 1 },
          { value: 'tone', count: 1 },
        ],
      },
    ])
  })

  it('200: counts the same with words as without, if both find the same traces (issue 16, part 8)', async () => {
    const other = await newWorkspace()
    await makeTraces(other)
    await recordTrace(other, {
      input: 'a refund',
      user: { id: 'ada', name: 'Ada' },
      tags: ['late', 'dear', 'late'],
      metadata: { env: 'dev', sessionId: 's1' },
      logs: [{ id: 't', type: 'tool', metadata: { error: 'No.' } }],
    })
    await app.flush()
    const failed = {
      where: JSON.stringify([{ field: 'hasError', is: ['true'] }]),
      fields: `${facetFields},score,metadata,metadata.env`,
    }
    const facetsWithoutWords = await other.ok(facets, failed)
    assert.deepEqual(await other.ok(facets, { ...failed, q: 'refund' }), facetsWithoutWords)
    const ofTags = facetsWithoutWords.facets.find(({ field }) => field === 'tag')
    assert.deepEqual(
      ofTags?.values.map(({ value, count }) => `${value} ${count}`),
      ['dear 1', 'late 1'],
    )
  })

  it('200: completes a value by its beginning, ignoring case', async () => {
    const completed = await workspace.ok(facets, { fields: 'model', prefix: 'GP', limit: 1 })
    assert.deepEqual(completed.facets[0]?.values, [{ value: 'gpt-4o', count: 1 }])
    const searched = await workspace.ok(facets, { fields: 'user,model', prefix: 'bel', q: 'refund' })
    assert.deepEqual(
      searched.facets.map(({ values }) => values),
      [[{ value: 'bob', label: 'Bob Bello', count: 1 }], []],
    )
  })

  it('200: returns default fields if none are named, and no values of another workspace', async () => {
    const usual = await (await newWorkspace()).ok(facets)
    assert.ok(usual.facets.length > 5)
    assert.ok(usual.facets.every(({ values }) => values.length === 0))
  })

  it('400: for a field without facets', async () => {
    assert.match(await workspace.refused(facets, { fields: 'feature,secret' }, 400), /^fields: "secret"/)
  })
})

describe('traces.histogram', () => {
  it('200: counts traces and failures in buckets of a round width, including empty buckets', async () => {
    const { widthMs, buckets } = await workspace.ok(histogram, { buckets: 5 })
    assert.equal(widthMs, 6 * 3_600_000)
    assert.deepEqual(
      buckets.map(({ time, traces, failed, cost }) => [time.slice(0, 13), traces, failed, cost]),
      [
        ['2024-03-01T00', 1, 0, 0.01],
        ['2024-03-01T06', 1, 1, 2],
        ['2024-03-01T12', 0, 0, null],
        ['2024-03-01T18', 0, 0, null],
        ['2024-03-02T00', 1, 0, null],
      ],
    )
  })

  it('200: chooses buckets for the time range of the matching traces, not of all traces', async () => {
    const whole = await workspace.ok(histogram, { buckets: 5 })
    const failed = await workspace.ok(histogram, { buckets: 5, hasError: 'true' })
    assert.equal(failed.widthMs, 1000)
    assert.deepEqual(
      failed.buckets.map(({ traces, failed }) => [traces, failed]),
      [[1, 1]],
    )
    const fromThen = { buckets: 5, from: failed.buckets[0]!.time }
    const later = await workspace.ok(histogram, fromThen)
    assert.ok(later.widthMs > 1000)
    assert.equal(
      later.buckets.reduce((sum, { traces }) => sum + traces, 0),
      whole.buckets.slice(1).reduce((sum, { traces }) => sum + traces, 0),
    )
  })

  it('200: accepts the filters of the list and covers the requested range', async () => {
    const { buckets } = await workspace.ok(histogram, {
      q: 'refund',
      from: '2024-03-01T00:00:00Z',
      to: '2024-03-03T00:00:00Z',
      buckets: 2,
    })
    assert.deepEqual(
      buckets.map(({ traces }) => traces),
      [1, 0],
    )
    assert.deepEqual(await workspace.ok(histogram, { name: 'nobody' }), { widthMs: 0, buckets: [] })
    const ages = await workspace.ok(histogram, { from: '0001-01-01T00:00Z', to: '9999-12-31T23:59Z' })
    assert.equal(ages.buckets[0]?.time, '0001-01-01T00:00:00.000000Z')
  })

  it('200: counts later traces in the last bucket if the request asks for it', async () => {
    const range = { from: '2024-03-01T00:00:00Z', to: '2024-03-01T12:00:00Z', buckets: 2 }
    const countsOf = async (query: object) =>
      (await workspace.ok(histogram, query)).buckets.map(({ traces, failed, cost }) => [traces, failed, cost])
    assert.deepEqual(await countsOf(range), [
      [1, 0, 0.01],
      [1, 1, 2],
    ])
    assert.deepEqual(await countsOf({ ...range, includesLater: true }), [
      [1, 0, 0.01],
      [2, 1, 2],
    ])
    // Without an upper bound there are no later traces.
    assert.deepEqual(await countsOf({ includesLater: true }), await countsOf({}))
  })

  it('200: returns the days of a time zone, some of which are longer', async () => {
    const other = await newWorkspace()
    for (const startTime of ['2024-11-02T03:30:00Z', '2024-11-03T04:30:00Z', '2024-11-04T04:30:00Z'])
      await recordTrace(other, { startTime })
    await app.flush()
    const range = { from: '2024-11-01T20:00:00Z', to: '2024-11-05T05:00:00Z', buckets: 5 }
    const { widthMs, buckets, end } = await other.ok(histogram, { ...range, timeZone: 'America/New_York' })
    assert.equal(widthMs, 24 * 3_600_000)
    assert.deepEqual(
      buckets.map(({ time, traces }) => [time.slice(0, 16), traces]),
      [
        ['2024-11-01T04:00', 1],
        ['2024-11-02T04:00', 0],
        ['2024-11-03T04:00', 2],
        ['2024-11-04T05:00', 0],
      ],
    )
    assert.equal(end, '2024-11-05T05:00:00.000000Z')
  })

  it('400: for a number of buckets out of range, and for an unknown time zone', async () => {
    assert.match(await workspace.refused(histogram, { buckets: 0 }, 400), /^buckets: /)
    assert.match(await workspace.refused(histogram, { timeZone: 'Berlin' }, 400), /^timeZone: "Berlin"/)
  })
})

describe('traces.percentiles', () => {
  it('200: ranks a trace among the earlier traces of its feature', async () => {
    const other = await newWorkspace()
    await makeFeature(other)
    let last = ''
    for (let index = 1; index <= 10; index++) {
      const { id } = await recordTrace(other, {
        featureSlug: 'chat',
        startTime: 1_700_000_000 + index,
        endTime: 1_700_000_000 + index + index,
        logs: index === 10 ? [generation({ inputTokens: 7, outputTokens: 3, cost: 1 })] : [],
      })
      last = id
    }
    await recordTrace(other, { startTime: 1_700_000_005, endTime: 1_700_009_000 })
    await app.flush()
    const { traces, durationMs, cost, tokens } = await other.ok(percentiles, { id: last })
    assert.equal(traces, 10)
    assert.deepEqual([durationMs.value, durationMs.rank, durationMs.p50], [10_000, 1, 5500])
    assert.deepEqual([cost.value, cost.rank], [1, 1])
    assert.deepEqual([tokens.value, tokens.rank], [10, 1])
    const bare = await workspace.ok(percentiles, { id: idOf('bare') })
    assert.deepEqual([bare.durationMs.value, bare.durationMs.rank], [null, null])
  })

  it('404: for a trace that does not exist', async () => {
    await workspace.refused(percentiles, { id: '01890000-0000-7000-8000-000000000000' }, 404)
  })
})
