/** What lists of traces, their filters and full text must find on either engine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TraceFilters, TraceStore } from './store.ts'
import { suiteStore } from './suite-store.ts'
import { testLog, testTrace } from './testing.ts'

export function testListing(current: () => TraceStore): void {
  const { insert, read, listed } = suiteStore(current)

  test('a walk through pages meets every trace once while others arrive', async () => {
    const workspaceId = randomUUID()
    const traces = Array.from({ length: 25 }, (_, index) =>
      testTrace({ workspaceId, startUs: BigInt(index >> 2) }),
    )
    await insert({ traces })
    const met: string[] = []
    let page = await read(workspaceId).list({}, { limit: 4 })
    for (;;) {
      met.push(...page.traces.map(({ traceId }) => traceId))
      if (page.next === undefined) break
      await insert({ traces: [testTrace({ workspaceId, startUs: 99n })] })
      page = await read(workspaceId).list({}, { limit: 4, before: page.next })
    }
    assert.deepEqual(met.toSorted(), traces.map(({ traceId }) => traceId).toSorted())
  })

  test('each filter finds what matches and nothing else', async () => {
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
      { featureSlug: 'f' },
      { experimentId: 'e' },
      { userId: "u'\\\n" },
      { organizationId: 'o' },
      { name: 'run' },
      { type: 'tool' },
      { model: 'm' },
      { hasError: true },
      { minCost: 0.5 },
      { minDurationMs: 2000 },
      { fromUs: 1_000n, toUs: 1_001n },
      { metadata: { 'a.b': 'c' } },
      { metadata: { n: '1.5', empty: '' } },
      { promptSlug: 'p', promptVersion: '1' },
      { promptSlug: 'q' },
      { promptVersion: '1' },
    ]
    for (const filters of hits)
      assert.deepEqual(
        await listed(workspaceId, filters),
        [hit.traceId],
        JSON.stringify(Object.keys(filters)),
      )
    const misses: TraceFilters[] = [
      { featureSlug: 'F' },
      { userId: "u'" },
      { name: 'ru' },
      { type: 'span' },
      { minCost: 0.51 },
      { minDurationMs: 2000.1 },
      { toUs: 1_000n },
      { metadata: { a: 'c' } },
      { metadata: { missing: '' } },
      { promptSlug: 'q', promptVersion: '1' },
      { userId: "' OR '1'='1" },
    ]
    for (const filters of misses)
      assert.deepEqual(await listed(workspaceId, filters), [], JSON.stringify(Object.keys(filters)))
  })

  test('full text finds words of a trace or its logs in any script and case, and phrases', async () => {
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
}
