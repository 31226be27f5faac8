import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makePrompt, recordGeneration, startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

const messages = [
  { role: 'system', content: 'You are a critic of {{ genre }}.' },
  { placeholder: 'history' },
  { role: 'user', content: 'Judge {{ title }}.' },
]

describe('a version made of messages', () => {
  it('is served as messages with its settings, and without texts that would be only a part of it', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace)
    const config = { model: 'gpt-4o', temperature: 0.1, nested: { list: [1, null] } }
    const { version } = await workspace.ok(operations.versions.create, {
      slug,
      messages,
      config,
      tags: ['production'],
    })
    assert.deepEqual([version.messages, version.config, version.text], [messages, config, ''])
    const { prompt } = await workspace.ok(operations.prompts.get, { slug })
    assert.deepEqual(
      [prompt.messages, prompt.config, prompt.text, prompt.systemText],
      [messages, config, '', ''],
    )
    const described = await workspace.ok(operations.prompts.describe, { slug })
    assert.deepEqual(
      described.prompt.variables.map(({ label, type }) => `${label} ${type}`),
      ['genre string', 'title string', 'history array'],
    )
  })

  it('also has the texts for old clients, if two texts are equivalent', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace)
    const { version } = await workspace.ok(operations.versions.create, {
      slug,
      messages: [messages[0], messages[2]],
    })
    assert.deepEqual([version.systemText, version.text], [messages[0]!.content, messages[2]!.content])
  })

  it('renders with the messages that a generation supplies for a placeholder', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace)
    await workspace.ok(operations.versions.create, { slug, messages, tags: ['production'] })
    const history = [{ role: 'assistant', content: 'Hello.' }]
    const { log } = await recordGeneration(workspace, {
      prompt: { slug },
      variables: [
        { label: 'genre', value: 'film' },
        { label: 'title', value: 'Alien' },
        { label: 'history', value: history },
      ],
    })
    assert.deepEqual(log.input, [
      { role: 'system', content: 'You are a critic of film.' },
      ...history,
      { role: 'user', content: 'Judge Alien.' },
    ])
  })

  it('400: is refused together with texts, without either, and with a message of neither kind', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace)
    const refusalOf = (input: object) =>
      workspace.refused(operations.versions.create, { slug, ...input }, 400)
    assert.match(await refusalOf({}), /^text: is required/)
    assert.match(await refusalOf({ messages, text: 'Hi' }), /^messages: must not be given together/)
    assert.match(await refusalOf({ messages: [{ role: 'user' }] }), /^messages\[0\]: must have/)
    assert.match(await refusalOf({ messages: [] }), /^messages: /)
  })
})
