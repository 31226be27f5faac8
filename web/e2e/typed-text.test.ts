/** Input survives a failed save and the end of the session. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { owner } from './support/start-service.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

/** Signs in with the form that appears after a request without a session. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Presses a button once the session has ended, which a poll may notice first. */
async function pressSignedOut(page: Page, button: Locator): Promise<void> {
  await page.context().clearCookies()
  const press = button.click({ timeout: 10_000 }).catch(() => undefined)
  await page.waitForURL(/sign-in/)
  await press
}

const cell = (page: Page, row: number, column: number) =>
  page.getByRole('grid').getByRole('row').nth(row).getByRole('gridcell').nth(column)

async function openRows(slug: string): Promise<Page> {
  await client.datasets.create({ slug, name: slug, columns: [{ name: 'q', type: 'text' }] })
  await client.datasets.append({ slug, rows: [{ values: { q: 'one' } }, { values: { q: 'two' } }] })
  const page = await screens.open(`/datasets/${slug}`)
  await cell(page, 1, 1).getByText('one').waitFor()
  return page
}

const valuesOf = async (slug: string) =>
  (await client.datasets.get({ slug })).dataset.rows.map(({ values }) => values.q)

describe('a cell that could not be saved', () => {
  it('shows the text and the reason, is saved by another Enter, and discarded by Escape', async () => {
    const page = await openRows('unsaved')
    const writes = /\/datasets\/unsaved\/items(?:\/bulk|\/[^?/]+)?$/
    await page.route(writes, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort('connectionrefused'),
    )
    await cell(page, 1, 1).click()
    await page.keyboard.type('first')
    await page.keyboard.press('Enter')
    await cell(page, 1, 1).and(page.locator('[aria-invalid="true"]')).getByText('first').waitFor()
    assert.match((await cell(page, 1, 1).getAttribute('title')) ?? '', /^Not saved: /)
    await cell(page, 3, 1).click()
    await page.keyboard.type('third')
    await page.keyboard.press('Enter')
    await cell(page, 3, 1).and(page.locator('[aria-invalid="true"]')).getByText('third').waitFor()
    await cell(page, 2, 1).click()
    await page.keyboard.type('second')
    await page.keyboard.press('Enter')
    await page.getByText('3 cells are not saved').waitFor()
    assert.deepEqual(await valuesOf('unsaved'), ['one', 'two'])
    await page.reload()
    await cell(page, 3, 1).getByText('third').waitFor()
    // A row cannot be edited until it is loaded.
    await cell(page, 1, 1).getByText('first').waitFor()

    await page.unroute(writes)
    await cell(page, 1, 1).click()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Press Enter to save it, or Esc to discard it.').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByText('2 cells are not saved').waitFor()
    await cell(page, 2, 1).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await cell(page, 2, 1).getByText('two').waitFor()
    await cell(page, 3, 1).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
    await eventually(async () => assert.deepEqual(await valuesOf('unsaved'), ['first', 'two', 'third']))
  })

  it('keeps concurrent changes to other cells of its row', async () => {
    const page = await openRows('beside')
    let release: () => void = assert.fail
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const writes = /\/datasets\/beside\/items\/[^?/]+$/
    await page.route(writes, async (route) => {
      if (route.request().postDataJSON().values === undefined) return route.fallback()
      await released
      await route.abort('connectionrefused')
    })
    await cell(page, 1, 1).click()
    await page.keyboard.type('first')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Its ideal')
    await Promise.all([page.waitForResponse(writes), page.keyboard.press('Enter')])
    release()
    await cell(page, 1, 1).and(page.locator('[aria-invalid="true"]')).getByText('first').waitFor()
    await cell(page, 1, 2).getByText('Its ideal').waitFor()
    await page.unroute(writes)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
    const { rows } = (await client.datasets.get({ slug: 'beside' })).dataset
    assert.deepEqual([rows[0]?.values.q, rows[0]?.idealOutput], ['first', 'Its ideal'])
  })

  it('is saved with all others by a button, and discarded if its row is gone', async () => {
    const page = await openRows('again')
    const writes = /\/datasets\/again\/items(?:\/bulk|\/[^?/]+)?$/
    await page.route(writes, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort('connectionrefused'),
    )
    for (const [row, text] of [
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ] as const) {
      await cell(page, row, 1).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.getByText(row === 1 ? '1 cell is not saved' : `${row} cells are not saved`).waitFor()
    }
    await page.unroute(writes)
    const [firstRow] = (await client.datasets.rows({ slug: 'again' })).rows
    await client.datasets.discard({ slug: 'again', ids: [firstRow?.id ?? ''] })
    await page.reload()
    await page.getByText('3 cells are not saved').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText('1 cell is not saved').waitFor()
    await page.getByText('Not found', { exact: true }).first().waitFor()
    assert.deepEqual(await valuesOf('again'), ['second', 'third'])
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText(/not saved$/).waitFor({ state: 'detached' })
  })

  it('keeps its text in a conflict, until either value is chosen', async () => {
    const page = await openRows('contested')
    const [firstRow] = (await client.datasets.rows({ slug: 'contested' })).rows
    const id = firstRow?.id ?? ''
    const writeTheirs = (q: string) => client.datasets.change({ slug: 'contested', id, values: { q } })
    await writeTheirs('theirs')
    await cell(page, 1, 1).click()
    await page.keyboard.type('mine')
    await page.keyboard.press('Enter')
    const contested = cell(page, 1, 1).and(page.locator('[aria-invalid="true"]'))
    await contested.getByText('mine').waitFor()
    await page.getByText('Overwrite', { exact: true }).waitFor()
    assert.match(
      (await contested.getAttribute('title')) ?? '',
      /^Not saved: Someone else has changed this cell/,
    )
    await cell(page, 1, 1).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await cell(page, 1, 1).getByText('theirs').waitFor()
    await writeTheirs('theirs again')
    await cell(page, 1, 1).click()
    await page.keyboard.type('mine')
    await page.keyboard.press('Enter')
    await contested.getByText('mine').waitFor()
    await cell(page, 1, 1).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await eventually(async () => assert.deepEqual(await valuesOf('contested'), ['mine', 'two']))
  })

  it('survives a reload during saving, unless it was already stored', async () => {
    const page = await openRows('reloaded')
    const writes = /\/datasets\/reloaded\/items\/[^?/]+$/
    const isReached = new Set<string>()
    let isStored = false
    await page.route(writes, async (route) => {
      if (isStored) await route.fetch()
      isReached.add(route.request().postDataJSON().values.q)
    })
    const type = async (text: string): Promise<void> => {
      await cell(page, 1, 1).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await eventually(async () => assert.ok(isReached.has(text)))
      await page.reload()
    }
    await type('first')
    await cell(page, 1, 1).and(page.locator('[aria-invalid="true"]')).getByText('first').waitFor()
    isStored = true
    await page.getByRole('button', { name: 'Save again' }).click()
    await eventually(async () => assert.deepEqual(await valuesOf('reloaded'), ['first', 'two']))
    await page.reload()
    await cell(page, 1, 1).getByText('first').waitFor()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
    await type('second')
    await cell(page, 1, 1).and(page.locator('[aria-invalid="false"]')).getByText('second').waitFor()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
  })

  it('has the latest text if it was changed again before it was saved', async () => {
    const page = await openRows('twice')
    const type = async (text: string): Promise<void> => {
      await cell(page, 1, 1).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    let release: () => void = assert.fail
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isFailing = false
    await page.route(/\/datasets\/twice\/items\/[^?/]+$/, async (route) => {
      if (!/^(first|third)$/.test(route.request().postDataJSON().values.q)) return route.fallback()
      await released
      return isFailing ? route.abort('connectionrefused') : route.fallback()
    })
    await type('first')
    await page.getByText('Saving…').waitFor()
    await type('second')
    release()
    await eventually(async () => assert.deepEqual(await valuesOf('twice'), ['second', 'two']))
    isFailing = true
    await type('third')
    await type('fourth')
    await eventually(async () => assert.deepEqual(await valuesOf('twice'), ['fourth', 'two']))
    await cell(page, 1, 1).and(page.locator('[aria-invalid="false"]')).getByText('fourth').waitFor()
    await page.getByText('Saving…').waitFor({ state: 'detached' })
    assert.equal(await page.getByText(/not saved|Somebody else/).count(), 0)
  })

  it('survives a new sign-in', async () => {
    const page = await openRows('signed-out')
    await cell(page, 1, 1).click()
    await page.keyboard.type('first')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sign-in/)
    await signInAgain(page)
    await cell(page, 1, 1).and(page.locator('[aria-invalid="true"]')).getByText('first').waitFor()
    await cell(page, 1, 1).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await eventually(async () => assert.deepEqual(await valuesOf('signed-out'), ['first', 'two']))
  })
})

