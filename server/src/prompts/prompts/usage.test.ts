import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { ControlStoreAway } from '@plumbline/storage/control'
import { makeLivePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'
import { makeFetchCounts } from './fetch-counts.ts'

const { usage, get } = operations.prompts
const { app, newWorkspace } = await startTestApp()

describe('prompts.usage', () => {
  it('200: shows for each version which key fetched it by which tag, and which recorded traces with it', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { text: 'one' })
    await makeVersion(workspace, { text: 'two' })
    await makeVersion(workspace, { text: 'three', tags: ['staging'] })
    const reader = await workspace.newKey(['read'])
    const slug = 'greeting'
    for (let index = 0; index < 3; index++) await workspace.ok(get, { slug }, { key: reader.secret })
    await workspace.ok(get, { slug, version: '1.0.0' })
    await workspace.ok(get, { slug, tag: 'nobody' })
    await workspace.ok(get, { slug }, await workspace.signIn('viewer'))
    const used = { id: 'g', type: 'generation', prompt: { slug, version: '1.0.1' } }
    await workspace.ok(operations.monitor.trace, { logs: [used, { ...used, id: 'h' }] })
    await app.flush()
    const { versions } = await workspace.ok(usage, { slug })
    assert.deepEqual(
      versions.map(({ version, tags }) => [version, tags]),
      [
        ['1.0.2', ['latest', 'staging']],
        ['1.0.1', []],
        ['1.0.0', ['production']],
      ],
    )
    const [staged, traced, live] = versions
    assert.deepEqual([staged?.fetches.count, staged?.traces.count, staged?.lastSeenAt], [0, 0, null])
    assert.deepEqual([traced?.fetches.count, traced?.traces.count], [0, 1])
    assert.deepEqual(
      traced?.traces.keys.map(({ apiKeyId, apiKeyName, count }) => [apiKeyId, apiKeyName, count]),
      [[workspace.key.id, 'Test', 1]],
    )
    const byKey = live?.fetches.keys.map(({ apiKeyId, tag, count }) => [apiKeyId, tag, count])
    assert.deepEqual(
      byKey?.toSorted(),
      [
        [reader.id, 'production', 3],
        [workspace.key.id, '', 1],
        [workspace.key.id, 'nobody', 1],
      ].toSorted(),
    )
    assert.ok(live?.fetches.count === 5)
    assert.ok(live.firstSeenAt! <= live.lastSeenAt!)
  })

  it('200: covers the requested period', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    await workspace.ok(get, { slug: 'greeting' })
    const { versions } = await workspace.ok(usage, { slug: 'greeting', to: '2020-01-01T00:00:00Z' })
    assert.deepEqual(
      versions.map(({ fetches }) => fetches.count),
      [0],
    )
  })

  it('400, 404: the time is invalid, or the prompt does not exist', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    assert.match(await workspace.refused(usage, { slug: 'greeting', from: 'x' }, 400), /^from: /)
    await workspace.refused(usage, { slug: 'nobody' }, 404)
  })
})

describe('fetch counts', () => {
  const fetch = { promptSlug: 'greeting', version: '1', tag: '', apiKeyId: 'k' }
  const time = new Date('2026-03-01T12:30:00Z')

  it('are kept while the store is unavailable, and written once when it is back', async () => {
    const writeSizes: number[] = []
    let isAway = true
    const counts = makeFetchCounts(() => ({
      async add(fetches) {
        if (isAway) throw new ControlStoreAway()
        writeSizes.push(...fetches.map(({ count }) => count))
      },
    }))
    counts.add('w', fetch, time)
    const flushing = counts.flush()
    counts.add('w', fetch, time)
    await assert.rejects(flushing, /unavailable/)
    counts.add('w', { ...fetch, version: '2' }, time)
    isAway = false
    await counts.flush()
    await counts.flush()
    assert.deepEqual(writeSizes.toSorted(), [1, 2])
  })
})
