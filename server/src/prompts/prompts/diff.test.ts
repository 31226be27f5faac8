import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { diff } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.diff', () => {
  it('200: shows line by line what changed between two versions or tags', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { text: 'Hello.\nBye.', systemText: 'Be kind.' })
    await makeVersion(workspace, { text: 'Hello.\nSee you.', model: { model: 'gpt-4o' } })
    const answer = await workspace.ok(diff, { slug: 'greeting', from: 'production', to: '1.0.1' })
    assert.deepEqual([answer.from, answer.to], ['1.0.0', '1.0.1'])
    assert.deepEqual(answer.text, [
      { change: 'same', line: 'Hello.' },
      { change: 'removed', line: 'Bye.' },
      { change: 'added', line: 'See you.' },
    ])
    assert.ok(answer.systemText.some(({ change, line }) => change === 'removed' && line === 'Be kind.'))
    assert.ok(answer.model.some(({ change, line }) => change === 'added' && line.includes('gpt-4o')))
  })

  it('200: shows all lines as removed and added if more than a thousand changed', async () => {
    const workspace = await newWorkspace()
    const lines = (word: string) =>
      Array.from({ length: 1201 }, (_, index) => (index === 600 ? 'Stayed.' : `${word} ${index}`))
    await makeLivePrompt(workspace, { text: lines('old').join('\n') })
    await makeVersion(workspace, { text: lines('new').join('\n') })
    const { text } = await workspace.ok(diff, { slug: 'greeting', from: '1.0.0', to: '1.0.1' })
    assert.deepEqual(text, [
      ...lines('old').map((line) => ({ change: 'removed', line })),
      ...lines('new').map((line) => ({ change: 'added', line })),
    ])
  })

  it('400: names the missing side', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    assert.match(await workspace.refused(diff, { slug: 'greeting', to: '1.0.0' }, 400), /^from: is required/)
  })

  it('404: the prompt, version or tag does not exist', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    await workspace.refused(diff, { slug: 'nobody', from: '1.0.0', to: '1.0.0' }, 404)
    const error = await workspace.refused(diff, { slug: 'greeting', from: '1.0.0', to: 'canary' }, 404)
    assert.equal(error, 'The prompt "greeting" has no version or tag "canary".')
  })
})
