import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const screens = await startScreens({ isNew: true })

/** A separate application: only the dependencies in its package.json are available. */
const application = mkdtempSync(join(tmpdir(), 'plumbline-'))
mkdirSync(join(application, 'node_modules/@plumbline'), { recursive: true })
symlinkSync(join(root, 'sdk'), join(application, 'node_modules/@plumbline/sdk'))
symlinkSync(join(root, 'node_modules/@opentelemetry'), join(application, 'node_modules/@opentelemetry'))
writeFileSync(join(application, 'package.json'), '{"type":"module"}')
after(() => rmSync(application, { recursive: true, force: true }))

/** The text copied by a snippet's button. */
async function copySnippet(page: Page, tab: string, title: string): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
  await page.getByRole('button', { name: `Copy: ${title}` }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

async function runFile(name: string, code: string): Promise<void> {
  const file = join(application, name)
  writeFileSync(file, code)
  await run(process.execPath, [file], { cwd: application, timeout: 120_000 })
}

describe('getting started', () => {
  it('leads from the set-up link to a first trace: by curl, the client, Python and OpenTelemetry', async () => {
    const { pathname, search } = new URL(screens.setUpUrl)
    const page = await screens.open(pathname.replace('/app', '') + search, { isSignedIn: false })
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.waitForURL(/get-started/)
    await page.getByText('Waiting for your first trace').waitFor()
    await assertAccessible(page)

    // Without a trace, the root redirects here, too.
    await page.goto(`${screens.url}/app/`)
    await page.waitForURL(/get-started/)
    await page.getByText('Waiting for your first trace').waitFor()
    await page.getByRole('button', { name: 'Create an API key' }).click()
    await page.getByRole('button', { name: 'Copy key' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(secret, /^pl_/)

    const curl = await copySnippet(page, 'curl', 'In a terminal')
    assert.ok(curl.includes(secret) && curl.includes(screens.url))
    await run('sh', ['-c', curl], { timeout: 120_000 })
    const arrival = page.getByRole('region', { name: 'See it arrive' })
    await arrival.getByText('Your first trace is here').waitFor()
    await arrival.getByText('First trace,').waitFor()
    const first = await arrival.getByRole('link', { name: 'Open the trace' }).getAttribute('href')
    assert.match(first ?? '', /\/app\/traces\/[0-9a-f-]{36}/)
    await assertAccessible(page)

    await runFile('client.ts', await copySnippet(page, 'TypeScript', 'first-trace.ts'))
    await untilTraces(2, secret)
    await runFile(
      'spans.ts',
      await copySnippet(page, 'OpenTelemetry', 'JavaScript, over HTTP, configured in code'),
    )
    await untilTraces(3, secret)
    if (await hasPython()) {
      const code = await copySnippet(page, 'Python', 'first_trace.py')
      await run('python3', ['-c', code], { timeout: 120_000, env: pythonEnvironment })
      await untilTraces(4, secret)
    }

    const next = page.getByRole('region', { name: 'Next steps' })
    await next.getByRole('link', { name: 'Set an alert' }).waitFor()
    assert.equal(await next.getByRole('img', { name: 'Done' }).count(), 0)

    // The key is not stored: a reload loses it.
    await page.reload()
    await page.getByText('Waiting for the next trace').waitFor()
    assert.equal((await page.content()).includes(secret), false)
    await page.goto(`${screens.url}/app/`)
    await page.waitForURL(/\/app\/traces/)
  })

  it('adds sample data at the press of a button, and ticks off what is there', async () => {
    const page = await screens.open('/sign-in', { isSignedIn: false })
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/traces/)
    await page.goto(`${screens.url}/app/get-started`)
    const samples = page.getByRole('region', { name: 'Sample data' })
    await samples.getByRole('button', { name: 'Add sample data' }).click()
    await samples.getByText(/\d+ of \d+ traces/).waitFor()
    await samples.getByText('The sample data was added.').waitFor({ timeout: 120_000 })
    const next = page.getByRole('region', { name: 'Next steps' })
    await eventually(async () => assert.equal(await next.getByRole('img', { name: 'Done' }).count(), 3))
    await assertAccessible(page)
    await samples.getByRole('link', { name: 'See the traces' }).click()
    await page.waitForURL(/\/app\/traces/)
  })

  it('has a help with offline search', async () => {
    const page = await screens.open('/sign-in', { isSignedIn: false })
    await page.goto(`${screens.url}/help/`)
    await page.keyboard.press('/')
    await page.keyboard.type('mask')
    const results = page.getByRole('region', { name: 'Results' })
    await results
      .getByRole('link', { name: /^Masking/ })
      .first()
      .waitFor()
    await assertAccessible(page)
    await results
      .getByRole('link', { name: /^Masking/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Masking', level: 1 }).waitFor()
    await assertAccessible(page)
    // On a phone the list of pages is closed.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    const python = page.getByRole('link', { name: 'The client for Python' })
    await python.waitFor({ state: 'hidden' })
    await page.getByText('Pages', { exact: true }).click()
    await python.waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  })

  it('fits a small screen', async () => {
    const page = await screens.open('/sign-in', { isSignedIn: false, width: 390, height: 844 })
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/traces/)
    await page.goto(`${screens.url}/app/get-started?with=opentelemetry`)
    await page.getByRole('heading', { name: 'See it arrive' }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.getByText('OTEL_EXPORTER_OTLP_PROTOCOL=grpc').waitFor()
  })
})

const untilTraces = (count: number, secret: string): Promise<void> =>
  eventually(async () => {
    const { traces } = await createOperations({ baseUrl: screens.url, apiKey: secret }).traces.list({})
    assert.ok(traces.length >= count, `${traces.length} traces arrived, not ${count}.`)
  })

/** The client as it is here. Installing it is a test of the packages: scripts/packages.slow.test.ts. */
const pythonEnvironment = { ...hostEnvironment, PYTHONPATH: join(root, 'python') }

/** Nothing else here requires Python: if Python or the client's dependencies are missing, its snippet is not run. */
const hasPython = (): Promise<boolean> =>
  run('python3', ['-c', 'import plumbline'], { env: pythonEnvironment }).then(
    () => true,
    () => false,
  )
