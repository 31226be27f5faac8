import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeExperiment, makeFeature, startTestApp } from '../../../testing/test-app.ts'

const { list } = operations.experiments
const { newWorkspace } = await startTestApp()

/** Of two experiments created in the same millisecond, the one with the later id. */
const newestFirst = <Made extends { readonly id: string; readonly createdAt: string }>(
  experiments: readonly Made[],
): Made[] => experiments.toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1))

describe('experiments.list', () => {
  it('200: returns the experiments of the workspace, newest first, or those of one feature', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makeFeature(workspace, { slug: 'other' })
    const first = await makeExperiment(workspace)
    const second = await makeExperiment(workspace, { featureSlug: 'other' })
    assert.deepEqual((await workspace.ok(list)).experiments, newestFirst([first, second]))
    assert.deepEqual(await workspace.ok(list, { featureSlug: 'chat' }), { experiments: [first] })
    assert.deepEqual(await workspace.ok(list, { featureSlug: 'nobody' }), { experiments: [] })
    assert.deepEqual(await (await newWorkspace()).ok(list), { experiments: [] })
  })

  it('200: returns pages, with each experiment once while others arrive', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const experiments = []
    for (let index = 0; index < 5; index++) experiments.push(await makeExperiment(workspace))
    const listedIds: string[] = []
    let cursor: string | undefined
    do {
      const page = await workspace.ok(list, { limit: 2, ...(cursor && { cursor }) })
      listedIds.push(...page.experiments.map(({ id }) => id))
      cursor = page.nextCursor
      await makeExperiment(workspace)
    } while (cursor !== undefined && listedIds.length < 20)
    assert.deepEqual(
      listedIds,
      newestFirst(experiments).map(({ id }) => id),
    )
  })

  it('400: names the invalid limit or cursor', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { limit: 0 }, 400), /^limit: /)
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
  })
})
