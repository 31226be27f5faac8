/** The web app below a path of a host: a proxy responds with 404 to everything else. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { startPathProxy } from '../../server/testing/path-proxy.ts'
import { openBrowser } from './support/browser.ts'
import { owner, startService } from './support/start-service.ts'

it('below a path, a user sets up the service, reads and reloads a trace, opens the help and the API, and signs out', async () => {
  const proxy = await startPathProxy('/tools/plumbline', { isPassedOn: true })
  const service = await startService({ isNew: true, settings: { PLUMBLINE_PUBLIC_URL: proxy.url } })
  proxy.lead(service.url)
  const { browser, release } = await openBrowser()
  after(async () => {
    await release()
    await service.stop()
    proxy.stop()
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(90_000)
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('response', (response) => {
    if (response.status() === 404) failures.push(response.url())
  })

  const { pathname, search } = new URL(service.setUpUrl)
  assert.ok(pathname.startsWith('/tools/plumbline/app/'), service.setUpUrl)
  await page.goto(`${new URL(proxy.url).origin}${pathname}${search}`)
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.waitForURL(`${proxy.url}/app/get-started`)

  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const recorded = await fetch(`${proxy.url}/monitor/trace`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Below a path', output: 'Read me', logs: [{ id: 'a', type: 'span' }] }),
  })
  assert.ok(recorded.ok, await recorded.text())
  await eventually(async () => {
    const { traces } = (await (await fetch(`${proxy.url}/monitor/traces`, { headers })).json()) as {
      traces: unknown[]
    }
    assert.equal(traces.length, 1)
  })
  await page.goto(`${proxy.url}/app/traces`)
  const href = await page.locator('a[href^="/tools/plumbline/app/traces/"]').first().getAttribute('href')
  await page.goto(new URL(href ?? '', proxy.url).href)
  await page.getByText('Read me').first().waitFor()

  await page.goto(`${proxy.url}/help/`)
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await page.waitForURL(/\/tools\/plumbline\/docs\//)
  await page.getByRole('heading', { level: 1, name: 'Plumbline' }).waitFor()

  await page.goto(`${proxy.url}/app/traces`)
  await page.getByRole('button', { name: /^Account and appearance/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/tools\/plumbline\/app\/sign-in/)
  assert.deepEqual(failures, [])
  assert.deepEqual(proxy.foreignPaths, [])
})
