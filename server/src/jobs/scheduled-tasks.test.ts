import assert from 'node:assert/strict'
import { it } from 'node:test'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../fixtures/eventually.ts'
import { startScheduler } from './scheduled-tasks.ts'

forEachControlStore('chores', (open) => {
  it('what another node changed is heard of within five seconds, and nothing else', async (t) => {
    const changed = await open()
    const left = await open()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const forgotten = new Set<string>()
    const stop = startScheduler({
      control: changed.store,
      clearCache: (workspaceId) => forgotten.add(workspaceId),
      flushCounters: async () => {},
      takeUsedKeys: () => [],
      expireTraces: async () => {},
      responseRetentionMs: 0,
      deleteWorkspaces: async () => {},
      sessionIdleMs: 1,
      logger: pino({ level: 'silent' }),
      now: () => new Date(),
    })
    t.mock.timers.tick(5000)
    await eventually(async () =>
      assert.ok(forgotten.has(changed.workspaceId) && forgotten.has(left.workspaceId)),
    )
    forgotten.clear()
    await changed.workspace.features.create({ slug: 'new', name: 'New' }, new Date())
    t.mock.timers.tick(5000)
    await eventually(async () => assert.deepEqual([...forgotten], [changed.workspaceId]))
    stop()
  })
})
