import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens({ isNew: true })

describe('signing in', () => {
  it('the set-up link makes the first owner, once, with a password that can be seen; who signs out comes back to the screen that was asked for', async () => {
    const { pathname, search } = new URL(screens.setUpUrl)
    const page = await screens.open(pathname.replace('/app', '') + search, { isSignedIn: false })
    await assertAccessible(page)
    await page.getByLabel('E-mail').fill('grace')
    const password = page.getByLabel('Password')
    await password.fill('too short')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    assert.equal(await password.getAttribute('type'), 'text')
    assert.equal(await password.inputValue(), 'too short')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    assert.equal(await password.getAttribute('type'), 'password')
    // No key of a headless browser turns Caps Lock on.
    const type = (capsLock: boolean) =>
      password.evaluate(
        (field, modifierCapsLock) =>
          field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock })),
        capsLock,
      )
    await type(true)
    await page.getByText('Caps Lock is on.').waitFor()
    await type(false)
    await page.getByText('Caps Lock is on.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('Must not be empty.').waitFor()
    await page.getByText('Must be an e-mail address').waitFor()
    await page.getByText('Must have at least 10 characters.').waitFor()
    assert.equal(await page.getByLabel('Your name').getAttribute('aria-invalid'), 'true')
    await assertAccessible(page)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.waitForURL(/get-started/)

    await page.getByRole('button', { name: /^Account and appearance.*Grace Hopper/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)
    await page.goto(`${screens.url}/app/ledger?range=24h`)
    await page.waitForURL(/sign-in/)
    await page.goto(`${screens.url}/app/sign-in?error=account_not_linked&error_description=Call+us`)
    await page.getByRole('alert').getByText('An account with your e-mail address exists here').waitFor()
    assert.equal(await page.getByText('Call us').count(), 0)
    await page.goto(`${screens.url}/app/ledger?range=24h`)
    await page.waitForURL(/sign-in/)
    await assertAccessible(page)
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('not this one, no')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/ledger\?range=24h/)
    // The provider's answer counts once, and stays in the history.
    await page.goto(`${screens.url}/app/sign-in?error=state_mismatch`)
    await page.waitForURL(/traces|get-started/)

    const again = await screens.open(pathname.replace('/app', '') + search, { isSignedIn: false })
    await again.getByLabel('Your name').fill('Mallory')
    await again.getByLabel('E-mail').fill('mallory@example.com')
    await again.getByLabel('Password').fill('a long enough one')
    await again.getByRole('button', { name: 'Set up' }).click()
    assert.notEqual(await again.getByRole('alert').innerText(), '')
  })

  it('a link cannot lead out of the page after the sign-in', async () => {
    const page = await screens.open('/sign-in?from=//evil.example/', { isSignedIn: false })
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    // An empty workspace begins with its first trace.
    await page.waitForURL(/\/app\/get-started/)
    assert.equal(new URL(page.url()).origin, screens.url)
  })
})
