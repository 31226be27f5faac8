// One control plane is enough: alerts and jobs have tests of their own on both, and roll-back-on-alert.test.ts runs them together.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type OutputOf, operations } from '@plumbline/contract'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'
import { startReceiver } from '../../../testing/webhook-receiver.ts'

const { list, get, create, update, delete: remove, preview, history, retry } = operations.alerts

let aheadMs = 0
const advance = (minutes: number): void => {
  aheadMs += minutes * 60_000
}
const now = () => new Date(Date.now() + aheadMs)
/** The responses of the receiver, by the path of the request. */
const answers = new Map<string, { status: number; headers?: Record<string, string> }>()
const receiver = await startReceiver(({ path }, response) => {
  const { status, headers } = answers.get(path) ?? { status: 204 }
  response.writeHead(status, headers).end()
})
after(() => receiver.close())
const { app, newWorkspace } = await startTestApp({
  now,
  settings: {
    PLUMBLINE_WEBHOOK_HOSTS: '127.0.0.1,localhost',
    PLUMBLINE_PUBLIC_URL: 'https://plumbline.example.com',
  },
})

type Event = OutputOf<typeof history>['events'][number]

const rule = {
  name: 'Errors',
  measure: 'errorRate',
  windowMinutes: 5,
  condition: 'above',
  threshold: 0.5,
  delaySeconds: 0,
}
const failing = { logs: [{ id: 'a', type: 'tool', metadata: { error: 'x' } }] }

/** A trace in or before the last whole minute. */
const record = async (workspace: TestWorkspace, fields: object = {}): Promise<void> => {
  const startTime = new Date(now().getTime() - 90_000).toISOString()
  await recordTrace(workspace, { startTime, ...fields })
  await app.flush()
}
const hook = async (workspace: TestWorkspace, path: string) =>
  workspace.ok(operations.channels.create, { name: path, type: 'webhook', url: `${receiver.url}${path}` })
const events = async (workspace: TestWorkspace, count: number): Promise<Event[]> =>
  eventually(async () => {
    const { events: newestFirst } = await workspace.ok(history)
    assert.deepEqual(newestFirst.length, count, JSON.stringify((await workspace.ok(list)).alerts))
    return newestFirst.toReversed()
  })
const requestsTo = (path: string) => receiver.requests.filter((request) => request.path === path)
const typesAt = (path: string): string[] =>
  requestsTo(path).map(({ body }) => (JSON.parse(body) as { type: string }).type)
const settledState = (workspace: TestWorkspace, id: string, state: string): Promise<void> =>
  eventually(async () => {
    assert.equal((await workspace.ok(get, { id })).alert.state, state)
  })
const waitForDeliveries = (workspace: TestWorkspace, count: number): Promise<void> =>
  eventually(async () => {
    const notifications = (await workspace.ok(history)).events.flatMap(({ notifications }) => notifications)
    assert.equal(
      notifications.filter(({ status }) => status === 'delivered').length,
      count,
      JSON.stringify(notifications),
    )
  })

