import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { history, publish } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.history', () => {
  it('200: lists every move of every tag, newest first: by whom, when, from and to which version', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    await makeVersion(workspace)
    await workspace.ok(publish, { slug: 'greeting', newTag: 'production', version: '1.0.1' })
    const { moves } = await workspace.ok(history, { slug: 'greeting' })
    const [last] = moves
    assert.deepEqual(
      [last?.tag, last?.from, last?.to, last?.movedBy, last?.movedByName],
      ['production', '1.0.0', '1.0.1', workspace.key.id, 'Test'],
    )
    assert.ok(Math.abs(Date.parse(last?.movedAt ?? '') - Date.now()) < 60_000)
    const first = moves.filter(({ tag }) => tag === 'production').at(-1)
    assert.deepEqual([first?.to, first !== undefined && 'from' in first], ['1.0.0', false])
  })

  it('200: names the user who published, and the creator of each version', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('editor')
    await makeLivePrompt(workspace)
    const version = { slug: 'greeting', text: 'Hi.', tags: ['production'] }
    await workspace.ok(operations.versions.create, version, person)
    await workspace.ok(operations.members.delete, { id: person.id })
    const { moves } = await workspace.ok(history, { slug: 'greeting' })
    const [last] = moves.filter(({ tag }) => tag === 'production')
    assert.deepEqual([last?.movedBy, last?.movedByName], [person.id, 'editor'])
    const { versions } = await workspace.ok(operations.versions.list, { slug: 'greeting' })
    assert.deepEqual(
      versions.map(({ createdByName }) => createdByName),
      ['editor', 'Test'],
    )
  })

  it('404: the prompt does not exist', async () => {
    await (await newWorkspace()).refused(history, { slug: 'nobody' }, 404)
  })
})