describe('an import', () => {
  it('resumes after a new sign-in', async () => {
    const slug = 'import-signed-out'
    const page = await openRows(slug)
    await page.getByRole('button', { name: 'Import' }).first().click()
    const lines = Array.from({ length: 700 }, (_, index) => `case ${index}`)
    await page.getByLabel('File to import').setInputFiles({
      name: 'cases.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`q\n${lines.join('\n')}\n`),
    })
    const dialog = page.getByRole('dialog', { name: 'Import cases.csv' })
    let parts = 0
    await page.route(`**/datasets/${slug}/items/bulk`, async (route) => {
      parts += 1
      if (parts !== 2) return route.continue()
      await page.context().clearCookies()
      await route.fulfill({ status: 401, json: { error: 'The session has ended.' } })
    })
    await dialog.getByRole('button', { name: 'Import 700 rows' }).click()
    await page.waitForURL(/sign-in/)
    await signInAgain(page)
    await dialog.getByText('500 of 700 rows').waitFor()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Imported 700 rows').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await valuesOf(slug), ['one', 'two', ...lines])
  })
})

describe('two new rows', () => {
  it('are both kept if neither could be saved, and are saved in order', async () => {
    const page = await openRows('two-new')
    let release: () => void = assert.fail
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const writes = '**/datasets/two-new/items/bulk'
    await page.route(writes, async (route) => {
      await released
      await route.abort('connectionrefused')
    })
    for (const text of ['three', 'four']) {
      await cell(page, 3, 1).click()
      const request = page.waitForRequest(writes)
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await request
    }
    release()
    await page.getByText('2 cells are not saved').waitFor()
    await page.reload()
    await page.getByText('2 cells are not saved').waitFor()
    await cell(page, 3, 1).getByText('three').waitFor()
    await page.unroute(writes)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
    // The second row is still being saved.
    await eventually(async () => assert.deepEqual(await valuesOf('two-new'), ['one', 'two', 'three', 'four']))
  })
})