describe('an alert', () => {
  it('fires and is resolved; its channel is notified of both, once each, without recorded content', async () => {
    const workspace = await newWorkspace()
    const { channel, secret } = await hook(workspace, '/both')
    await record(workspace, { ...failing, input: 'my secret words' })
    const { alert } = await workspace.ok(create, {
      ...rule,
      windowMinutes: 15,
      channelIds: [channel.id],
      note: 'Look at the tool.',
    })
    assert.deepEqual(
      [alert.state, alert.since, alert.summary],
      ['ok', null, 'Error rate over 15 minutes above 50%'],
    )
    await waitForDeliveries(workspace, 1)
    const [{ body, headers } = assert.fail()] = requestsTo('/both')
    const { type, data } = new Webhook(String(secret)).verify(body, headers as Record<string, string>) as {
      type: string
      data: { summary: string; alert: object; event: { value: number; samples: number } }
    }
    assert.equal(type, 'alert.firing')
    assert.equal(data.summary, 'Error rate over 15 minutes is 100%, above 50%.')
    assert.deepEqual([data.event.value, data.event.samples], [1, 1])
    const url = `https://plumbline.example.com/app/alerts/${alert.id}`
    assert.deepEqual(data.alert, { id: alert.id, name: 'Errors', note: 'Look at the tool.', url })
    assert.ok(!body.includes('my secret words'))
    const firing = (await workspace.ok(get, { id: alert.id })).alert
    assert.deepEqual([firing.state, firing.value, firing.samples, firing.problem], ['firing', 1, 1, null])

    // They are recorded before a window includes them, so that one check sees them together.
    const startTime = new Date(now().getTime() + 60_000).toISOString()
    for (const _ of [1, 2, 3]) await record(workspace, { startTime })
    advance(4)
    await settledState(workspace, alert.id, 'ok')
    await waitForDeliveries(workspace, 2)
    assert.deepEqual(typesAt('/both'), ['alert.firing', 'alert.resolved'])
    const [fired, resolved] = await events(workspace, 2)
    assert.deepEqual([fired?.type, fired?.reason, fired?.value], ['firing', 'threshold', 1])
    assert.deepEqual([resolved?.type, resolved?.reason, resolved?.value], ['resolved', 'threshold', 0.25])
    const looked = (await workspace.ok(get, { id: alert.id })).alert
    assert.ok(looked.recent.length >= 2 && looked.since === resolved?.at)
  })

  it('applies to a feature, a version of a prompt, or a score, and to nothing else', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makeLivePrompt(workspace)
    const startTime = new Date(now().getTime() - 90_000).toISOString()
    const generation = {
      id: 'g',
      type: 'generation',
      prompt: { slug: 'greeting' },
      cost: 3,
      timeToFirstTokenMs: 250,
    }
    const { id: traceId } = await recordTrace(workspace, {
      startTime,
      featureSlug: 'chat',
      logs: [generation],
    })
    await recordTrace(workspace, { startTime, logs: [{ id: 'g', type: 'generation', cost: 100 }] })
    // One of two generations is streamed, and one of two scores is a number: each of these is a single sample.
    for (const value of [false, 'perhaps'])
      await workspace.ok(operations.scores.create, { traceId, name: 'right', value })
    await app.flush()
    const expected: [fields: object, value: number, samples: number][] = [
      [{ measure: 'cost', filters: { featureSlug: 'chat' }, threshold: 2 }, 3, 1],
      [{ measure: 'costPerTrace', filters: { promptSlug: 'greeting', promptVersion: '1.0.0' } }, 3, 1],
      [{ measure: 'traces', threshold: 1 }, 2, 2],
      [{ measure: 'p95TimeToFirstTokenMs', threshold: 1 }, 250, 1],
      [{ measure: 'score', scoreName: 'right', condition: 'below' }, 0, 1],
      [
        { measure: 'score', scoreName: 'right', condition: 'below', filters: { promptSlug: 'greeting' } },
        0,
        1,
      ],
    ]
    for (const [index, [fields]] of expected.entries())
      await workspace.ok(create, { ...rule, name: `${index}`, ...fields })
    await workspace.ok(create, { ...rule, name: 'none', measure: 'cost', filters: { featureSlug: 'other' } })
    const fired = await events(workspace, expected.length)
    const byName = new Map(fired.map((event) => [event.alertName, event]))
    for (const [index, [, value, samples]] of expected.entries())
      assert.deepEqual(
        [byName.get(`${index}`)?.value, byName.get(`${index}`)?.samples],
        [value, samples],
        `${index}`,
      )
  })

  it('sends nothing while it is muted, and afterwards the changes that its channels have not been notified of', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/muted')
    const { alert } = await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    const { id } = alert
    const mutedUntil = new Date(now().getTime() + 60 * 60_000).toISOString()
    assert.equal((await workspace.ok(update, { id, mutedUntil })).alert.mutedUntil, mutedUntil)
    await record(workspace, failing)
    advance(1)
    await settledState(workspace, id, 'firing')
    assert.deepEqual(typesAt('/muted'), [])
    await workspace.ok(update, { id, mutedUntil: null })
    await waitForDeliveries(workspace, 1)
    assert.deepEqual(typesAt('/muted'), ['alert.firing'])
  })

  it('that fires is resolved if its rule changes, or if it is disabled or deleted', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/changed')
    await record(workspace, failing)
    const { alert } = await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    const { id } = alert
    await settledState(workspace, id, 'firing')
    await workspace.ok(update, { id, name: 'Renamed', channelIds: [channel.id], threshold: 0.5, filters: {} })
    assert.equal((await workspace.ok(get, { id })).alert.state, 'firing')
    await workspace.ok(update, { id, threshold: 0.6 })
    await events(workspace, 3)
    await workspace.ok(update, { id, isEnabled: false })
    await events(workspace, 4)
    assert.equal((await workspace.ok(get, { id })).alert.state, 'ok')
    await workspace.ok(update, { id, isEnabled: true })
    await events(workspace, 5)
    await workspace.ok(remove, { id })
    const all = await events(workspace, 6)
    assert.deepEqual(
      all.map(({ type, reason }) => `${type} ${reason}`),
      [
        'firing threshold',
        'resolved changed',
        'firing threshold',
        'resolved disabled',
        'firing threshold',
        'resolved deleted',
      ],
    )
    assert.deepEqual((await workspace.ok(list)).alerts, [])
    await waitForDeliveries(workspace, 6)
    assert.deepEqual(
      typesAt('/changed'),
      [1, 2, 3].flatMap(() => ['alert.firing', 'alert.resolved']),
    )
  })
})

