import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type ControlStore, defaultWorkspaceId, openControlStore, pauseName } from '../index.ts'
import { engines, type Place } from '../testing.ts'

const now = new Date('2025-06-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const otelTraceId = (index: number): string => index.toString(16).padStart(32, '0')

for (const engine of engines) {
  suite(`assemblies on ${engine.name}`, () => {
    let place: Place
    let store: ControlStore
    before(async () => {
      place = await engine.emptyPlace()
      store = await openControlStore(place.location)
    })
    after(async () => {
      await store.close()
      await place.remove()
    })

    const arrive = (index: number, time: Date, hasEndedRoot = false) =>
      store.assemblies.addArrivals(
        [
          {
            workspaceId: defaultWorkspaceId,
            otelTraceId: otelTraceId(index),
            firstAtMs: time.getTime(),
            lastAtMs: time.getTime(),
            spans: 3,
            hasEndedRoot,
          },
        ],
        time,
      )
    const dueIds = async (time: Date) =>
      (await store.assemblies.due(time, 100))
        .map((assembly) => Number.parseInt(assembly.otelTraceId, 16))
        .sort()
    const finish = async (index: number, time: Date, pauseMs: number) => {
      const [assembly] = (await store.assemblies.due(time, 100)).filter(
        (each) => each.otelTraceId === otelTraceId(index),
      )
      assert.ok(assembly)
      const traces = [{ traceId: 'a', startUs: -5n }]
      const done = {
        ...assembly,
        traces,
        digest: 'd',
        notBeforeMs: time.getTime() + pauseMs,
        settlesAtMs: 0,
        isUnsure: false,
        toJudge: undefined,
      }
      return () => store.assemblies.finish(undefined, [done])
    }

    test('a trace is due at once, then after its pause, and at once when its root has ended', async () => {
      await arrive(1, now)
      assert.deepEqual(await dueIds(now), [1])
      await (await finish(1, now, 1000))()
      assert.deepEqual(await dueIds(later(5000)), [])
      await arrive(1, later(100))
      assert.deepEqual(await dueIds(later(999)), [])
      assert.deepEqual(await dueIds(later(1000)), [1])
      await arrive(1, later(200), true)
      assert.deepEqual(await dueIds(later(200)), [1])
      const [assembly] = await store.assemblies.due(later(200), 1)
      assert.equal(assembly?.firstAtMs, now.getTime())
      assert.equal(assembly?.lastAtMs, later(200).getTime())
      assert.deepEqual(assembly?.traces, [{ traceId: 'a', startUs: -5n }])
      await (await finish(1, later(200), 0))()
    })

    test('a trace that was stored whole is due only when more spans arrive', async () => {
      const whole = {
        workspaceId: defaultWorkspaceId,
        otelTraceId: otelTraceId(7),
        firstAtMs: now.getTime(),
        lastAtMs: now.getTime(),
        traces: [{ traceId: 'whole', startUs: 5n }],
        digest: 'd',
        pauseMs: 100,
        toJudge: '[{}]',
      }
      await store.assemblies.addWhole([whole], now)
      assert.deepEqual(await dueIds(later(1000)), [])
      const settled = await store.assemblies.settled(now, 10)
      assert.deepEqual(
        settled.map(({ toJudge }) => toJudge),
        ['[{}]'],
      )
      await store.assemblies.queued(settled)
      await arrive(7, later(50))
      assert.deepEqual(await dueIds(later(99)), [])
      const [assembly] = await store.assemblies.due(later(100), 1)
      assert.deepEqual([assembly?.traces, assembly?.digest], [whole.traces, 'd'])
      await (await finish(7, later(100), 0))()
    })

    test('arrivals during an assembly make it due again', async () => {
      await arrive(2, now)
      const done = await finish(2, now, 50)
      await arrive(2, later(10))
      await done()
      assert.deepEqual(await dueIds(later(49)), [])
      assert.deepEqual(await dueIds(later(50)), [2])
      assert.equal(await store.assemblies.nextDueMs(), later(50).getTime())
      await (await finish(2, later(50), 0))()
      assert.equal(await store.assemblies.nextDueMs(), undefined)
    })

    test('one node owns the lease until it expires, and a plan outlives its node', async () => {
      const first = await store.assemblies.claimLease('a', now, 1000)
      assert.ok(first !== undefined)
      assert.equal(await store.assemblies.claimLease('b', later(999), 1000), undefined)
      const traces = [{ workspaceId: defaultWorkspaceId, otelTraceId: otelTraceId(3), traces: [] }]
      assert.equal(await store.assemblies.storePlan({ revision: first, traces }), true)
      assert.equal(await store.assemblies.claimLease('b', later(1001), 1000), first + 1)
      assert.equal(
        await store.assemblies.storePlan({ revision: first, traces }),
        false,
        'the turn is another node’s',
      )
      assert.deepEqual(await store.assemblies.unfinished(), [{ revision: first, traces }])
      assert.deepEqual(await store.assemblies.completed(), { endRevision: first, isOneUnfinished: true })
      const wider = { revision: first, traces: [{ ...traces[0]!, traces: [{ traceId: 'x', startUs: 7n }] }] }
      await store.assemblies.widen(wider)
      assert.deepEqual(await store.assemblies.unfinished(), [wider])
      await store.assemblies.finish(first, [])
      assert.deepEqual(await store.assemblies.unfinished(), [])
      assert.deepEqual(await store.assemblies.completed(), { endRevision: first + 1, isOneUnfinished: false })
    })

    test('the pause of a trace lasts until its end time, or until it is resumed', async () => {
      const keys = [8, 9].map((trace) => ({
        workspaceId: defaultWorkspaceId,
        otelTraceId: otelTraceId(trace),
      }))
      await store.assemblies.pause([keys[0]!], 'b', later(50))
      await store.assemblies.pause(keys, 'b', later(100))
      assert.deepEqual(await store.assemblies.paused(later(99)), new Set(keys.map(pauseName)))
      assert.deepEqual(await store.assemblies.paused(later(100)), new Set())
      await store.assemblies.resume([keys[0]!])
      assert.deepEqual(await store.assemblies.paused(now), new Set([pauseName(keys[1]!)]))
      await store.assemblies.resume(keys)
      assert.deepEqual(await store.assemblies.paused(now), new Set())
    })

    test('finishing a plan that another node has finished changes nothing', async () => {
      await arrive(4, now)
      const [assembly] = await store.assemblies.due(now, 1)
      const done = {
        ...assembly!,
        digest: 'late',
        notBeforeMs: 0,
        settlesAtMs: 0,
        isUnsure: false,
        toJudge: undefined,
      }
      await store.assemblies.finish(999_999, [done])
      assert.deepEqual(await dueIds(now), [4])
    })

    test('old traces are no longer tracked, unless they are due, or still growing and not too old', async () => {
      await arrive(5, now)
      await (await finish(5, now, 0))()
      await arrive(6, now)
      await arrive(8, now)
      await arrive(8, later(1000))
      await (await finish(8, later(1000), 0))()
      const keys = [5, 6, 8].map((index) => ({
        workspaceId: defaultWorkspaceId,
        otelTraceId: otelTraceId(index),
        traces: [],
      }))
      const trackedIds = async () =>
        (await store.assemblies.find(keys)).map((each) => each.otelTraceId).sort()
      await store.assemblies.forgetQuiet({ firstBefore: later(1), lastBefore: later(1000) })
      assert.deepEqual(await trackedIds(), [otelTraceId(6), otelTraceId(8)])
      await store.assemblies.forgetGrowing(later(1))
      assert.deepEqual(await trackedIds(), [otelTraceId(6)])
    })
  })
}
