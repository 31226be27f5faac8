import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertRule } from '@plumbline/contract'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import type { AlertCheck, CheckedAlert } from './alert-checks.ts'
import { alertCheckKind, alertFiredKind } from './alert-jobs.ts'
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

forEachControlStore('checks of alerts', (open) => {
  const make = async ({ workspace }: OpenedWorkspace, channels = 1, name = 'a') => {
    const createdAlerts = []
    for (let index = 0; index < channels; index++)
      createdAlerts.push(
        await workspace.channels.create(
          { name: `${name} ${index}`, type: 'slack', target: 't', sealed: 's' },
          now,
        ),
      )
    const channelIds = createdAlerts.map(({ id }) => id)
    const alert = await workspace.alerts.create({ name, note: '', rule, channelIds, isEnabled: true }, now)
    return { alert, channelIds }
  }
  const readAlert = async ({ store }: OpenedWorkspace, { id }: { id: string }): Promise<CheckedAlert> =>
    (await store.alertChecks.find(id)) ?? assert.fail()
  const check = ({ status }: CheckedAlert, type: 'firing' | 'resolved', time = now): AlertCheck => ({
    status: {
      ...status,
      state: type === 'firing' ? 'firing' : 'ok',
      since: time,
      notified: type === 'firing' ? 'firing' : 'ok',
      checkedAt: time,
      value: 2,
      samples: 2,
      recent: [[time.getTime(), 2]],
    },
    nextAt: new Date(time.getTime() + 1000),
    event: { type, reason: 'threshold' },
    notifies: true,
  })
  /** Claims the notification jobs and reads the notifications that they send. */
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

  test('an alert is checked at once, again when it changes, and no longer once it is deleted', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const find = async () => (await workspace.jobs.list({ kind: alertCheckKind })).items
    const leaseExpiresAt = later(leaseMs)
    const claim = async (time: Date) => {
      const claim = { leaseOwner: holder, leaseExpiresAt, limit: 1000, closedGroups: [], now: time }
      const claimed = await store.jobs.claim({ kind: alertCheckKind, ...claim })
      const job = claimed.find(({ key }) => key === alert.id) ?? assert.fail()
      return { id: job.id, attempts: job.attempts, leaseOwner: holder, dueAt: job.dueAt }
    }
    assert.deepEqual(
      (await find()).map(({ state, dueAt }) => [state, dueAt]),
      [['waiting', now]],
    )
    await store.jobs.reschedule(await claim(now), later(60_000))
    await workspace.alerts.update(alert.id, { note: 'n' }, later(5000))
    assert.deepEqual((await find())[0]?.dueAt, later(5000))
    // A change during the check, at exactly the time at which it was due.
    const claimed = await claim(later(5000))
    await workspace.alerts.update(alert.id, { note: 'm' }, later(5000))
    await store.jobs.reschedule(claimed, later(60_000))
    assert.deepEqual((await find())[0]?.dueAt, later(5001))
    await workspace.alerts.remove(alert.id, now)
    assert.deepEqual(await find(), [])
    assert.equal(await store.alertChecks.find(alert.id), undefined)
  })

  test('a check counts once, and not if the alert was checked or changed meanwhile', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const [first, second] = [await readAlert(opened, alert), await readAlert(opened, alert)]
    assert.equal(await store.alertChecks.record(second, check(second, 'firing'), now), true)
    assert.equal(await store.alertChecks.record(first, check(first, 'firing'), now), false)
    const third = await readAlert(opened, alert)
    await workspace.alerts.update(alert.id, { rule: { ...rule, threshold: 5 } }, now)
    assert.equal(await store.alertChecks.record(third, check(third, 'resolved'), now), false)
    const { items } = await workspace.alertEvents.list(alert.id, {})
    assert.deepEqual(
      items.map(({ type, reason }) => `${type} ${reason}`),
      ['resolved changed', 'firing threshold'],
    )
  })

  test('an event and its notifications are stored together, and reach each channel in order', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert, channelIds } = await make(opened, 2)
    const claimed = await readAlert(opened, alert)
    await store.alertChecks.record(claimed, check(claimed, 'firing'), now)
    const two = await readAlert(opened, alert)
    await store.alertChecks.record(two, check(two, 'resolved', later(2000)), later(2000))
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

  test('a failed notification is sent again under the same id, even if its job was deleted', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const claimed = await readAlert(opened, alert)
    await store.alertChecks.record(claimed, check(claimed, 'firing'), now)
    const retry = (id: string) => workspace.alertEvents.retry(id, now)
    const readNotification = async () =>
      (await workspace.alertEvents.list(alert.id, {})).items.flatMap((event) => event.notifications)[0]!
    const [ownJob = assert.fail()] = await begin(opened)
    const { id } = ownJob.claim
    assert.deepEqual(
      [(await readNotification()).status, (await readNotification()).isBeingSent],
      ['waiting', true],
    )
    assert.equal(await retry(id), false)
    await store.jobs.fail(ownJob.claim, 'No.', now)
    await store.notifications.failed(id, { attempts: 1, problem: 'No.' })
    assert.deepEqual(
      [(await readNotification()).status, (await readNotification()).problem],
      ['failed', 'No.'],
    )
    assert.equal(await retry(id), true)
    const [again = assert.fail()] = await begin(opened)
    assert.equal(again.claim.id, id)
    await store.jobs.fail(again.claim, 'No.', now)
    await store.jobs.deleteFinished({ doneCutoff: now, failedCutoff: later(1) })
    assert.equal((await readNotification()).status, 'failed')
    assert.equal(await retry(id), true)
    assert.equal((await begin(opened))[0]?.claim.id, id)
    await store.notifications.delivered(id, { attempts: 1, now })
    assert.equal(await retry(id), false)
  })

  test('the waiting notifications of a deleted or disabled channel become dead letters', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const { alert, channelIds } = await make(opened, 2)
    const claimed = await readAlert(opened, alert)
    await store.alertChecks.record(claimed, check(claimed, 'firing'), now)
    await workspace.channels.remove(channelIds[0]!, now)
    const failure = { problem: 'Gone.', now }
    await store.notifications.disableChannel({ workspaceId, channelId: channelIds[1]! }, failure)
    const { items } = await workspace.jobs.list({ kind: notificationJobKind, state: 'failed' })
    assert.deepEqual(items.map(({ lastError }) => lastError).toSorted(), [
      'Gone.',
      'The channel was deleted.',
    ])
    assert.deepEqual(await begin(opened), [])
  })

  test('a firing adds its follow-up job, and old events except the last are deleted', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const { alert } = await make(opened)
    const claimed = await readAlert(opened, alert)
    await store.alertChecks.record(claimed, check(claimed, 'firing'), now)
    const two = await readAlert(opened, alert)
    await store.alertChecks.record(two, check(two, 'resolved'), later(2000))
    const jobs = (await workspace.jobs.list({ kind: alertFiredKind })).items
    const { items: all } = await workspace.alertEvents.list(alert.id, {})
    const firing = all.find(({ type }) => type === 'firing')
    assert.deepEqual(
      jobs.map(({ payload }) => payload),
      [{ eventId: firing?.id, alertId: alert.id }],
    )
    await store.alertChecks.deleteEvents(later(3000))
    const { items } = await workspace.alertEvents.list(alert.id, {})
    assert.deepEqual(
      items.map(({ type }) => type),
      ['resolved'],
    )
  })

  test('an imported alert is checked by one job once it is adopted', async () => {
    const opened = await open()
    const { store, workspace } = opened
    const id = `from there ${Math.random()}`
    const row = { id, name: 'b', note: '', rule: JSON.stringify(rule), is_enabled: 1 }
    await workspace.bundle.restore('alerts', [{ ...row, muted_until: null, created_at: now.getTime() }])
    assert.equal((await workspace.alerts.list())[0]?.status.state, 'ok')
    assert.equal(await store.alertChecks.find(id), undefined)
    await store.alertChecks.adopt(now)
    await store.alertChecks.adopt(later(1))
    assert.equal((await readAlert(opened, { id })).name, 'b')
    assert.deepEqual(
      (await workspace.jobs.list({ kind: alertCheckKind })).items.map(({ key, payload, dueAt }) => [
        ...[key, payload, dueAt],
      ]),
      [[id, { alertId: id }, now]],
    )
  })

  test('an unreadable rule does not affect the other alerts and never fires', async () => {
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
    await store.alertChecks.adopt(now)
    const claimed = await Promise.all(
      (await workspace.alerts.list()).map((alert) => readAlert(opened, alert)),
    )
    assert.equal(claimed.length, broken.length + 1)
    // An empty object stands for the rule that never fires.
    const enabled = claimed.filter(({ isEnabled }) => isEnabled).map(({ name }) => name)
    assert.ok(enabled.includes('good'))
    for (const { name, rule: read } of claimed)
      if (name !== 'good') assert.deepEqual([read.condition, read.threshold], ['below', 0], name)
  })
})