describe('a message', () => {
  it('is sent again under the same id while its receiver fails, and events of one alert arrive in order', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/fails')
    answers.set('/fails', { status: 500 })
    await record(workspace, failing)
    const { alert } = await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    const waiting = await eventually(async () => {
      const [event] = (await workspace.ok(history)).events
      const [notification = assert.fail()] = event?.notifications ?? []
      assert.equal(notification.problem, 'The receiver responded with 500')
      return notification
    })
    assert.deepEqual([waiting.status, waiting.attempts], ['waiting', 1])
    assert.ok(Date.parse(String(waiting.nextAt)) > now().getTime())
    await workspace.ok(remove, { id: alert.id })
    await events(workspace, 2)
    assert.deepEqual(typesAt('/fails'), ['alert.firing'])
    answers.delete('/fails')
    advance(1)
    await waitForDeliveries(workspace, 2)
    assert.deepEqual(typesAt('/fails'), ['alert.firing', 'alert.firing', 'alert.resolved'])
    const [first, second, third] = requestsTo('/fails').map(({ headers }) => headers['webhook-id'])
    assert.equal(first, second)
    assert.equal(first, `msg_${waiting.id}`)
    assert.notEqual(second, third)
  })

  it('waits for as long as its receiver requests', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/busy')
    answers.set('/busy', { status: 429, headers: { 'retry-after': '1800' } })
    await record(workspace, failing)
    await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    await eventually(async () => {
      const [notification] = (await workspace.ok(history)).events.at(-1)?.notifications ?? []
      assert.ok(
        Date.parse(String(notification?.nextAt)) - now().getTime() > 29 * 60_000,
        JSON.stringify(notification),
      )
    })
  })

  it('is given up after some hours with the reason, and sent again on request', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/dead')
    answers.set('/dead', { status: 503 })
    await record(workspace, failing)
    await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    const failed = await eventually(async () => {
      const [notification = assert.fail()] = (await workspace.ok(history)).events.at(-1)?.notifications ?? []
      // The clock only advances while it waits: a message that is being sent for that long would count as lost.
      if (notification.nextAt !== null) advance((Date.parse(notification.nextAt) - now().getTime()) / 60_000)
      assert.equal(notification.status, 'failed')
      return notification
    })
    assert.deepEqual(
      [failed.attempts, failed.problem, failed.nextAt],
      [10, 'The receiver responded with 503', null],
    )
    answers.delete('/dead')
    const { id } = failed
    assert.equal((await workspace.ok(retry, { id })).retried, true)
    await eventually(async () => {
      const notifications = (await workspace.ok(history)).events.flatMap(({ notifications }) => notifications)
      assert.equal(notifications.find((notification) => notification.id === id)?.status, 'delivered')
    })
    assert.equal((await workspace.ok(retry, { id })).retried, false)
    assert.equal(requestsTo('/dead').at(-1)?.headers['webhook-id'] === undefined, false)
  })

  it('disables a channel whose receiver is gone', async () => {
    const workspace = await newWorkspace()
    const { channel } = await hook(workspace, '/gone')
    answers.set('/gone', { status: 410 })
    await record(workspace, failing)
    const { alert } = await workspace.ok(create, { ...rule, channelIds: [channel.id] })
    await eventually(async () => {
      const [listed] = (await workspace.ok(operations.channels.list)).channels
      assert.deepEqual([listed?.isEnabled, listed?.problem?.includes('410 Gone')], [false, true])
    })
    await workspace.ok(remove, { id: alert.id })
    assert.equal(requestsTo('/gone').length, 1)
    const resumed = await workspace.ok(operations.channels.update, { id: channel.id, isEnabled: true })
    assert.deepEqual([resumed.channel.isEnabled, resumed.channel.problem], [true, null])
  })
})

