import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const api = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${screens.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, await answer.clone().text())
  return answer.json()
}

const getServed = async (slug: string): Promise<string> => {
  const { prompt } = (await api('GET', `/prompts/${slug}`)) as { prompt: { version: string } }
  return prompt.version
}

/** A prompt with a version for each text; the first is in production. */
async function makePrompt(slug: string, ...texts: string[]): Promise<void> {
  await api('POST', '/prompts', { slug, name: `Prompt ${slug}` })
  for (const [index, text] of texts.entries())
    await api('POST', `/prompts/${slug}/versions`, {
      slug,
      text,
      model: { provider: 'open-ai', model: 'gpt-5-mini' },
      ...(index === 0 && { tags: ['production'] }),
    })
}

const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

describe('prompts', () => {
  it('are created, written with variables, saved after a review of the changes, and published', async () => {
    const page = await screens.open('/prompts')
    await page.getByRole('button', { name: 'New prompt' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grüße für Gäste')
    await page.getByRole('textbox', { name: 'Folder' }).fill('hotel/front desk')
    await page.getByRole('button', { name: 'Create and edit' }).click()
    await editor(page, 'Text').fill('Greet {{ guest }} in {{ city }}.')
    await page.getByRole('tab', { name: 'Variables and preview (2)' }).click()
    await page.getByRole('textbox', { name: 'guest' }).fill('Ada')
    await page.getByRole('region', { name: 'Rendered user message' }).getByText('Greet Ada in .').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const saving = page.getByRole('dialog', { name: 'Save as a new version' })
    await saving.getByRole('region', { name: 'Changes of text' }).waitFor()
    await saving.getByRole('textbox', { name: 'Change note' }).fill('The first greeting.')
    await saving.getByRole('button', { name: 'Save version' }).click()
    await page.getByText('Draft', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publishing = page.getByRole('dialog', { name: /^Publish/ })
    await publishing.getByText('the prompt goes live').waitFor()
    await publishing.getByRole('button', { name: /^Move production to/ }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    assert.match(await getServed('grusse-fur-gaste'), /\d/)
    await page.goto(`${screens.url}/app/prompts?folder=hotel`)
    await page.getByText('hotel/front desk/').waitFor()
    await page.getByText('1 prompt', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Folder' }).waitFor()
    await assertAccessible(page)
  })

  it('are written as messages with roles and placeholders, and keep application settings', async () => {
    await makePrompt('as-messages', 'Answer {{ question }}.')
    await makePrompt('shared-tone', 'Be kind to {{ guest }}.')
    await api('POST', '/prompts/as-messages/versions', {
      text: 'Answer {{ question }} now.',
      config: { route: 'fast' },
    })
    const page = await screens.open('/prompts/as-messages/edit')
    await page.getByRole('button', { name: 'Write as messages' }).click()
    await page.getByRole('button', { name: 'Add placeholder' }).click()
    await page.getByRole('button', { name: 'Move message 2 up' }).click()
    await page.getByRole('button', { name: 'Add message' }).click()
    // Typed key by key: the editor closes brackets itself.
    await editor(page, 'Message 3').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Sure: {% include "shared-ton" %}')
    await page.getByRole('status').getByText('shared-ton', { exact: true }).waitFor()
    for (let count = 0; count < ' %}"'.length; count++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('e')
    await page.getByRole('status').getByText('shared-ton', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Role of message 3' }).click()
    await page.getByRole('option', { name: 'assistant' }).click()
    assert.ok(await page.getByRole('button', { name: 'Write as two texts' }).isDisabled())
    await page.getByRole('tab', { name: 'Variables and preview (3)' }).click()
    await page.getByRole('textbox', { name: 'guest' }).fill('Ada')
    const answer = page.getByRole('region', { name: 'Rendered assistant message' })
    await answer.getByText('Sure: Be kind to Ada.').waitFor()
    // As clients send images: the content is a list of parts.
    const history = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]
    await page.getByRole('textbox', { name: 'history' }).fill(JSON.stringify(history))
    await page.getByRole('region', { name: 'Rendered user message' }).getByText('Hello').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Review and save' }).click()
    const saving = page.getByRole('dialog', { name: 'Save as a new version' })
    await saving.getByRole('region', { name: 'Changes of messages' }).waitFor()
    await saving.getByRole('button', { name: 'Save version' }).click()
    await page.getByRole('region', { name: '1. messages of history' }).waitFor()
    const { versions } = (await api('GET', '/prompts/as-messages/versions')) as {
      versions: { messages: unknown; config: unknown; text: string }[]
    }
    assert.deepEqual(versions[0]?.messages, [
      { placeholder: 'history' },
      { role: 'user', content: 'Answer {{ question }} now.' },
      { role: 'assistant', content: 'Sure: {% include "shared-tone" %}' },
    ])
    assert.deepEqual(versions[0]?.config, { route: 'fast' })
    await page.getByRole('link', { name: 'Playground' }).last().click()
    await editor(page, 'Message 3').waitFor()
    await page.goto(`${screens.url}/app/prompts/as-messages?version=1.0.1&view=changes`)
    const changes = page.getByRole('region', { name: 'Changes of application settings' })
    await changes.getByText('"route": "fast"').waitFor()
  })

  it('are published and rolled back by keyboard alone', async () => {
    await makePrompt('by-keyboard', 'Say {{ one }}.', 'Say {{ two }} kindly.')
    const page = await screens.open('/prompts?q=by-keyboard')
    await page.getByText('Prompt by-keyboard').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByRole('tab', { name: 'Text' }).waitFor()
    await page.keyboard.press('2')
    await page.getByRole('region', { name: 'Changes of text' }).getByText('kindly').waitFor()
    const before = await getServed('by-keyboard')
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: /^Publish/ })
    await dialog.getByText('without naming a version or another tag').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.notEqual(await getServed('by-keyboard'), before)
    await page.keyboard.press('5')
    const back = page.getByRole('button', { name: `Roll back to ${before}` })
    await back.waitFor()
    await back.press('Enter')
    await page.getByText(`production is now ${before}`).waitFor()
    assert.equal(await getServed('by-keyboard'), before)
  })

  it('keep a draft across reloads and other screens, until it is discarded', async () => {
    await makePrompt('half-written', 'Say {{ one }}.')
    const page = await screens.open('/prompts/half-written')
    await page.getByRole('tab', { name: 'Text' }).waitFor()
    await page.keyboard.press('e')
    await editor(page, 'Text').fill('Say nothing.')
    await page.reload()
    await page.getByText('This is your unsaved draft.').waitFor()
    assert.match((await editor(page, 'Text').textContent()) ?? '', /Say nothing/)
    await page.getByRole('link', { name: 'half-written' }).click()
    await page.getByRole('tab', { name: 'Text' }).waitFor()
    await page.keyboard.press('e')
    await page.getByText('This is your unsaved draft.').waitFor()
    await page.getByRole('button', { name: 'Start again' }).click()
    await editor(page, 'Text').getByText('Say {{ one }}.').waitFor()

    await editor(page, 'Text').fill('Say nothing.')
    await page.getByRole('button', { name: 'Cancel' }).click()
    const question = page.getByRole('alertdialog', { name: 'Discard the draft?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.match((await editor(page, 'Text').textContent()) ?? '', /Say nothing/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('tab', { name: 'Text' }).waitFor()
    await page.keyboard.press('e')
    await editor(page, 'Text').getByText('Say {{ one }}.').waitFor()
    assert.equal(await page.getByText('This is your unsaved draft.').count(), 0)
  })

  it('with more versions than a page of the list are opened, edited, run and published by the name of any', async () => {
    const texts = Array.from({ length: 102 }, (_, index) => `Text ${index}.`)
    await makePrompt('of-many-versions', ...texts)
    const page = await screens.open('/prompts/of-many-versions?version=1.0.0')
    await page.getByRole('region', { name: 'Text', exact: true }).getByText('Text 0.').waitFor()
    await page.getByRole('tab', { name: 'Tags' }).click()
    const tags = page.getByRole('region', { name: 'Tags', exact: true })
    await tags.getByText('production').waitFor()
    assert.equal(await tags.getByRole('button', { name: '1.0.0' }).count(), 1)
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('This is the first version.').waitFor()
    await page.keyboard.press('k')
    await page.waitForURL(/version=1\.0\.1/)
    await page.getByRole('region', { name: 'Changes of text' }).getByText('Text 0.').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publishing = page.getByRole('dialog', { name: 'Publish 1.0.1' })
    await publishing.getByRole('region', { name: 'What changes' }).getByText('Text 0.').waitFor()
    await page.goto(`${screens.url}/app/prompts/of-many-versions?version=7.0.0`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.goto(`${screens.url}/app/prompts/of-many-versions/edit?from=1.0.0`)
    await page.getByText('New version from 1.0.0').waitFor()
    assert.equal(await editor(page, 'Text').innerText(), 'Text 0.')
    await page.goto(`${screens.url}/app/experiments/run?prompt=of-many-versions&version=1.0.0`)
    await page.getByRole('combobox', { name: 'Version', exact: true }).waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === '1.0.0'),
    )
  })

  it('fill their variables from a real run, and show the cost of versions', async () => {
    const page = await screens.open('/prompts/support-answer?view=try&version=3.0.0&range=90d')
    await page.getByRole('button', { name: 'Fill from a trace' }).click()
    await page.getByRole('dialog', { name: 'Latest runs of this prompt' }).getByRole('button').first().click()
    const question = page.getByRole('textbox', { name: 'question' })
    await question.and(page.locator(':not(:placeholder-shown)')).waitFor()
    const questionStart = (await question.inputValue()).slice(0, 20)
    assert.notEqual(questionStart, '')
    await page
      .getByRole('region', { name: 'Rendered user message' })
      .getByText(questionStart)
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Usage' }).click()
    await page.getByRole('grid', { name: 'Version comparison' }).getByText('production').waitFor()
    await page.getByRole('list', { name: 'Uses by feature' }).getByText('support-chat').waitFor()
  })

  it('are accessible in the list, in every view, in the editor and while publishing', async () => {
    const page = await screens.open('/prompts')
    await page.getByRole('row').nth(1).waitFor()
    await assertAccessible(page)
    for (const view of ['text', 'changes', 'figures', 'tags'] as const) {
      await page.goto(`${screens.url}/app/prompts/support-answer?view=${view}&version=3.0.0`)
      await page.getByRole('tab', { name: 'Text' }).waitFor()
      await page.waitForLoadState('networkidle')
      await assertAccessible(page)
    }
    await page.keyboard.press('p')
    await page.getByRole('dialog').waitFor()
    await assertAccessible(page)
    await page.goto(`${screens.url}/app/prompts/support-answer/edit`)
    await editor(page, 'Text').waitFor()
    await assertAccessible(page)
  })
})
