/** In a workspace of its own: while a tag is protected, no other test may move it. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens({ hasOwnWorkspace: true })

async function api<Response>(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${screens.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as Response
}

async function makeVersion(text: string, tags?: readonly string[]): Promise<string> {
  const path = '/prompts/guarded/versions'
  return (await api<{ version: { version: string } }>('POST', path, { text, tags })).version.version
}

const getServed = async (slug: string): Promise<string> =>
  (await api<{ prompt: { version: string } }>('GET', `/prompts/${slug}`)).prompt.version

/** A page of a user who accepts an invitation. */
async function joinAsAdmin(name: string, email: string): Promise<Page> {
  const { url } = await api<{ url: string }>('POST', '/invitations', { email, role: 'admin' })
  const { pathname, search } = new URL(url)
  const page = await screens.open(pathname.replace('/app', '') + search, { isSignedIn: false })
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('A password').fill('quiet harbor lantern')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('button', { name: /^Workspace: / }).waitFor()
  return page
}

it('protected prompt tags move once someone else approves it', async () => {
  await api('POST', '/prompts', { slug: 'guarded', name: 'Guarded' })
  const [before, next] = [await makeVersion('One.', ['production']), await makeVersion('Two.')]
  const page = await screens.open('/settings/workspace')
  const protection = page.getByRole('region', { name: 'Protected tags' })
  await protection.getByRole('textbox', { name: 'Tags' }).fill('production')
  await protection.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Protected tags saved').waitFor()
  await page.goto(`${screens.url}/app/prompts/guarded?version=${next}`)
  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Publish/ })
  await dialog.getByRole('textbox', { name: 'Reason for the move' }).fill('Shorter.')
  await dialog.getByRole('button', { name: `Request to move production to ${next}` }).click()
  const requests = page.getByRole('list', { name: 'Requested tag moves' })
  await requests.getByText('You requested to move').waitFor()
  assert.equal(await requests.getByRole('button', { name: 'Approve and move' }).count(), 0)
  await requests.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('production stays where it is').waitFor()
  assert.equal(await getServed('guarded'), before)
  const request = { promptSlug: 'guarded', tag: 'production', version: next, message: 'From CI.' }
  await api('POST', '/approvals', request)
  await page.reload()
  await requests.getByText('From CI.').waitFor()
  await assertAccessible(page)
  // The creator of the key may not approve its requests.
  await requests.getByText('one of your API keys, requested to move').waitFor()
  assert.equal(await requests.getByRole('button', { name: 'Approve and move' }).count(), 0)

  const grace = await joinAsAdmin('Grace Wu', 'grace-approves@example.com')
  await grace.goto(`${screens.url}/app/prompts/guarded?version=${next}`)
  await grace.getByRole('button', { name: 'Approve and move' }).click()
  await grace.getByText(`production is now ${next}`).waitFor()
  assert.equal(await getServed('guarded'), next)
})
