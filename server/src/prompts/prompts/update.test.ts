import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, makeLivePrompt, makePrompt, startTestApp } from '../../../testing/test-app.ts'

const { update, restore, archive, list, get } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.update', () => {
  it('200: changes the given fields and keeps the rest, and no version changes', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makeLivePrompt(workspace, {}, { description: 'd' })
    const before = await workspace.ok(get, { slug: 'greeting' })
    const first = await workspace.ok(update, { slug: 'greeting', name: 'Hello', featureSlug: 'chat' })
    assert.deepEqual([first.prompt.name, first.prompt.description], ['Hello', 'd'])
    assert.equal(first.prompt.featureSlug, 'chat')
    const second = await workspace.ok(update, { slug: 'greeting', description: '', featureSlug: '' })
    assert.deepEqual([second.prompt.name, second.prompt.description], ['Hello', ''])
    assert.equal(second.prompt.featureSlug, undefined)
    assert.deepEqual(await workspace.ok(get, { slug: 'greeting' }), before)
  })

  it('400: the name is empty', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    assert.match(await workspace.refused(update, { slug: 'greeting', name: '' }, 400), /^name: /)
  })

  it('404: the prompt or the feature does not exist', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    await workspace.refused(update, { slug: 'nobody', name: 'x' }, 404)
    await workspace.refused(update, { slug: 'greeting', featureSlug: 'nobody' }, 404)
  })
})

describe('prompts.restore', () => {
  it('200: returns the prompt to the list, after it was listed with the archived ones', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    await workspace.ok(archive, { slug: 'greeting' })
    const slugs = async (input: object) => (await workspace.ok(list, input)).prompts.map(({ slug }) => slug)
    assert.deepEqual([await slugs({}), await slugs({ archived: true })], [[], ['greeting']])
    const { prompt } = await workspace.ok(restore, { slug: 'greeting' })
    assert.equal(prompt.archivedAt, undefined)
    assert.deepEqual([await slugs({}), await slugs({ archived: true })], [['greeting'], []])
    await workspace.ok(restore, { slug: 'greeting' })
  })

  it('404: the prompt does not exist', async () => {
    await (await newWorkspace()).refused(restore, { slug: 'nobody' }, 404)
  })
})
