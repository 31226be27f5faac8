/** What one person has open in two tabs: each keeps its workspace. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { startScreens } from './support/testing.ts'

const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

async function makePrompt(slug: string, text: string): Promise<void> {
  await client.prompts.create({ slug, name: slug })
  await client.versions.create({ slug, text })
}

const textOf = async (slug: string): Promise<string | undefined> =>
  (await client.versions.list({ slug })).versions[0]?.text

describe('two tabs', () => {
  it('stay in a workspace each: what one saves goes where it shows, whatever the other chose meanwhile', async () => {
    await makePrompt('tab-choice', 'Greet.')
    const first = await screens.open('/prompts/tab-choice/edit')
    await first.getByRole('textbox', { name: 'Text', exact: true }).fill('Greet warmly.')
    const second = await screens.open('/settings/you')
    await second.getByRole('button', { name: 'Workspace: Of one test file' }).click()
    await second.getByRole('menuitem', { name: 'Default' }).click()
    await second.getByRole('button', { name: 'Workspace: Default' }).waitFor()

    await first.getByRole('button', { name: 'Review and save' }).click()
    await first.getByRole('dialog').getByRole('button', { name: 'Save version' }).click()
    await first.getByText('Saved 1.0.1').first().waitFor()
    assert.equal(await textOf('tab-choice'), 'Greet warmly.')
    await first.reload()
    await first.getByRole('button', { name: 'Workspace: Of one test file' }).waitFor()
    await first.getByRole('heading', { name: 'tab-choice' }).waitFor()
    // A tab that a link opens is in the workspace of the tab that somebody looks at.
    await first.evaluate(() => dispatchEvent(new Event('focus')))
    const third = await first.context().newPage()
    await third.goto(`${screens.url}/app/settings/you`)
    await third.getByRole('button', { name: 'Workspace: Of one test file' }).waitFor()
    await second.reload()
    await second.getByRole('button', { name: 'Workspace: Default' }).waitFor()
  })
})