describe('alerts.preview', () => {
  it('200: shows the values that the alert would have seen, and when it would have fired', async () => {
    const workspace = await newWorkspace()
    const minute = Math.floor(now().getTime() / 60_000) * 60_000
    const minutesAgo = (ago: number) => new Date(minute - ago * 60_000)
    for (const ago of [30, 29, 28, 12])
      await recordTrace(workspace, {
        startTime: new Date(minutesAgo(ago).getTime() + 1000).toISOString(),
        ...failing,
      })
    await recordTrace(workspace, { startTime: minutesAgo(11).toISOString(), user: { id: 'u', name: 'U' } })
    await app.flush()
    const { name: _, ...ruleInput } = rule
    const input = {
      ...ruleInput,
      windowMinutes: 2,
      forMinutes: 1,
      from: minutesAgo(40).toISOString(),
      to: minutesAgo(0).toISOString(),
    }
    const { points, firings, everyMinutes, summary } = await workspace.ok(preview, input)
    assert.deepEqual([everyMinutes, points.length], [1, 41])
    assert.equal(summary, 'Error rate over 2 minutes above 50%, for 1 minute')
    const valueAt = (ago: number) => points.find((point) => point.at === minutesAgo(ago).toISOString())
    assert.deepEqual([valueAt(29)?.value, valueAt(29)?.samples], [1, 1])
    assert.deepEqual([valueAt(28)?.value, valueAt(28)?.samples], [1, 2])
    assert.deepEqual([valueAt(10)?.value, valueAt(35)?.value], [0.5, null])
    assert.deepEqual(firings, [{ from: minutesAgo(28).toISOString(), to: minutesAgo(25).toISOString() }])
    const filters = JSON.stringify({ userId: 'u' })
    const ofUser = await workspace.ok(preview, { ...input, filters })
    assert.deepEqual([ofUser.firings, ofUser.points.filter(({ samples }) => samples > 0).length], [[], 2])
    const year = { ...input, windowMinutes: 60, from: new Date(minute - 365 * 86_400_000).toISOString() }
    const longest = await workspace.ok(preview, year)
    assert.ok(longest.points.length <= 1500 && longest.everyMinutes === 360)
    // The current measurement is included, however far apart the earlier windows are.
    const latest = longest.points.at(-1)
    assert.deepEqual(latest, { at: minutesAgo(0).toISOString(), value: 0.8, samples: 5, state: 'pending' })
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const { name: _, ...ruleInput } = rule
    for (const [input, error] of [
      [{ filters: '{' }, /^filters: must be a JSON object/],
      [{ filters: '{"colour":"red"}' }, /^filters\.colour: is none of/],
      [{ from: 'x' }, /^from: /],
      [{ from: '2020-01-01T00:00:00Z' }, /^from: must be within a year/],
    ] as const)
      assert.match(await workspace.refused(preview, { ...ruleInput, ...input }, 400), error)
  })
})

