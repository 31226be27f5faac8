import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makePrompt, recordGeneration, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()
const slug = 'greeting'

async function publish(workspace: TestWorkspace, part: string, version: object): Promise<void> {
  await workspace.ok(operations.versions.create, { slug: part, tags: ['production'], ...version })
}

async function makeSetup(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  for (const part of [slug, 'tone', 'rules']) await makePrompt(workspace, { slug: part })
  await publish(workspace, 'rules', { text: 'Never lie to {{ user }}.', version: '1' })
  await publish(workspace, 'tone', { text: 'Be kind. {% include "rules" %}', version: '1' })
  return workspace
}

const getServed = (workspace: TestWorkspace) => workspace.ok(operations.prompts.get, { slug })

describe('a shared prompt part', () => {
  it('is inserted when served, described and rendered, and stays a reference in the version', async () => {
    const workspace = await makeSetup()
    const text = 'Hi {{ user }}. {% include "tone" %}'
    await publish(workspace, slug, { text, systemText: "{% include 'rules@1' %}" })
    const { prompt, warning } = await getServed(workspace)
    assert.equal(prompt.text, 'Hi {{ user }}. Be kind. Never lie to {{ user }}.')
    assert.equal(prompt.systemText, 'Never lie to {{ user }}.')
    assert.equal(warning, undefined)
    const { versions } = await workspace.ok(operations.versions.list, { slug })
    assert.equal(versions[0]?.text, text)
    const described = await workspace.ok(operations.prompts.describe, { slug })
    assert.deepEqual(
      described.prompt.variables.map(({ label }) => label),
      ['user'],
    )
    const { log } = await recordGeneration(workspace, {
      prompt: { slug },
      variables: [{ label: 'user', value: 'Ada' }],
    })
    assert.deepEqual(log.input, [
      { role: 'system', content: 'Never lie to Ada.' },
      { role: 'user', content: 'Hi Ada. Be kind. Never lie to Ada.' },
    ])
  })

  it('changes in every prompt when it is published, unless the prompt names a version of it', async () => {
    const workspace = await makeSetup()
    await publish(workspace, slug, {
      messages: [
        { role: 'system', content: '{% include "rules" %}' },
        { role: 'user', content: '{% include "rules@1" %}' },
      ],
    })
    await publish(workspace, 'rules', { text: 'Be exact.' })
    const { prompt } = await getServed(workspace)
    assert.deepEqual(
      prompt.messages?.map(({ content }) => content),
      ['Be exact.', 'Never lie to {{ user }}.'],
    )
  })

  it('is left out with a warning if it includes itself, is deleted, or has no such version', async () => {
    const workspace = await makeSetup()
    await makePrompt(workspace, { slug: 'gone' })
    await publish(workspace, slug, {
      text: 'A {% include "tone" %}{% include "rules@9" %}{% include "gone" %} B',
    })
    await publish(workspace, 'rules', { text: '{% include "tone" %}' })
    await workspace.ok(operations.prompts.archive, { slug: 'gone' })
    await workspace.call(operations.prompts.delete, { slug: 'gone' })
    const { prompt, warning } = await getServed(workspace)
    assert.equal(prompt.text, 'A Be kind.  B')
    assert.match(
      warning ?? '',
      /"tone" includes itself.*"rules" has no version or tag "9".*"gone" does not exist/,
    )
  })

  it('400: must be another prompt', async () => {
    const workspace = await makeSetup()
    const refusalOf = (fields: object) =>
      workspace.refused(operations.versions.create, { slug, ...fields }, 400)
    assert.match(await refusalOf({ text: "{% include 'greeting' %}" }), /^text: must not include "greeting"/)
    const messages = [{ role: 'user', content: `{% include "${slug}" %}` }]
    assert.match(
      await refusalOf({ messages }),
      /^messages\[0\]\.content: must not include "greeting", which is this/,
    )
  })
})
