import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../../fixtures/eventually.ts'
import { readRule } from './rule.ts'
import { makeWatcher } from './watcher.ts'

const logger = pino({ level: 'silent' })
const now = () => new Date()
// Requests keep a process alive, and there are none here.
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

forEachControlStore('what follows of an alert that fires', (open) => {
  /** Only the one question that is asked of the trace store. */
  const tracesOf = () => ({ measure: async () => [{ traces: 5 }] })

  describe('the rest of the service', () => {
    it('is told again until it has acted, by another process too', async () => {
      const { store, workspace, workspaceId } = await open()
      const rule = readRule({ measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 })
      const alert = { name: 'a', note: '', rule, channelIds: [], isEnabled: true }
      const { id: alertId } = await workspace.alerts.create(alert, now())
      const handled: string[] = []
      let isWorking = false
      const watcherOf = (holder: string) =>
        makeWatcher({
          watch: store.alerts,
          tracesFor: tracesOf,
          storedUntil: now,
          onFiring: [
            async (event) => {
              if (event.alertId === alertId) handled.push(`${event.workspaceId} ${holder}`)
              if (!isWorking) throw new Error('Not now.')
            },
          ],
          onNotification: () => undefined,
          leaseOwner: holder,
          logger,
          now,
        })
      const first = watcherOf('one')
      first.notify()
      await eventually(async () =>
        assert.deepEqual(handled.slice(0, 2), [`${workspaceId} one`, `${workspaceId} one`]),
      )
      await first.stop()
      isWorking = true
      const second = watcherOf('two')
      second.notify()
      await eventually(async () => assert.equal(handled.at(-1), `${workspaceId} two`))
      await eventually(async () => assert.deepEqual(await store.alerts.unheard(10), []))
      await second.stop()
      assert.equal(handled.filter((by) => by.endsWith('two')).length, 1)
    })

    it('goes on with others, and says why, while the trace store is away', async () => {
      const { store, workspace } = await open()
      const rule = readRule({ measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 })
      const alert = { name: 'a', note: '', rule, channelIds: [], isEnabled: true }
      const { id } = await workspace.alerts.create(alert, now())
      let isAway = true
      const watcher = makeWatcher({
        watch: store.alerts,
        tracesFor: () => ({
          measure: async () => {
            if (isAway) throw new Error('Away.')
            return [{ traces: 5 }]
          },
        }),
        storedUntil: now,
        onFiring: [],
        onNotification: () => undefined,
        leaseOwner: 'one',
        logger,
        now,
      })
      watcher.notify()
      await eventually(async () =>
        assert.match(String((await workspace.alerts.find(id))?.standing.problem), /is looked at again/),
      )
      isAway = false
      await workspace.alerts.update(id, { note: 'n' }, now())
      watcher.notify()
      await eventually(async () => {
        const { standing } = (await workspace.alerts.find(id))!
        assert.deepEqual([standing.state, standing.problem], ['firing', undefined])
      })
      await watcher.stop()
    })
  })
})