describe('a row whose response is lost', () => {
  /** The service stores it, but the response is lost. */
  const loseFirstResponse = async (page: Page, slug: string): Promise<void> => {
    await page.route(
      `**/datasets/${slug}/items/bulk`,
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
  }

  it('is added once if it was typed below the last one and is saved again, or the page is reloaded', async () => {
    const page = await openRows('lost-typed')
    await loseFirstResponse(page, 'lost-typed')
    await cell(page, 3, 1).click()
    await page.keyboard.type('three')
    await page.keyboard.press('Enter')
    await page.getByText('1 cell is not saved').waitFor()
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
    assert.deepEqual(await valuesOf('lost-typed'), ['one', 'two', 'three'])
    await page.getByText('3 rows', { exact: true }).waitFor()
    await loseFirstResponse(page, 'lost-typed')
    await cell(page, 4, 1).click()
    await page.keyboard.type('four')
    await page.keyboard.press('Enter')
    await page.getByText('1 cell is not saved').waitFor()
    await page.reload()
    await cell(page, 4, 1).getByText('four').waitFor()
    await page.getByText(/not saved/).waitFor({ state: 'detached' })
  })

  it('is added once if it was pasted and is pasted again', async () => {
    const page = await openRows('lost-pasted')
    await loseFirstResponse(page, 'lost-pasted')
    await cell(page, 3, 1).click()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'three\nfour')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })
    const dialog = page.getByRole('dialog', { name: 'Paste' })
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/^Not added: /)
      .waitFor()
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await page.getByText('Added 2 rows').waitFor()
    assert.deepEqual(await valuesOf('lost-pasted'), ['one', 'two', 'three', 'four'])
  })
})

