/** Fields that applications send with a trace, from recording to every place that returns them. */
// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { idOf, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { makeLivePrompt, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { traces, metrics, monitor } = operations

const started = '2026-03-01T10:00:00Z'
const generation = (timeToFirstTokenMs: number | null) => ({
  id: 'g',
  type: 'generation',
  cost: 1,
  timeToFirstTokenMs,
})
const fieldsByName = {
  both: {
    environment: 'production',
    release: '2.0',
    tags: ['beta', 'eu', 'größe'],
    sessionId: 's1',
    logs: [generation(250)],
  },
  other: { environment: 'staging', release: '2.0', tags: ['eu'], logs: [generation(750)] },
  none: {
    environment: null,
    release: null,
    tags: null,
    metadata: { sessionId: 's2' },
    logs: [generation(null), { id: 't', type: 'tool', timeToFirstTokenMs: 'ignored' }],
  },
}

async function recordTraces(): Promise<{ workspace: TestWorkspace; ids: Map<string, string> }> {
  const workspace = await newWorkspace()
  const ids = new Map<string, string>()
  for (const [name, fields] of Object.entries(fieldsByName))
    ids.set(name, (await recordTrace(workspace, { name, startTime: started, ...fields })).id)
  return { workspace, ids }
}
const { workspace, ids } = await recordTraces()

describe('monitor.trace', () => {
  it('200: environment, release, tags and session are returned as they were sent, before and after they are stored', async () => {
    for (const _ of ['spool', 'store']) {
      const fields = []
      for (const id of ids.values()) {
        const { trace } = await workspace.ok(traces.get, { id })
        const { environment, release, tags, sessionId, logs } = trace
        fields.push([environment, release, tags, sessionId, logs[0]?.timeToFirstTokenMs])
      }
      assert.deepEqual(fields, [
        ['production', '2.0', ['beta', 'eu', 'größe'], 's1', 250],
        ['staging', '2.0', ['eu'], null, 750],
        [null, null, [], 's2', null],
      ])
      const { trace } = await workspace.ok(traces.get, { id: ids.get('none')! })
      assert.ok(!('timeToFirstTokenMs' in trace.logs[1]!))
      await app.flush()
    }
  })

  it('400: names the field of the wrong type', async () => {
    const refusal = (fields: object) => workspace.refused(monitor.trace, fields, 400)
    assert.match(await refusal({ environment: 3 }), /^environment: must be a string/)
    assert.match(await refusal({ tags: 'beta' }), /^tags: must be /)
    assert.match(await refusal({ tags: ['a', 1] }), /^tags\[1\]: must be a string/)
    const logs = [{ id: 'g', type: 'generation', timeToFirstTokenMs: 'soon' }]
    assert.match(await refusal({ logs }), /^logs\[0\]\.timeToFirstTokenMs: must be a number/)
  })
})

describe('monitor.log', () => {
  it('200: sets them on its trace and its generation', async () => {
    await makeLivePrompt(workspace)
    const { trace } = await workspace.ok(monitor.log, {
      slug: 'greeting',
      output: 'Hi',
      tag: 'production',
      environment: 'production',
      tags: ['single'],
      timeToFirstTokenMs: 90,
      startTime: '2020-01-01T00:00:00Z',
    })
    const storedTrace = (await workspace.ok(traces.get, { id: trace.id })).trace
    assert.deepEqual(
      [
        storedTrace.environment,
        storedTrace.tags,
        storedTrace.logs[0]?.timeToFirstTokenMs,
        storedTrace.logs[0]?.prompt?.tag,
      ],
      ['production', ['single'], 90, 'production'],
    )
  })
})

const from = '2026-01-01T00:00:00Z'
const where = (...conditions: object[]) => ({ where: JSON.stringify(conditions) })

describe('traces.list', () => {
  const cases: [query: object, names: string[]][] = [
    [{ environment: 'production' }, ['both']],
    [{ release: '2.0' }, ['other', 'both']],
    [{ tag: 'eu' }, ['other', 'both']],
    [{ tag: 'eu', environment: 'staging' }, ['other']],
    [{ tag: 'größe' }, ['both']],
    [{ tag: 'e' }, []],
    [{ sessionId: 's1' }, ['both']],
    [{ sessionId: 's2' }, ['none']],
    [where({ field: 'environment', exists: false }), ['none']],
    [where({ field: 'environment', not: ['production'] }), ['none', 'other']],
    [where({ field: 'tag', is: ['beta', 'gone'] }), ['both']],
    [where({ field: 'tag', not: ['beta'] }), ['none', 'other']],
    [where({ field: 'tag', is: ['beta'] }, { field: 'tag', is: ['eu'] }), ['both']],
    [where({ field: 'tag', exists: true }), ['other', 'both']],
    [where({ field: 'timeToFirstTokenMs', min: 251 }), ['other']],
    [where({ field: 'timeToFirstTokenMs', min: 250, max: 300 }), ['both']],
    [where({ field: 'timeToFirstTokenMs', exists: false }), ['none']],
  ]
  for (const [query, names] of cases)
    it(`200: finds traces that match ${JSON.stringify(query)}`, async () => {
      const page = await workspace.ok(traces.list, { from, ...query })
      assert.deepEqual(page.traces.map(({ name }) => name).toSorted(), names.toSorted())
      for (const { name, tags } of page.traces)
        assert.deepEqual(tags, fieldsByName[name as 'both'].tags ?? [])
    })
})