describe('alerts.create and alerts.update', () => {
  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const { alert } = await workspace.ok(create, rule)
    const refusals: [body: object, error: RegExp][] = [
      [{ measure: 'wisdom' }, /^measure: /],
      [{ measure: 'score' }, /^scoreName: is required/],
      [{ threshold: 5 }, /^threshold: must be a fraction/],
      [{ recoveryThreshold: 0.6 }, /^recoveryThreshold: must not be above/],
      [{ condition: 'below', recoveryThreshold: 0.4 }, /^recoveryThreshold: must not be below/],
      [{ windowMinutes: 10_081 }, /^windowMinutes: /],
      [{ filters: { from: '2025-01-01' } }, /^filters/],
      [{ filters: { where: '[{"field":"weather"}]' } }, /^where\[0\]\.field/],
    ]
    for (const [input, error] of refusals) {
      assert.match(await workspace.refused(create, { ...rule, name: 'b', ...input }, 400), error)
      assert.match(await workspace.refused(update, { id: alert.id, ...input }, 400), error)
    }
  })

  it('404 and 409: an unknown channel or alert, and a name that is in use', async () => {
    const workspace = await newWorkspace()
    const { alert } = await workspace.ok(create, rule)
    const other = await workspace.ok(create, { ...rule, name: 'Other' })
    await workspace.refused(create, rule, 409)
    await workspace.refused(update, { id: alert.id, name: 'Other' }, 409)
    const foreign = await hook(await newWorkspace(), '/foreign')
    const channelIds = [foreign.channel.id]
    await workspace.refused(create, { ...rule, name: 'c', channelIds }, 404)
    await workspace.refused(update, { id: other.alert.id, channelIds }, 404)
    for (const operation of [get, update, remove, retry])
      await workspace.refused(operation, { id: 'none' }, 404)
  })

  it('200: fields that are not sent stay unchanged, and null removes them', async () => {
    const workspace = await newWorkspace()
    const filters = { featureSlug: 'chat', 'metadata.env': 'prod' }
    const { alert } = await workspace.ok(create, {
      ...rule,
      recoveryThreshold: 0.2,
      filters,
      note: 'n',
      noData: 'keep',
    })
    const changed = await workspace.ok(update, { id: alert.id, recoveryThreshold: null, note: null })
    const { recoveryThreshold, note, filters: storedFilters, noData } = changed.alert
    assert.deepEqual([recoveryThreshold, note, storedFilters, noData], [null, null, filters, 'keep'])
  })
})

describe('alerts.delete', () => {
  it('409: while a rollout is running that it would roll back', async () => {
    const workspace = await newWorkspace()
    const { alert } = await workspace.ok(create, rule)
    await makeLivePrompt(workspace)
    await workspace.ok(operations.versions.create, { slug: 'greeting', text: 'Hello.' })
    await workspace.ok(operations.rollouts.create, {
      promptSlug: 'greeting',
      candidateVersion: '1.0.1',
      tag: 'production',
      share: 0.5,
      alertIds: [alert.id],
    })
    assert.match(await workspace.refused(remove, { id: alert.id }, 409), /"greeting" at the tag "production"/)
  })
})

describe('alerts.history', () => {
  it('200: returns pages for one alert or for all; 400: for an invalid cursor', async () => {
    const workspace = await newWorkspace()
    await record(workspace, failing)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await workspace.ok(create, { ...rule, name })).alert.id)
    await events(workspace, 3)
    const first = await workspace.ok(history, { limit: 2 })
    const { events: rest, nextCursor } = await workspace.ok(history, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([first.events.length, rest.length, nextCursor], [2, 1, undefined])
    assert.deepEqual(new Set([...first.events, ...rest].map(({ alertId }) => alertId)), new Set(ids))
    const ofOne = await workspace.ok(history, { alertId: ids[1] })
    assert.deepEqual([ofOne.events.map(({ alertName }) => alertName)], [['b']])
    await workspace.refused(history, { cursor: 'x' }, 400)
  })
})
