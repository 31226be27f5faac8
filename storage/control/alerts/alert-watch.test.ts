import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertRule } from '@plumbline/contract'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import type { AlertLook, ClaimedAlert } from './alert-watch.ts'
import { notificationJobKind } from './notification-job.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const holder = 'node one'
const leaseMs = 60_000

const rule: AlertRule = {
  measure: 'traces',
  scoreName: null,
  evaluatorSlug: null,
  filters: {},
  windowMinutes: 5,
  condition: 'above',
  threshold: 1,
  recoveryThreshold: null,
  forMinutes: 0,
  keepFiringForMinutes: 0,
  minimumSamples: 1,
  noData: 'ok',
  delaySeconds: 0,
}

forEachControlStore('watching alerts', (open) => {
  const make = async ({ workspace }: OpenedWorkspace, channels = 1, name = 'a') => {
    const made = []
    for (let index = 0; index < channels; index++)
      made.push(
        await workspace.channels.create(
          { name: `${name} ${index}`, type: 'slack', target: 't', sealed: 's' },
          now,
        ),
      )
    const channelIds = made.map(({ id }) => id)
    const alert = await workspace.alerts.create({ name, note: '', rule, channelIds, isEnabled: true }, now)
    return { alert, channelIds }
  }
  const claim = async ({ store, workspaceId }: OpenedWorkspace, time = now, by = holder) => {
    const claimed = await store.alerts.claim({
      holder: by,
      limit: 1000,
      lostAt: new Date(time.getTime() + leaseMs),
      now: time,
    })
    return claimed.filter((alert) => alert.workspaceId === workspaceId)
  }
  const looked = ({ standing }: ClaimedAlert, type: 'firing' | 'resolved', time = now): AlertLook => ({
    standing: {
      ...standing,
      state: type === 'firing' ? 'firing' : 'ok',
      since: time,
      told: type === 'firing' ? 'firing' : 'ok',
      checkedAt: time,
      value: 2,
      samples: 2,
      recent: [[time.getTime(), 2]],
    },
    nextAt: new Date(time.getTime() + 1000),
    event: { type, reason: 'threshold' },
    tells: true,
  })
  /** Claims the jobs of notifications, and reads what they send. */
  const begin = async ({ store, workspaceId }: OpenedWorkspace, time = now, closedGroups: string[] = []) => {
    const claimed = await store.jobs.claim({
      kind: notificationJobKind,
      leaseOwner: holder,
      leaseExpiresAt: new Date(time.getTime() + leaseMs),
      limit: 1000,
      closedGroups,
      now: time,
    })
    const jobs = claimed.filter((job) => job.workspaceId === workspaceId)
    return Promise.all(
      jobs.map(async (job) => ({
        claim: { id: job.id, attempts: job.attempts, leaseOwner: holder },
        notification: (await store.notifications.findUndelivered(job.id)) ?? assert.fail(),
      })),
    )
  }

  test('of many nodes that claim at once one has an alert, and another only after its time is over', async () => {
    const opened = await open()
    for (let index = 0; index < 20; index++) await make(opened, 0, `a${index}`)
    const claims = await Promise.all([1, 2, 3, 4].map((by) => claim(opened, now, `node ${by}`)))
    const ids = claims.flat().map(({ id }) => id)
    assert.deepEqual([ids.length, new Set(ids).size], [20, 20])
    assert.equal((await claim(opened, later(leaseMs - 1))).length, 0)
    assert.equal((await claim(opened, later(leaseMs))).length, 20)
  })

  test('a look counts once, and not after the alert was claimed or changed by somebody else', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const [first = assert.fail()] = await claim(opened)
    const [second = assert.fail()] = await claim(opened, later(leaseMs), 'node two')
    assert.equal(await store.alerts.settle(first, looked(first, 'firing'), now), false)
    assert.equal(await store.alerts.settle(second, looked(second, 'firing'), now), true)
    const [third = assert.fail()] = await claim(opened, later(leaseMs * 3))
    await workspace.alerts.update(alert.id, { rule: { ...rule, threshold: 5 } }, now)
    assert.equal(await store.alerts.settle(third, looked(third, 'resolved'), now), false)
    const { items } = await workspace.alertEvents.list(alert.id, {})
    assert.deepEqual(
      items.map(({ type, reason }) => `${type} ${reason}`),
      ['resolved changed', 'firing threshold'],
    )
  })

  test('an event and its messages are there together, and come in their order to each channel', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert, channelIds } = await make(opened, 2)
    const [claimed = assert.fail()] = await claim(opened)
    await store.alerts.settle(claimed, looked(claimed, 'firing'), now)
    const [two = assert.fail()] = await claim(opened, later(2000))
    await store.alerts.settle(two, looked(two, 'resolved', later(2000)), later(2000))
    const first = await begin(opened, later(3000))
    assert.deepEqual(
      first.map(({ notification, claim: { attempts } }) => [notification.event.type, attempts]),
      [
        ['firing', 1],
        ['firing', 1],
      ],
    )
    assert.deepEqual(await begin(opened, later(3000)), [])
    const [delivered, pending] = [first[0]!, first[1]!]
    await store.notifications.delivered(delivered.claim.id, { attempts: 1, now: later(4000) })
    await store.jobs.complete(delivered.claim, undefined, later(4000))
    assert.equal(await store.notifications.findUndelivered(delivered.claim.id), undefined)
    const next = await begin(opened, later(4000))
    assert.deepEqual(
      next.map(({ notification: { event, channelId } }) => [event.type, channelId]),
      [['resolved', delivered.notification.channelId]],
    )
    const dueAt = later(10_000)
    await store.jobs.retryAt(pending.claim, 'No.', dueAt)
    assert.deepEqual(await begin(opened, later(9999)), [])
    const { channelId } = pending.notification
    assert.deepEqual(await begin(opened, dueAt, [channelId]), [], 'its channel is busy')
    const [again] = await begin(opened, dueAt)
    assert.deepEqual([again?.claim.id, again?.claim.attempts], [pending.claim.id, 2])
    const { items } = await workspace.alertEvents.list(alert.id, {})
    assert.deepEqual(
      new Set(items.flatMap((event) => event.notifications.map((notification) => notification.channelId))),
      new Set(channelIds),
    )
  })

  test('a notification that failed is sent again under the same id, also when its job was deleted', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const [claimed = assert.fail()] = await claim(opened)
    await store.alerts.settle(claimed, looked(claimed, 'firing'), now)
    const retry = (id: string) => workspace.alertEvents.retry(id, now)
    const shown = async () =>
      (await workspace.alertEvents.list(alert.id, {})).items.flatMap((event) => event.notifications)[0]!
    const [begun = assert.fail()] = await begin(opened)
    const { id } = begun.claim
    assert.deepEqual([(await shown()).status, (await shown()).isBeingSent], ['waiting', true])
    assert.equal(await retry(id), false)
    await store.jobs.fail(begun.claim, 'No.', now)
    await store.notifications.failed(id, { attempts: 1, problem: 'No.' })
    assert.deepEqual([(await shown()).status, (await shown()).problem], ['failed', 'No.'])
    assert.equal(await retry(id), true)
    const [again = assert.fail()] = await begin(opened)
    assert.equal(again.claim.id, id)
    await store.jobs.fail(again.claim, 'No.', now)
    await store.jobs.deleteFinished({ done: now, failed: later(1) })
    assert.equal((await shown()).status, 'failed')
    assert.equal(await retry(id), true)
    assert.equal((await begin(opened))[0]?.claim.id, id)
    await store.notifications.delivered(id, { attempts: 1, now })
    assert.equal(await retry(id), false)
  })

  test('a channel that is deleted or disabled makes dead letters of what waits for it', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const { channelIds } = await make(opened, 2)
    const [claimed = assert.fail()] = await claim(opened)
    await store.alerts.settle(claimed, looked(claimed, 'firing'), now)
    await workspace.channels.remove(channelIds[0]!, now)
    const gone = { problem: 'Gone.', now }
    await store.notifications.disableChannel({ workspaceId, channelId: channelIds[1]! }, gone)
    const { items } = await workspace.jobs.list({ kind: notificationJobKind, state: 'failed' })
    assert.deepEqual(items.map(({ lastError }) => lastError).toSorted(), [
      'Gone.',
      'The channel was deleted.',
    ])
    assert.deepEqual(await begin(opened), [])
  })

  test('a firing is unheard until the service has acted on it, and what is old is forgotten', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const { alert } = await make(opened)
    const [claimed = assert.fail()] = await claim(opened)
    await store.alerts.settle(claimed, looked(claimed, 'firing'), now)
    const unheard = async () =>
      (await store.alerts.unheard(1000)).filter((event) => event.workspaceId === workspaceId)
    const [event = assert.fail()] = await unheard()
    assert.equal(event.alertId, alert.id)
    await store.alerts.heard(event.id, now)
    assert.deepEqual(await unheard(), [])
    const [two = assert.fail()] = await claim(opened, later(2000))
    await store.alerts.settle(two, looked(two, 'resolved'), later(2000))
    await store.alerts.forget(later(3000))
    const { items } = await workspace.alertEvents.list(alert.id, {})
    assert.deepEqual(
      items.map(({ type }) => type),
      ['resolved'],
      'the last one stays',
    )
  })

  test('an alert that came from another place is watched', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const row = {
      id: `from there ${Math.random()}`,
      name: 'b',
      note: '',
      rule: JSON.stringify(rule),
      is_enabled: 1,
    }
    await workspace.bundle.restore('alerts', [{ ...row, muted_until: null, created_at: now.getTime() }])
    assert.equal((await workspace.alerts.list())[0]?.standing.state, 'ok')
    assert.deepEqual(await claim(opened), [])
    await store.alerts.adopt(now)
    assert.deepEqual(
      (await claim(opened)).map(({ name }) => name),
      ['b'],
    )
  })

  test('a rule that cannot be read keeps nobody from the other alerts, and never fires', async () => {
    const opened = await open()
    const { store, workspace } = opened
    await make(opened, 0, 'good')
    const broken = [
      'not json',
      'null',
      '{}',
      '[]',
      '{"windowMinutes":1e9}',
      '{"measure":"x"}',
      '{"filters":7}',
    ]
    const rows = broken.map((text, index) => ({
      id: `broken ${index} ${Math.random()}`,
      name: `broken ${index}`,
      note: '',
      rule: text.startsWith('{"') ? JSON.stringify({ ...rule, ...JSON.parse(text) }) : text,
      is_enabled: 1,
      muted_until: null,
      created_at: now.getTime(),
    }))
    await workspace.bundle.restore('alerts', rows)
    await store.alerts.adopt(now)
    const claimed = await claim(opened)
    assert.equal(claimed.length, broken.length + 1)
    // An object without anything is the rule that never fires.
    const enabled = claimed.filter(({ isEnabled }) => isEnabled).map(({ name }) => name)
    assert.ok(enabled.includes('good'))
    for (const { name, rule: read } of claimed)
      if (name !== 'good') assert.deepEqual([read.condition, read.threshold], ['below', 0], name)
  })
})
