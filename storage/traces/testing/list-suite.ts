/** Trace lists, filters and full-text search on either engine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TraceStore } from '../store.ts'
import type { TraceFilters } from '../types.ts'
import { suiteStore } from './suite-store.ts'
import { testLog, testTrace } from './testing.ts'

const is = (field: string, value: string): TraceFilters => ({ where: [{ field, is: [value] }] })
/** Matches one log with both a prompt and its served version. */
const isOfLog = (slug: string | readonly string[], version: string): TraceFilters => ({
  where: [
    { field: 'prompt', is: [slug].flat(), isOfLog: true },
    { field: 'promptVersion', is: [version], isOfLog: true },
  ],
})

export function testListing(current: () => TraceStore): void {
  const { insert, read, listed } = suiteStore(current)

  test('a walk through pages visits every trace once while others arrive', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 25 }, (_, index) =>
      testTrace({ workspaceId, startUs: BigInt(index >> 2) }),
    )
    await insert({ traces })
    const visitedIds: string[] = []
    let page = await read(workspaceId).list({}, { limit: 4 })
    for (;;) {
      visitedIds.push(...page.traces.map(({ traceId }) => traceId))
      if (page.next === undefined) break
      await insert({ traces: [testTrace({ workspaceId, startUs: 99n })] })
      page = await read(workspaceId).list({}, { limit: 4, before: page.next })
    }
    assert.deepEqual(visitedIds.toSorted(), traces.map(({ traceId }) => traceId).toSorted())
  })

  test('each filter finds the matching traces and no others', async () => {
    const workspaceId = randomUUID()
    const hit = testTrace({
      workspaceId,
      featureSlug: 'f',
      experimentId: 'e',
      userId: "u'\\\n",
      organizationId: 'o',
      name: 'run',
      logTypes: ['tool'],
      models: ['m'],
      errors: 1,
      cost: 0.5,
      durationUs: 2_000_000n,
      startUs: 1_000n,
      metadata: '{"a.b":"c","n":1.5,"empty":""}',
      prompts: [
        { slug: 'p', version: '1' },
        { slug: 'q', version: '2' },
      ],
    })
    await insert({
      traces: [
        hit,
        testTrace({
          workspaceId,
          startUs: 2_000n,
          cost: 0.1,
          durationUs: 1n,
          prompts: [{ slug: 'p', version: '2' }],
        }),
      ],
    })
    const hits: TraceFilters[] = [
      is('feature', 'f'),
      is('experiment', 'e'),
      is('user', "u'\\\n"),
      is('organization', 'o'),
      is('name', 'run'),
      is('type', 'tool'),
      is('model', 'm'),
      is('hasError', 'true'),
      { where: [{ field: 'cost', min: 0.5 }] },
      { where: [{ field: 'durationMs', min: 2000 }] },
      { fromUs: 1_000n, toUs: 1_001n },
      is('metadata.a.b', 'c'),
      {
        where: [
          { field: 'metadata.n', is: ['1.5'] },
          { field: 'metadata.empty', is: [''] },
        ],
      },
      isOfLog('p', '1'),
      isOfLog(['p', 'q'], '1'),
      is('prompt', 'q'),
      is('promptVersion', '1'),
    ]
    for (const filters of hits)
      assert.deepEqual(await listed(workspaceId, filters), [hit.traceId], JSON.stringify(filters.where))
    const misses: TraceFilters[] = [
      is('feature', 'F'),
      is('user', "u'"),
      is('name', 'ru'),
      is('type', 'span'),
      { where: [{ field: 'cost', min: 0.51 }] },
      { where: [{ field: 'durationMs', min: 2000.1 }] },
      { toUs: 1_000n },
      is('metadata.a', 'c'),
      is('metadata.missing', ''),
      isOfLog('q', '1'),
      isOfLog(['q', 'r'], '1'),
      is('user', "' OR '1'='1"),
    ]
    for (const filters of misses)
      assert.deepEqual(await listed(workspaceId, filters), [], JSON.stringify(filters.where))
  })

  test('a flag is, or is not, true or false', async () => {
    const workspaceId = randomUUID()
    const [failed, sound] = [testTrace({ workspaceId, errors: 2 }), testTrace({ workspaceId, errors: 0 })]
    await insert({ traces: [failed, sound] })
    const cases: readonly (readonly [values: string[], is: string[], not: string[]])[] = [
      [['true'], [failed.traceId], [sound.traceId]],
      [['false'], [sound.traceId], [failed.traceId]],
      [['true', 'false'], [failed.traceId, sound.traceId], []],
      [['yes'], [], [failed.traceId, sound.traceId]],
    ]
    for (const [values, matching, others] of cases) {
      const ids = async (condition: object) =>
        (await listed(workspaceId, { where: [{ field: 'hasError', ...condition }] })).sort()
      assert.deepEqual(await ids({ is: values }), matching.sort(), values.join())
      assert.deepEqual(await ids({ not: values }), others.sort(), values.join())
    }
  })

  test('an empty tag is found like any other', async () => {
    const workspaceId = randomUUID()
    const tagged = testTrace({ workspaceId, tags: ['t', ''] })
    const others = [testTrace({ workspaceId, tags: ['t'] }), testTrace({ workspaceId })]
    await insert({ traces: [tagged, ...others] })
    assert.deepEqual(await listed(workspaceId, is('tag', '')), [tagged.traceId])
    assert.deepEqual(
      (await listed(workspaceId, { where: [{ field: 'tag', not: [''] }] })).sort(),
      others.map(({ traceId }) => traceId).sort(),
    )
  })

  test('full-text search finds words of a trace or its logs in any script and case, and phrases', async () => {
    const workspaceId = randomUUID()
    const trace = testTrace({
      workspaceId,
      input: JSON.stringify('Hello\nWÖRLD “Foo” 今天天气很好 C:\\new ภาษาไทย'),
    })
    await insert({
      traces: [trace],
      logs: [testLog(trace, { output: '{"user_id":"Zebra’s \\"red apple\\""}' })],
    })
    for (const q of [
      'hello',
      'wörld',
      'foo',
      '天气',
      'ไทย',
      'new',
      '"hello wörld foo"',
      'zebra',
      '"red apple"',
      'USER',
      'foo hello',
      'c:\\new',
      ' "foo',
      "hello'",
    ]) {
      assert.deepEqual(await listed(workspaceId, { q }), [trace.traceId], q)
    }
    for (const q of [
      'hell',
      'nwörld',
      '气天',
      '"wörld hello"',
      '"apple red"',
      'missing',
      "%_'\\{x:String}",
      '!',
      '\0',
      '\ud800',
    ]) {
      assert.deepEqual(await listed(workspaceId, { q }), [], q)
    }
    assert.deepEqual(await listed(workspaceId, { q: ' ' }), [trace.traceId])
  })

  test('a phrase begins and ends at word boundaries; characters that are words by themselves need no space', async () => {
    const workspaceId = randomUUID()
    const trace = testTrace({ workspaceId, input: '"The traces of he_and a-trace, 今天天气 very good"' })
    await insert({ traces: [trace] })
    for (const q of ['"the traces"', '"he and a trace"', '"天气 very"', '"a trace 今天"'])
      assert.deepEqual(await listed(workspaceId, { q }), [trace.traceId], q)
    for (const q of ['"the trace"', '"he traces"', '"and a tra"'])
      assert.deepEqual(await listed(workspaceId, { q }), [], q)
  })
}