describe('after signing in again', () => {
  it('pasted rows can still be added, and are added once', async () => {
    const page = await openRows('pasted')
    await cell(page, 3, 1).click()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'three\nfour')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })
    const dialog = page.getByRole('dialog', { name: 'Paste' })
    await page.route('**/datasets/pasted/items/bulk', (route) => route.abort('connectionrefused'))
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/^Not added: /)
      .waitFor()
    assert.equal(await page.getByText(/^Added/).count(), 0)
    await page.unroute('**/datasets/pasted/items/bulk')
    await pressSignedOut(page, dialog.getByRole('button', { name: 'Paste' }))
    await signInAgain(page)
    await dialog.getByText('Pasting adds 2 rows.').waitFor()
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await page.getByText('Added 2 rows').waitFor()
    assert.deepEqual(await valuesOf('pasted'), ['one', 'two', 'three', 'four'])
    await page.reload()
    await cell(page, 4, 1).getByText('four').waitFor()
    assert.equal(await dialog.count(), 0)
  })

  it('a comment is restored, and its error was shown beside it', async () => {
    const {
      trace: { id },
    } = await client.monitor.trace({ name: 'typed on', input: 'x' })
    const page = await screens.open(`/traces/${id}`)
    const dialog = page.getByRole('dialog', { name: 'Comments' })
    const text = dialog.getByRole('textbox', { name: 'New comment' })
    await page.getByRole('button', { name: 'Comments' }).click()
    await text.fill('Please look')
    await page.route('**/comments', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionrefused') : route.fallback(),
    )
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog
      .getByRole('alert')
      .getByText(/^Not saved: /)
      .waitFor()
    assert.equal(await text.inputValue(), 'Please look')
    await page.unroute('**/comments')
    await pressSignedOut(page, dialog.getByRole('button', { name: 'Comment', exact: true }))
    await signInAgain(page)
    await page.getByRole('button', { name: 'Comments' }).click()
    assert.equal(await text.inputValue(), 'Please look')
    await page.route('**/comments', async (route) => {
      if (route.request().method() === 'POST') await dialog.locator('textarea[readonly]').waitFor()
      await route.fallback()
    })
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog.getByRole('list', { name: 'Comments' }).getByText('Please look').waitFor()
    await eventually(async () => assert.equal(await text.inputValue(), ''))
  })

  it("an annotator's answers and the queue forms are restored", async () => {
    await client.evaluators.create({ slug: 'typed-safe', name: 'Is it safe?', kind: 'human', config: {} })
    const { trace } = await client.monitor.trace({ name: 'judged', input: 'x' })
    const page = await screens.open('/annotation')
    const dialog = page.getByRole('dialog', { name: 'New annotation queue' })
    await page.getByRole('button', { name: 'New queue' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Typed')
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Read all of it.')
    await dialog.getByText('Is it safe?').click()
    await pressSignedOut(page, dialog.getByRole('button', { name: 'Create' }))
    await signInAgain(page)
    await page.getByRole('button', { name: 'New queue' }).click()
    await dialog.getByText('This is your unsaved draft.').waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Instructions' }).inputValue(), 'Read all of it.')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/annotation\/[^/]+$/)
    const id = page.url().split('/').at(-1) ?? ''
    await client.annotationQueues.add({ id, items: [{ traceId: trace.id }] })

    await page.goto(`${screens.url}/app/annotation/${id}?tab=settings`)
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Read it twice.')
    await pressSignedOut(page, page.getByRole('button', { name: 'Save' }))
    await signInAgain(page)
    await page.getByText('This is your unsaved draft.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Instructions' }).inputValue(), 'Read it twice.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()

    await page.goto(`${screens.url}/app/annotation/${id}/annotate`)
    const scores = page.getByRole('form', { name: 'Your scores' })
    await scores.getByRole('button', { name: /^Yes/ }).click()
    await scores.getByRole('textbox', { name: 'Comment' }).fill('Nothing private.')
    await pressSignedOut(page, scores.getByRole('button', { name: 'Submit' }))
    await signInAgain(page)
    await scores.waitFor()
    assert.equal(await scores.getByRole('textbox', { name: 'Comment' }).inputValue(), 'Nothing private.')
    await scores.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('You’re all done').waitFor()
    await eventually(async () =>
      assert.deepEqual(
        (await client.traces.get({ id: trace.id })).trace.scores.map(({ value, comment }) => [
          value,
          comment,
        ]),
        [[true, 'Nothing private.']],
      ),
    )
    assert.deepEqual(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('annotation.'))),
      [],
    )
  })

  it('the run form is restored, except for its secrets', async () => {
    await client.features.create({ slug: 'of-a-run', name: 'Of a run' })
    await client.datasets.create({ slug: 'to-run', name: 'to-run', columns: [{ name: 'q', type: 'text' }] })
    const page = await screens.open('/experiments/run?dataset=to-run')
    await page.getByRole('radio', { name: 'An endpoint' }).click()
    await page.getByLabel('URL').fill('https://example.com/answer')
    await page.getByLabel('Headers').fill('Authorization: Bearer confidential')
    await page.getByRole('combobox', { name: 'Feature' }).click()
    await page.getByRole('option', { name: 'Of a run' }).click()
    await pressSignedOut(page, page.getByRole('button', { name: 'Run experiment' }))
    const storage = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    assert.match(storage, /example\.com\/answer/)
    assert.doesNotMatch(storage, /confidential/)
    await signInAgain(page)
    await page.getByText('This is your unsaved draft.').waitFor()
    assert.equal(await page.getByLabel('URL').inputValue(), 'https://example.com/answer')
    assert.equal(await page.getByLabel('Headers').inputValue(), '')
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByText('This is your unsaved draft.').waitFor({ state: 'detached' })
  })

  it('the alert form is restored, until it is discarded', async () => {
    const page = await screens.open('/alerts/new')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Anything fails')
    await page.getByLabel('Minimum samples').fill('3')
    await pressSignedOut(page, page.getByRole('button', { name: 'Create' }))
    await signInAgain(page)
    await page.getByText('This is your unsaved draft.').waitFor()
    assert.equal(await name.inputValue(), 'Anything fails')
    assert.equal(await page.getByLabel('Minimum samples').inputValue(), '3')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(/alerts(?!\/new)/)
    await page.goto(`${screens.url}/app/alerts/new`)
    await name.waitFor()
    assert.equal(await name.inputValue(), '')
    await name.fill('Kept until saved')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/alerts\/(?!new)/)
    await page.goto(`${screens.url}/app/alerts/new`)
    await name.waitFor()
    assert.equal(await name.inputValue(), '')
  })
})
