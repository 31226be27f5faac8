import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it, type TestContext } from 'node:test'
import type { ControlStore } from '@plumbline/storage/control'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeJobs } from '../../jobs/jobs.ts'
import { handleAlerts, type OnFiring } from './check-alerts.ts'
import type { MeasureSource } from './measurements.ts'
import { readRule } from './rule.ts'

const logger = pino({ level: 'silent' })
const now = () => new Date()
// Requests usually keep a process alive, and there are none here.
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

forEachControlStore('the jobs of alerts', (open) => {
  /** Provides only the one query that is sent to the trace store. */
  const tracesOf = (): MeasureSource => ({ measure: async () => [{ traces: 5 }] })
  const rule = readRule({ measure: 'traces', windowMinutes: 5, condition: 'above', threshold: 1 })
  const alert = { name: 'a', note: '', rule, channelIds: [], isEnabled: true }
  const startNode = async (
    t: TestContext,
    store: ControlStore,
    { onFiring = [], tracesFor = tracesOf }: { onFiring?: OnFiring[]; tracesFor?: () => MeasureSource },
  ) => {
    const jobs = makeJobs({ queue: store.jobs, leaseOwner: randomUUID(), logger, now })
    handleAlerts(jobs, { checks: store.alertChecks, tracesFor, storedUntil: now, onFiring, logger })
    await jobs.start()
    t.after(() => jobs.stop())
    return jobs
  }

  describe('actions on a firing alert', () => {
    it('are retried until they succeed, also by another process', async (t) => {
      const { store, workspace, workspaceId } = await open()
      const { id: alertId } = await workspace.alerts.create(alert, now())
      const handled: string[] = []
      let isWorking = false
      const onFiringOf =
        (node: string): OnFiring =>
        async (event) => {
          if (event.alertId === alertId) handled.push(`${event.workspaceId} ${node}`)
          if (!isWorking) throw new Error('Not now.')
        }
      const first = await startNode(t, store, { onFiring: [onFiringOf('one')] })
      await eventually(async () => {
        assert.deepEqual(handled.slice(0, 2), [`${workspaceId} one`, `${workspaceId} one`])
      })
      await first.stop()
      isWorking = true
      const second = await startNode(t, store, { onFiring: [onFiringOf('two')] })
      const [job] = (await workspace.jobs.list({ kind: 'alert.fired' })).items
      assert.match(job?.lastError ?? '', /Not now/)
      await eventually(async () => assert.equal(handled.at(-1), `${workspaceId} two`))
      await eventually(async () =>
        assert.equal((await workspace.jobs.list({ kind: 'alert.fired' })).items[0]?.state, 'done'),
      )
      await second.stop()
      assert.equal(handled.filter((node) => node.endsWith('two')).length, 1)
    })

    it('continues with other alerts and reports the reason while the trace store is away', async (t) => {
      const { store, workspace } = await open()
      const { id } = await workspace.alerts.create(alert, now())
      let isAway = true
      const jobs = await startNode(t, store, {
        tracesFor: () => ({
          measure: async () => {
            if (isAway) throw new Error('Away.')
            return [{ traces: 5 }]
          },
        }),
      })
      await eventually(async () => {
        assert.match(String((await workspace.alerts.find(id))?.status.problem), /will be checked again/)
        const [job] = (await workspace.jobs.list({ kind: 'alert.check' })).items
        assert.equal(job?.state, 'waiting')
      })
      isAway = false
      await workspace.alerts.update(id, { note: 'n' }, now())
      jobs.notify()
      await eventually(async () => {
        const { status } = (await workspace.alerts.find(id))!
        assert.deepEqual([status.state, status.problem], ['firing', undefined])
      })
    })
  })
})
