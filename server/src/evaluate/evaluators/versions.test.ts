import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeEvaluator, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()
const { update, versions } = operations.evaluators

describe('evaluators.versions', () => {
  it('200: returns the kind and configuration of each version, its author and its number of scores', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { sampleRate: 1 })
    await recordTrace(workspace, { output: 'Yes, please.', evaluators: [{ slug: 'polite' }] })
    await eventually(async () => {
      const [only] = (await workspace.ok(versions, { slug: 'polite' })).versions
      assert.equal(only?.scores, 1)
    })
    await workspace.ok(update, { slug: 'polite', kind: 'regex', config: { pattern: 'please' } })
    // Changing the name makes no version.
    await workspace.ok(update, { slug: 'polite', name: 'Politeness' })
    const { versions: createdVersions } = await workspace.ok(versions, { slug: 'polite' })
    const author = { createdBy: workspace.key.id, createdByName: 'Test' }
    assert.deepEqual(
      createdVersions.map(({ createdAt: _, ...version }) => version),
      [
        { version: 2, kind: 'regex', config: { pattern: 'please' }, ...author, scores: 0, isCurrent: true },
        { version: 1, kind: 'contains', config: { value: 'please' }, ...author, scores: 1, isCurrent: false },
      ],
    )
  })

  it('200: an old version becomes the latest again if its kind and configuration are set', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await workspace.ok(update, { slug: 'polite', kind: 'json_valid', config: {} })
    const old = (await workspace.ok(versions, { slug: 'polite' })).versions.at(-1)
    await workspace.ok(update, { slug: 'polite', kind: old?.kind, config: old?.config })
    const { versions: createdVersions } = await workspace.ok(versions, { slug: 'polite' })
    assert.deepEqual(
      createdVersions.map(({ version, kind, isCurrent }) => [version, kind, isCurrent]),
      [
        [3, 'contains', true],
        [2, 'json_valid', false],
        [1, 'contains', false],
      ],
    )
  })

  it('404: for an evaluator that does not exist', async () => {
    await (await newWorkspace()).refused(versions, { slug: 'polite' }, 404)
  })
})