describe('traces.facets', () => {
  it('200: counts their values, each tag separately', async () => {
    const { facets } = await workspace.ok(traces.facets, { from, fields: 'environment,release,tag,session' })
    assert.deepEqual(
      Object.fromEntries(
        facets.map(({ field, values }) => [field, values.map((each) => [each.value, each.count])]),
      ),
      {
        environment: [
          ['production', 1],
          ['staging', 1],
        ],
        release: [['2.0', 2]],
        tag: [
          ['eu', 2],
          ['beta', 1],
          ['größe', 1],
        ],
        session: [
          ['s1', 1],
          ['s2', 1],
        ],
      },
    )
    const byDefault = (await workspace.ok(traces.facets, { from })).facets.map(({ field }) => field)
    for (const field of ['environment', 'release', 'tag']) assert.ok(byDefault.includes(field))
  })
})

describe('metrics.query', () => {
  const query = async (input: object) => (await workspace.ok(metrics.query, { from, ...input })).rows

  it('200: groups by each of them, and filters by each', async () => {
    assert.deepEqual(await query({ measures: 'traces,cost', dimensions: 'environment' }), [
      { environment: 'production', traces: 1, cost: 1 },
      { environment: 'staging', traces: 1, cost: 1 },
      { environment: null, traces: 1, cost: 1 },
    ])
    assert.deepEqual(await query({ measures: 'traces,generations', dimensions: 'tag' }), [
      { tag: 'beta', traces: 1, generations: 1 },
      { tag: 'eu', traces: 2, generations: 2 },
      { tag: 'größe', traces: 1, generations: 1 },
      { tag: null, traces: 1, generations: 1 },
    ])
    for (const [filters, count] of [
      [{ environment: 'production' }, 1],
      [{ release: '2.0' }, 2],
      [{ tag: 'eu' }, 2],
      [{ sessionId: 's2' }, 1],
    ] as const)
      assert.deepEqual(await query({ measures: 'traces', filters: JSON.stringify(filters) }), [
        { traces: count },
      ])
    assert.deepEqual(await query({ measures: 'traces' }), [{ traces: 3 }])
  })

  it('200: measures the time to the first token', async () => {
    assert.deepEqual(
      await query({
        measures: 'avgTimeToFirstTokenMs,p50TimeToFirstTokenMs,p95TimeToFirstTokenMs',
        dimensions: 'release',
      }),
      [
        {
          release: '2.0',
          avgTimeToFirstTokenMs: 500,
          p50TimeToFirstTokenMs: 500,
          p95TimeToFirstTokenMs: 725,
        },
        {
          release: null,
          avgTimeToFirstTokenMs: null,
          p50TimeToFirstTokenMs: null,
          p95TimeToFirstTokenMs: null,
        },
      ],
    )
  })
})

describe('alerts.preview', () => {
  it('200: measures the values that an alert on each of them would see', async () => {
    const ended = '2026-03-01T10:30:00Z'
    const measureAlert = async (input: object) => {
      const { points } = await workspace.ok(operations.alerts.preview, {
        windowMinutes: 60,
        condition: 'above',
        threshold: 0,
        from: '2026-03-01T10:10:00Z',
        to: ended,
        ...input,
      })
      return points.at(-1)?.value
    }
    for (const [filters, count] of [
      [{ environment: 'production' }, 1],
      [{ release: '2.0' }, 2],
      [{ tag: 'eu' }, 2],
      [{ sessionId: 's1' }, 1],
    ] as const)
      assert.equal(await measureAlert({ measure: 'traces', filters: JSON.stringify(filters) }), count)
    assert.equal(await measureAlert({ measure: 'p50TimeToFirstTokenMs' }), 500)
    const filters = JSON.stringify({ environment: 'staging' })
    assert.equal(await measureAlert({ measure: 'avgTimeToFirstTokenMs', filters }), 750)
  })
})

describe('traces.export', () => {
  it('200: has a column for each of them', async () => {
    const { text } = await workspace.call(traces.export, { format: 'csv', from, environment: 'production' })
    const [titles = '', row = ''] = text.split('\r\n')
    const names = titles.split(',')
    for (const name of ['environment', 'release', 'tags', 'sessionId']) assert.ok(names.includes(name), name)
    assert.ok(row.includes('production,2.0,"[""beta"",""eu"",""größe""]"'), row)
  })
})

describe('an OpenTelemetry trace', () => {
  it('has them from its resource and its attributes', async () => {
    const own = await newWorkspace()
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const span = jsonSpan({
      traceId: idOf(7, 16),
      spanId: idOf(7, 8),
      attributes: [
        text('gen_ai.operation.name', 'chat'),
        text('gen_ai.request.model', 'gpt-4o'),
        text('session.id', 's7'),
        { key: 'tag.tags', value: { arrayValue: { values: [{ stringValue: 'beta' }] } } },
        { key: 'gen_ai.response.time_to_first_chunk', value: { doubleValue: 0.5 } },
      ],
    })
    const resource = {
      attributes: [text('deployment.environment.name', 'production'), text('service.version', '3.1')],
    }
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'test' }, spans: [span] }] }] }
    assert.equal((await postJson(testApp, own, body)).status, 200)
    await app.flush()
    const { trace } = await own.ok(traces.get, { id: idOf(7, 16) })
    const { environment, release, tags, sessionId, logs } = trace
    assert.deepEqual(
      [environment, release, tags, sessionId, logs[0]?.timeToFirstTokenMs],
      ['production', '3.1', ['beta'], 's7', 500],
    )
  })
})
