import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

describe('everywhere', () => {
  it('warns about a browser that is too old', async () => {
    const page = await (await screens.signedIn()).newPage()
    await page.addInitScript(() => Object.assign(Promise, { withResolvers: undefined }))
    await page.goto(`${screens.url}/app/traces`)
    await page.getByText('This browser is too old for Plumbline').waitFor({ timeout: 20_000 })
  })

  it('the palette finds workspace contents, settings and commands', async () => {
    const answer = await fetch(`${screens.url}/datasets`, {
      headers: { authorization: `Bearer ${screens.key}` },
    })
    const { datasets } = (await answer.json()) as { datasets: readonly { slug: string; name: string }[] }
    const [dataset] = datasets
    assert.ok(dataset !== undefined)
    const page = await screens.open('/ledger')
    const find = async (words: string): Promise<void> => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: /palette/i }).fill(words)
    }
    await find(dataset.slug)
    await page.getByRole('option', { name: dataset.name, exact: true }).click()
    await page.waitForURL(new RegExp(`/datasets/${dataset.slug}`))
    await find('invite team')
    await page.getByRole('option', { name: 'Members', exact: true }).click()
    await page.waitForURL(/settings\/members/)
    await find('dark theme')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await find('refund late')
    await page.getByRole('option', { name: 'Traces with “refund late”' }).click()
    await page.waitForURL(/traces\?.*q=.*refund/)
    await find(' 01A1FD2C-0000-7000-8000-000000000000 ')
    await page.getByRole('option', { name: /^Open the trace 01A1/ }).click()
    await page.waitForURL(/traces\/01A1FD2C-0000-7000-8000-000000000000/)
  })

  it('on a phone and at 200 % of zoom a screen with a long comparison scrolls in its frame alone', async () => {
    for (const [width, height] of [
      [390, 844],
      [720, 450],
    ] as const) {
      for (const [path, content] of [
        ['/prompts/support-answer?view=changes&version=3.1.0', 'removed: '],
        ['/prompts/docs-rewrite?view=rollout', 'Verdict'],
      ] as const) {
        const page = await screens.open(path, { width, height })
        await page.getByText(content).first().waitFor({ state: 'attached' })
        const overflow = await page.evaluate(() => {
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
          return [scrollWidth - clientWidth, scrollHeight - clientHeight]
        })
        assert.deepEqual(overflow, [0, 0], `${path} at ${width} px`)
      }
    }
  })

  it('a dialog with a focused first field returns the focus to the button that opened it', async () => {
    for (const [path, name] of [
      ['/settings/keys', 'New API key'],
      ['/datasets', 'New dataset'],
    ] as const) {
      const page = await screens.open(path)
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.waitForFunction((label) => document.activeElement?.textContent === label, name)
    }
  })

  it('in forced colours, a switch and the current screen in the rail are still recognizable', async () => {
    const page = await screens.open('/settings/you', { isFirstVisit: true })
    await page.emulateMedia({ forcedColors: 'active' })
    const thumb = page.getByRole('switch', { name: 'Show times in UTC' }).locator('span')
    await thumb.waitFor()
    const colorOf = (element: Element): string => getComputedStyle(element).backgroundColor
    assert.notEqual(await thumb.evaluate(colorOf), await thumb.locator('..').evaluate(colorOf))
    const current = page.locator('[aria-current=page]').first()
    assert.equal(await current.evaluate((element) => getComputedStyle(element).outlineStyle), 'solid')
  })

  it('shortcuts keep their positions on a non-Latin keyboard', async () => {
    const page = await screens.open('/ledger')
    await page.evaluate(() => {
      const press = { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
      document.body.dispatchEvent(new KeyboardEvent('keydown', press))
    })
    await page.getByRole('combobox', { name: /palette/i }).waitFor()
  })

  it('a menu that loads between a press and its release still opens', async () => {
    const page = await screens.open('/settings/you', { isFirstVisit: true })
    const hold = Promise.withResolvers<void>()
    await page.route('**/assets/menu-list-*.js', async (route) => {
      await hold.promise
      await route.continue()
    })
    const loaded = page.waitForResponse(/menu-list-/)
    await page.getByRole('button', { name: /^Account and appearance/ }).hover()
    await page.mouse.down()
    hold.resolve()
    await (await loaded).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await page.mouse.up()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  })

  it('a combobox pressed before its list has loaded opens afterwards, with the typed text', async () => {
    const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
    const slug = 'found-by-typing'
    await client.datasets.create({ slug, name: 'Found by typing', columns: [{ name: 'q', type: 'text' }] })
    const page = await screens.open('/traces', { isFirstVisit: true })
    const hold = Promise.withResolvers<void>()
    await page.route('**/assets/combobox-list-*.js', async (route) => {
      await hold.promise
      await route.continue()
    })
    await page.getByRole('row').nth(1).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Add to dataset' }).click()
    const combobox = page.getByRole('dialog').getByRole('combobox', { name: 'Dataset' })
    // Its list may load before the click that follows.
    await combobox.dispatchEvent('mousedown')
    await page.keyboard.type('Found by ')
    hold.resolve()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type('typing')
    assert.equal(await combobox.inputValue(), 'Found by typing')
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 2)
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Add 1 row/ })
      .click()
    await page.getByText('Added 1 row to “Found by typing”').waitFor()
  })

  it('an unknown URL shows a message, and a way on', async () => {
    const page = await screens.open('/nowhere/at/all')
    await page.getByText('Page not found').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Go to Traces' }).click()
    await page.waitForURL(/\/app\/traces/)
  })

  it('without a network it shows a notice, and recovers by itself', async () => {
    const page = await screens.open('/ledger', { isFirstVisit: true })
    await page.getByRole('row').nth(1).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    await assertAccessible(page)
    assert.ok((await page.getByRole('row').count()) > 1)
    await page.context().setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem').first().waitFor()
  })

  it('while the service does not respond it keeps the frame and the rows, and reconnects', async () => {
    const page = await screens.open('/ledger', { isFirstVisit: true })
    await page.getByRole('row').nth(1).waitFor()
    // Unopened parts load while the browser is idle: the outage starts after that.
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).waitFor()
    await page.keyboard.press('Escape')
    const isDown = await page.context().newCDPSession(page)
    await isDown.send('Network.enable')
    await isDown.send('Network.setBlockedURLs', { urls: [`${screens.url}/*`] })
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await page.getByText('Reconnecting…').waitFor()
    assert.ok((await page.getByRole('row').count()) > 1)
    await assertAccessible(page)
    // Its code is not loaded yet.
    await page.getByRole('link', { name: 'Annotation' }).click()
    assert.ok((await page.getByRole('row').count()) > 1)
    await isDown.send('Network.setBlockedURLs', { urls: [] })
    await page.getByRole('heading', { level: 1, name: 'Annotation' }).waitFor()
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
  })

  it('a URL with values of the wrong type shows its screen', async () => {
    for (const path of ['/traces?q={}', '/traces?q=null&sort=[1]', '/ledger?range={}']) {
      const page = await screens.open(path)
      await page.getByRole('row').nth(1).waitFor()
    }
  })

  it('a browser without a valid locale draws charts', async () => {
    const page = await screens.open('/ledger', { isFirstVisit: true })
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })
    })
    await page.goto(`${screens.url}/app/traces?range=90d`)
    await page.getByRole('region', { name: 'Over time' }).locator('canvas').waitFor()
  })

  it('a missing resource offers no retry', async () => {
    for (const path of ['/traces/none', '/prompts/none', '/datasets/none']) {
      const page = await screens.open(path)
      await page.getByText('Not found').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    }
  })

  it('an icon button shows its name on hover and focus, until Esc', async () => {
    const page = await screens.open('/ledger')
    const button = page.getByRole('button', { name: 'Collapse the sidebar' })
    const tooltip = page.locator('[data-tooltip-popup]')
    await button.hover()
    await tooltip.getByText('Collapse the sidebar').waitFor()
    await tooltip.hover()
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).hover()
    await page.getByRole('button', { name: /^Workspace: / }).focus()
    await page.keyboard.press('Tab')
    await tooltip.getByText('Collapse the sidebar').waitFor()
    await page.keyboard.press('Tab')
    await tooltip.waitFor({ state: 'detached' })
  })

  it('fits a screen of 390 pixels', async () => {
    const page = await screens.open('/ledger', { width: 390, height: 844 })
    const paths = [
      '/ledger',
      '/evaluators',
      '/evaluators/new?kind=llm',
      '/get-started',
      '/settings/workspace',
      '/settings/members',
      '/settings/keys',
      '/settings/prices?model=gpt-4o',
      '/settings/you',
    ]
    for (const path of paths) {
      await page.goto(`${screens.url}/app${path}`)
      const title = page.getByRole('heading', { level: 1 })
      await title.waitFor()
      await page.waitForLoadState('networkidle')
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const content = document.querySelector('#content > div') ?? document.documentElement
        const { scrollWidth, clientWidth } = content
        return { scrollWidth, clientWidth }
      })
      assert.ok(scrollWidth <= clientWidth, `${path} is ${scrollWidth} px wide`)
      assert.ok(((await title.boundingBox())?.width ?? 0) > 100, `${path} has no room for its title`)
    }
  })

  it('lists of alerts, datasets and experiments fit a phone without scrolling sideways', async () => {
    const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
    await client.features.create({ slug: 'small-screens', name: 'Small screens of all kinds' })
    await client.experiments.create({
      featureSlug: 'small-screens',
      name: 'An experiment of a long name, for small screens',
    })
    await client.datasets.create({
      slug: 'small-screens',
      columns: [],
      name: 'A dataset of a long name, for small screens',
    })
    await client.alerts.create({
      name: 'An alert of a long name',
      measure: 'traces',
      windowMinutes: 60,
      condition: 'above',
      threshold: 1_000_000,
    })
    const page = await screens.open('/alerts', { width: 390, height: 844 })
    for (const [path, label, headers, detail] of [
      ['/alerts', 'Alerts', ['State', 'Name', 'Value'], 'Traces over 1 hour above 1,000,000'],
      ['/datasets', 'Datasets', ['Name', 'Rows', 'Created', 'Actions'], 'small-screens'],
      ['/experiments', 'Experiments', ['Name', 'Traces', 'Actions'], 'Small screens of all kinds'],
    ] as const) {
      await page.goto(`${screens.url}/app${path}`)
      const grid = page.getByRole('grid', { name: label })
      await grid.getByText(detail, { exact: true }).waitFor()
      assert.deepEqual(
        (await grid.getByRole('columnheader').allInnerTexts()).filter((header) => header.trim() !== ''),
        headers,
      )
      const [scrollWidth, clientWidth] = await grid.evaluate((each) => [each.scrollWidth, each.clientWidth])
      assert.ok(scrollWidth! <= clientWidth!, `${path} is ${scrollWidth} px wide of ${clientWidth}`)
      await assertAccessible(page)
    }
  })
})
