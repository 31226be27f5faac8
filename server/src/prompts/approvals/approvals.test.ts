import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, makeVersion, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { tags, configure, list, create, decide } = operations.approvals
const { newWorkspace } = await startTestApp()
const promptSlug = 'greeting'
const move = { promptSlug, tag: 'production', version: 'next' }

/** A prompt with a version in production and one that is to follow it; the tag is protected. */
async function makeSetup(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'One.' })
  await makeVersion(workspace, { text: 'Two.', version: 'next' })
  assert.deepEqual(await workspace.ok(configure, { tags: ['production'] }), { tags: ['production'] })
  return workspace
}

const getServed = async (workspace: TestWorkspace): Promise<string> =>
  (await workspace.ok(operations.prompts.get, { slug: promptSlug })).prompt.version

describe('a protected tag', () => {
  it('403: cannot be moved in any other way, and other tags move as before', async () => {
    const workspace = await makeSetup()
    const refusalOf = async (operation: Parameters<TestWorkspace['refused']>[0], input: object) =>
      assert.match(
        await workspace.refused(operation, input, 403),
        /"production" is protected.*approvals\.create/,
      )
    await refusalOf(operations.prompts.publish, { slug: promptSlug, newTag: 'production', version: 'next' })
    await refusalOf(operations.versions.create, { slug: promptSlug, text: 'x', tags: ['production'] })
    const rollout = { promptSlug, candidateVersion: 'next', share: 1 }
    await refusalOf(operations.rollouts.create, rollout)
    const { versions } = await workspace.ok(operations.versions.list, { slug: promptSlug })
    assert.deepEqual([versions.length, await getServed(workspace)], [2, '1.0.0'])
    await workspace.ok(operations.prompts.publish, { slug: promptSlug, newTag: 'staging', version: 'next' })
    await workspace.ok(configure, { tags: [] })
    const { rollout: running } = await workspace.ok(operations.rollouts.create, { ...rollout, share: 0.2 })
    await workspace.ok(configure, { tags: ['production'] })
    await refusalOf(operations.rollouts.update, { id: running.id, share: 1 })
    await workspace.ok(operations.rollouts.update, { id: running.id, share: 0.1, alertIds: [] })
    await refusalOf(operations.rollouts.promote, { id: running.id })
    assert.deepEqual(await workspace.ok(tags, {}), { tags: ['production'] })
  })

  it('400: is not a valid version name, since a prompt that includes the tag would get that version', async () => {
    const workspace = await makeSetup()
    await workspace.ok(configure, { tags: ['production', 'staging'] })
    await workspace.ok(operations.prompts.publish, { slug: promptSlug, newTag: 'beta', version: 'next' })
    const ada = await workspace.signIn('editor')
    for (const version of ['production', 'latest', 'staging', 'beta']) {
      const newVersion = { slug: promptSlug, version, text: 'Other.' }
      assert.match(
        await workspace.refused(operations.versions.create, newVersion, 400, ada),
        new RegExp(`^version: must not be "${version}", which is a tag`),
      )
    }
    await workspace.ok(operations.versions.create, { slug: promptSlug, version: 'gamma', text: 'x' }, ada)
  })

  it('200: moves once another user approves the request, and the history names the approver', async () => {
    const workspace = await makeSetup()
    const [ada, grace] = [await workspace.signIn('admin'), await workspace.signIn('admin')]
    const { approval } = await workspace.ok(create, { ...move, message: 'Shorter.' }, ada)
    assert.deepEqual(
      [approval.status, approval.from, approval.requestedBy, approval.message],
      ['pending', '1.0.0', ada.id, 'Shorter.'],
    )
    const { id } = approval
    assert.match(await workspace.refused(decide, { id, isApproved: true }, 403, ada), /someone else/)
    assert.equal(await getServed(workspace), '1.0.0')
    const decided = await workspace.ok(decide, { id, isApproved: true, reason: 'Good.' }, grace)
    assert.deepEqual(
      [decided.approval.status, decided.approval.decidedBy, decided.approval.reason],
      ['approved', grace.id, 'Good.'],
    )
    assert.equal(await getServed(workspace), 'next')
    const { moves } = await workspace.ok(operations.prompts.history, { slug: promptSlug })
    assert.equal(moves.find(({ tag }) => tag === 'production')?.movedBy, grace.id)
    assert.match(await workspace.refused(decide, { id, isApproved: false }, 409, grace), /already approved/)
  })

  it('403: cannot be approved by the creator of the API key that requested it', async () => {
    const workspace = await makeSetup()
    const [ada, grace] = [await workspace.signIn('admin'), await workspace.signIn('admin')]
    const newKey = { name: 'CI', scopes: ['manage'] }
    const { secret: key } = await workspace.ok(operations.keys.create, newKey, ada)
    const { secret: keyOfKey } = await workspace.ok(operations.keys.create, newKey, { key })
    for (const requester of [key, keyOfKey]) {
      const { approval } = await workspace.ok(create, move, { key: requester })
      const { id } = approval
      assert.equal(approval.keyCreatedBy, ada.id)
      assert.match(await workspace.refused(decide, { id, isApproved: true }, 403, ada), /someone else/)
    }
    assert.equal(await getServed(workspace), '1.0.0')
    const [pending] = (await workspace.ok(list, { status: 'pending' })).approvals
    await workspace.ok(decide, { id: pending!.id, isApproved: true }, grace)
    assert.equal(await getServed(workspace), 'next')
  })

  it('403: cannot be approved with an API key of the user who requested it', async () => {
    const workspace = await makeSetup()
    const ada = await workspace.signIn('admin')
    const newKey = { name: 'CI', scopes: ['manage'] }
    const { secret: key } = await workspace.ok(operations.keys.create, newKey, ada)
    const { approval } = await workspace.ok(create, move, ada)
    const approve = { id: approval.id, isApproved: true }
    assert.match(await workspace.refused(decide, approve, 403, { key }), /Only a person/)
    assert.equal(await getServed(workspace), '1.0.0')
  })

  it('200: can be approved by any admin if the creator of the requesting API key is unknown', async () => {
    const workspace = await makeSetup()
    const ada = await workspace.signIn('admin')
    const { approval } = await workspace.ok(create, move)
    await workspace.ok(decide, { id: approval.id, isApproved: true }, ada)
    assert.equal(await getServed(workspace), 'next')
  })

  it('200: is not moved if the request is rejected or replaced', async () => {
    const workspace = await makeSetup()
    const ada = await workspace.signIn('admin')
    await workspace.ok(create, move, ada)
    const { approval } = await workspace.ok(create, move, ada)
    await workspace.ok(decide, { id: approval.id, isApproved: false }, ada)
    const { approvals } = await workspace.ok(list, { promptSlug })
    assert.deepEqual(
      approvals.map(({ status, decidedBy }) => [status, decidedBy]),
      [
        ['rejected', ada.id],
        ['rejected', null],
      ],
    )
    assert.deepEqual((await workspace.ok(list, { status: 'pending' })).approvals, [])
    assert.equal(await getServed(workspace), '1.0.0')
  })

  it('400 and 404: report what is wrong with a request', async () => {
    const workspace = await makeSetup()
    const ada = await workspace.signIn('admin')
    const refusalOf = (fields: object, status: number) =>
      workspace.refused(create, { ...move, ...fields }, status)
    assert.match(await refusalOf({ tag: 'staging' }, 400), /^tag: is not protected/)
    assert.match(await refusalOf({ version: 'none' }, 404), /no version "none"/)
    assert.match(await refusalOf({ promptSlug: 'none' }, 404), /No prompt/)
    assert.match(await workspace.refused(configure, { tags: ['latest'] }, 400), /^tags\[0\]: must not/)
    assert.match(await workspace.refused(list, { status: 'open' }, 400), /^status: /)
    assert.match(await workspace.refused(decide, { id: randomUUID() }, 400, ada), /^isApproved: /)
    const unknown = { id: randomUUID(), isApproved: true }
    assert.match(await workspace.refused(decide, unknown, 404, ada), /No requested move/)
  })

  it('is deleted with its prompt', async () => {
    const workspace = await makeSetup()
    await workspace.ok(create, move)
    await workspace.ok(operations.prompts.archive, { slug: promptSlug })
    await workspace.call(operations.prompts.delete, { slug: promptSlug })
    assert.deepEqual((await workspace.ok(list, {})).approvals, [])
  })
})
