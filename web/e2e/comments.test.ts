import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

// Other tests mention the same user.
const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

describe('comments', () => {
  it('a user mentioned on a trace finds the comment in the menu, with a link to the trace', async () => {
    const {
      trace: { id },
    } = await client.monitor.trace({ name: 'commented on', input: 'x' })
    const page = await screens.open(`/traces/${id}`)
    await page.getByRole('button', { name: 'Comments' }).click()
    const dialog = page.getByRole('dialog', { name: 'Comments' })
    await dialog.getByText('No comments yet').waitFor()
    const text = dialog.getByRole('textbox', { name: 'New comment' })
    await text.pressSequentially('Please look, @lov')
    await dialog
      .getByRole('list', { name: 'Members' })
      .getByRole('button', { name: 'Ada Lovelace' })
      .waitFor()
    await text.press('Enter')
    await text.pressSequentially('**today**')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog.getByRole('list', { name: 'Comments' }).getByText('today').waitFor()
    await eventually(async () => assert.equal(await text.inputValue(), ''))
    const { comments } = await client.comments.list({ subjectType: 'trace', subjectId: id })
    assert.deepEqual(
      comments.map(({ text, mentions }) => [text, mentions.map(({ name }) => name)]),
      [['Please look, @Ada Lovelace **today**', ['Ada Lovelace']]],
    )

    await page.goto(`${screens.url}/app/settings/you`)
    await page.getByRole('button', { name: /, 1 new mention$/ }).click()
    await page.getByRole('menuitem', { name: /Mentions/ }).click()
    const mentions = page.getByRole('list', { name: 'Mentions' })
    await mentions.getByText('new', { exact: true }).waitFor()
    await assertAccessible(page)
    // Comments written while the dialog is open are not marked as seen.
    const newCount = async () =>
      (await page.evaluate(() => fetch('/comments/mentions').then((response) => response.json()))) as {
        newCount: number
      }
    await eventually(async () => assert.equal((await newCount()).newCount, 0))
    const reads = /\/comments\/mentions\?/
    await page.route(reads, () => undefined)
    await client.comments.create({
      subjectType: 'trace',
      subjectId: id,
      text: 'And this',
      mentions: comments.flatMap(({ mentions }) => mentions.map((person) => person.id)),
    })
    await mentions.getByText('new', { exact: true }).waitFor()
    await mentions.getByRole('link', { name: 'On a trace' }).click()
    await page.waitForURL(new RegExp(id))
    await dialog.getByText('And this').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.unroute(reads)
    await page.reload()
    await page.getByRole('button', { name: /, 1 new mention$/ }).click()
    await page.getByRole('menuitem', { name: /Mentions/ }).click()
    await mentions.getByText('And this').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account and appearance: Ada Lovelace', exact: true }).waitFor()
  })

  it('an author edits and deletes a comment on a prompt', async () => {
    await client.prompts.create({ slug: 'commented-prompt', name: 'Commented prompt' })
    const page = await screens.open('/prompts/commented-prompt')
    await page.getByRole('button', { name: 'Comments' }).click()
    const dialog = page.getByRole('dialog', { name: 'Comments' })
    await dialog.getByRole('textbox', { name: 'New comment' }).fill('First')
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog.getByRole('button', { name: 'Edit comment' }).click()
    await dialog.getByRole('textbox', { name: 'Comment', exact: true }).fill('Second')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('edited').waitFor()
    await dialog.getByText('Second').waitFor()
    await dialog.getByRole('button', { name: 'Delete comment' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this comment?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByText('Second').waitFor()
    await dialog.getByRole('button', { name: 'Delete comment' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('No comments yet').waitFor()
  })
})
