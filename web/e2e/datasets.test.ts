import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

const rowsOf = async (slug: string) => (await client.datasets.get({ slug })).dataset.rows

/** The rows of a dataset, once the page's changes are stored. */
const rowsOnce = (slug: string, hasAll: (rows: Awaited<ReturnType<typeof rowsOf>>) => boolean) =>
  eventually(async () => {
    const rows = await rowsOf(slug)
    assert.ok(hasAll(rows), JSON.stringify(rows))
    return rows
  })

/** Copies a text to the clipboard as a spreadsheet would. */
const toClipboard = (page: Page, text: string): Promise<void> =>
  page.evaluate((clip) => navigator.clipboard.writeText(clip), text)

const gridOf = (page: Page) => page.getByRole('grid')
const cell = (page: Page, row: number, column: number) =>
  gridOf(page).getByRole('row').nth(row).getByRole('gridcell').nth(column)

describe('datasets', () => {
  it('rows are searched in all columns: the grid, its count, select all and deletion cover only matches', async () => {
    const slug = 'searched-cases'
    await client.datasets.create({
      slug,
      name: 'Searched cases',
      columns: [
        { name: 'question', type: 'text' },
        { name: 'context', type: 'json' },
      ],
    })
    await client.datasets.append({
      slug,
      rows: [
        ...Array.from({ length: 300 }, (_, index) => ({
          values: { question: index % 100 === 7 ? `Où est la gare ${index}?` : 'Other' },
        })),
        { values: { question: 'Other', context: { city: 'GARE de Lyon' } } },
      ],
    })
    const page = await screens.open(`/datasets/${slug}`)
    const status = page.locator('footer')
    await status.getByText('301 rows').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search rows' })
    await search.fill('GARE')
    await status.getByText(/^4 rows/).waitFor()
    await page.waitForURL(/q=GARE/)
    assert.equal(await search.evaluate((box) => box === document.activeElement), true)
    await gridOf(page).getByText('Où est la gare 207?').waitFor()
    assert.equal(await gridOf(page).getByText('Other', { exact: true }).count(), 1)
    await assertAccessible(page)
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    await page.getByRole('button', { name: 'Delete 4 rows' }).click()
    await page.getByText('No rows match').waitFor()
    await search.fill('')
    await status.getByText('297 rows').waitFor()
    await rowsOnce(slug, ({ length }) => length === 297)
    await search.fill('no row has this')
    await page.getByText('No rows match').waitFor()
  })

  it('a dataset is created, a block is pasted into it, and it is edited by keyboard', async () => {
    const page = await screens.open('/datasets')
    await page.getByRole('button', { name: 'New dataset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Café questions')
    assert.equal(await dialog.getByLabel('Slug').inputValue(), 'cafe-questions')
    await dialog.getByLabel('Name of column 1').fill('question')
    await dialog.getByRole('button', { name: 'Add column' }).click()
    await dialog.getByLabel('Name of column 2').fill('context')
    await dialog.getByRole('combobox', { name: 'Type of column 2' }).click()
    await page.getByRole('option', { name: 'JSON' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/datasets\/cafe-questions/)

    await page.getByText('No rows yet').waitFor()
    await gridOf(page).focus()
    await toClipboard(page, 'Why?\t{"a":1}\tBecause.\r\n"Two\nlines"\t[2]\t\r\nWho?\t{oops\tMe')
    await page.keyboard.press('ControlOrMeta+v')
    const paste = page.getByRole('dialog', { name: 'Paste' })
    await paste.getByText('Pasting adds 3 rows.').waitFor()
    await paste.getByText(/Row 3.*context/).waitFor()
    await paste.getByRole('button', { name: 'Paste' }).click()
    await rowsOnce('cafe-questions', ({ length }) => length === 3)

    // Down to the second question: typing replaces, Tab goes on, F2 edits what is there, Esc leaves it.
    await gridOf(page).focus()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('How')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('many?')
    await page.keyboard.press('Tab')
    await page.keyboard.type('{{')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Not valid JSON/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.keyboard.type('Seven.')
    await page.keyboard.press('Enter')
    const rows = await rowsOnce('cafe-questions', ([, second]) => second?.idealOutput === 'Seven.')
    assert.deepEqual(rows, [
      { values: { question: 'Why?', context: { a: 1 } }, idealOutput: 'Because.' },
      { values: { question: 'How\nmany?', context: [2] }, idealOutput: 'Seven.' },
      { values: { question: 'Who?' }, idealOutput: 'Me' },
    ])

    // Copied cells are pasted unchanged; clearing is undone.
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ControlOrMeta+c')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Why?\t{"a":1}')
    await page.keyboard.press('Delete')
    await rowsOnce('cafe-questions', ([first]) => first?.values.question === '')
    await page.keyboard.press('ControlOrMeta+z')
    await rowsOnce('cafe-questions', ([first]) => first?.values.question === 'Why?')
    await assertAccessible(page)
  })

  it('a cell is edited with a character that needs Option on a Mac, or AltGr on Windows', async () => {
    await client.datasets.create({
      slug: 'composed',
      name: 'Composed',
      columns: [{ name: 'q', type: 'text' }],
    })
    await client.datasets.append({ slug: 'composed', rows: [{ values: { q: 'one' } }] })
    const page = await screens.open('/ledger', { isFirstVisit: true })
    await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
    const begin = async (
      init: Pick<KeyboardEventInit, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'modifierAltGraph'>,
    ): Promise<void> => {
      await page.goto(`${screens.url}/app/datasets/composed`)
      await cell(page, 1, 1).getByText('one').click()
      await page.getByRole('grid').evaluate((grid, event) => {
        grid.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true }))
      }, init)
      assert.equal(await page.getByRole('textbox', { name: 'Edit q' }).inputValue(), '@')
    }
    await begin({ key: '@', code: 'KeyL', altKey: true })
    await begin({ key: '@', code: 'KeyQ', altKey: true, ctrlKey: true, modifierAltGraph: true })
  })

  it('a cell is copied and pasted even if these events are dispatched on the body, as in Firefox without selected text', async () => {
    await client.datasets.create({ slug: 'of-body', name: 'Of body', columns: [{ name: 'q', type: 'text' }] })
    await client.datasets.append({
      slug: 'of-body',
      rows: [{ values: { q: 'one' } }, { values: { q: 'two' } }],
    })
    const page = await screens.open('/datasets/of-body')
    /** The resulting clipboard content of an event; `undefined` if no handler took it. */
    const fire = (type: 'copy' | 'cut' | 'paste', text: string) =>
      page.evaluate(
        ([name, clip]) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData('text/plain', clip)
          const event = new ClipboardEvent(name, { clipboardData, bubbles: true, cancelable: true })
          document.body.dispatchEvent(event)
          return event.defaultPrevented ? clipboardData.getData('text/plain') : undefined
        },
        [type, text] as const,
      )
    await cell(page, 1, 1).getByText('one').click()
    assert.equal(await fire('copy', ''), 'one')
    assert.equal(await fire('paste', 'three'), 'three')
    await rowsOnce('of-body', ([first]) => first?.values.q === 'three')
    await cell(page, 2, 1).getByText('two').click()
    assert.equal(await fire('cut', ''), 'two')
    await rowsOnce('of-body', ([, second]) => second?.values.q === '')
    // Elements focused elsewhere keep their own clipboard handling.
    await page.getByRole('button', { name: 'More actions' }).focus()
    assert.equal(await fire('copy', ''), undefined)
  })

  it('rows are deleted and restored, and columns are removed and restored with their values', async () => {
    await client.datasets.create({ slug: 'kept', name: 'Kept', columns: [{ name: 'q', type: 'text' }] })
    await client.datasets.append({ slug: 'kept', rows: [{ values: { q: 'one' } }, { values: { q: 'two' } }] })
    const page = await screens.open('/datasets/kept')
    await page.getByRole('checkbox', { name: 'Select row 1' }).click()
    await page.getByRole('button', { name: 'Delete 1 row' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 rows', { exact: true }).waitFor()
    assert.equal(await cell(page, 1, 1).innerText(), 'one')

    const columnNamed = (name: string) =>
      page.getByRole('columnheader').getByRole('button', { name, exact: true })
    await columnNamed('q').click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('asked')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await columnNamed('asked').waitFor()
    await cell(page, 2, 1).getByText('two').waitFor()
    assert.deepEqual((await rowsOf('kept'))[0], { values: { asked: 'one' } })

    await columnNamed('asked').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Removed the column "asked"').waitFor()
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await page.getByLabel('Name', { exact: true }).fill('asked')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await cell(page, 2, 1).getByText('two').waitFor()
  })

  it('a column is added beside one that another user added meanwhile, also by an import', async () => {
    const q = { name: 'q', type: 'text' as const }
    await client.datasets.create({ slug: 'columned', name: 'Columned', columns: [q] })
    const page = await screens.open('/datasets/columned')
    await page.getByRole('columnheader').getByRole('button', { name: 'q', exact: true }).waitFor()
    await client.datasets.update({ slug: 'columned', columns: [q, { name: 'theirs', type: 'json' }] })
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await page.getByLabel('Name', { exact: true }).fill('mine')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('columnheader').getByRole('button', { name: 'mine', exact: true }).waitFor()
    const columnsNow = async () =>
      (await client.datasets.get({ slug: 'columned' })).dataset.columns.map(({ name }) => name)
    assert.deepEqual(await columnsNow(), ['q', 'theirs', 'mine'])

    await page.getByRole('button', { name: 'Import' }).first().click()
    await page.getByLabel('File to import').setInputFiles({
      name: 'more.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('answer text\nyes\n'),
    })
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
    const columns = ['q', 'theirs', 'mine', 'late'].map((name) => ({ name, type: 'text' as const }))
    await client.datasets.update({ slug: 'columned', columns })
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Imported 1 row').waitFor()
    assert.deepEqual(await columnsNow(), ['q', 'theirs', 'mine', 'late', 'answer text'])
  })

  it('a row selected before it has loaded is selected afterwards', async () => {
    await client.datasets.create({ slug: 'slow', name: 'Slow', columns: [{ name: 'q', type: 'text' }] })
    await client.datasets.append({ slug: 'slow', rows: [{ values: { q: 'one' } }] })
    const page = await screens.open('/datasets')
    const { promise: isPressed, resolve: press } = Promise.withResolvers<void>()
    await page.route('**/datasets/slow/items?*', async (route) => {
      await isPressed
      await route.continue()
    })
    await page.getByRole('link', { name: 'Slow' }).click()
    await page.getByRole('checkbox', { name: 'Select row 1' }).click()
    assert.equal(await page.getByRole('button', { name: 'Delete 1 row' }).count(), 0)
    press()
    await page.getByRole('button', { name: 'Delete 1 row' }).waitFor()
  })

  it('a file is mapped, its bad row reported before anything is written, and the export equals it', async () => {
    await client.datasets.create({
      slug: 'imported',
      name: 'Imported',
      columns: [
        { name: 'question', type: 'text' },
        { name: 'context', type: 'json' },
      ],
    })
    const page = await screens.open('/datasets/imported')
    await page.getByRole('button', { name: 'Import' }).first().click()
    const csv =
      'Question,context,answer,source\r\n"Why, oh why?","{""a"":1}",So.,web\r\nBad,{,x,web\r\n=1+1,[],"",\r\n'
    await page
      .getByLabel('File to import')
      .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const dialog = page.getByRole('dialog', { name: 'Import cases.csv' })
    await dialog.getByText(/Row 2.*"context" is not valid JSON/).waitFor()
    await dialog.getByRole('combobox', { name: 'source becomes' }).click()
    await page.getByRole('option', { name: 'Metadata' }).click()
    await assertAccessible(page)
    const go = dialog.getByRole('button', { name: 'Import 2 rows' })
    assert.equal(await go.isDisabled(), true)
    assert.deepEqual(await rowsOf('imported'), [])
    await dialog.getByRole('checkbox', { name: 'Skip this row' }).click()
    await go.click()
    await page.getByText('Imported 2 rows').waitFor()
    assert.deepEqual(await rowsOf('imported'), [
      {
        values: { question: 'Why, oh why?', context: { a: 1 } },
        idealOutput: 'So.',
        metadata: { source: 'web' },
      },
      { values: { question: '=1+1', context: [] }, idealOutput: '' },
    ])

    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JSON lines' }).click(),
    ])
    const lines = (await (await download.createReadStream()).toArray()).join('').trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      await rowsOf('imported'),
    )
  })

  it('an import whose response is lost continues without a row twice', async () => {
    await client.datasets.create({ slug: 'lost', name: 'Lost', columns: [{ name: 'n', type: 'text' }] })
    const page = await screens.open('/datasets/lost')
    await page.getByRole('button', { name: 'Import' }).first().click()
    const csv = ['n', ...Array.from({ length: 600 }, (_, index) => `row ${index}`)].join('\n')
    await page
      .getByLabel('File to import')
      .setInputFiles({ name: 'lost.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const dialog = page.getByRole('dialog', { name: 'Import lost.csv' })
    await page.route('**/datasets/lost/items/bulk', async (route) => {
      const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' }
      const response = await route.fetch({ headers })
      assert.equal(response.status(), 201, await response.text())
      await route.abort('connectionreset')
    })
    await dialog.getByRole('button', { name: 'Import 600 rows' }).click()
    await dialog.getByText(/^The import stopped: /).waitFor()
    assert.equal((await rowsOf('lost')).length, 500)
    await page.unroute('**/datasets/lost/items/bulk')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Imported 600 rows').waitFor()
    assert.deepEqual(
      (await rowsOf('lost')).map(({ values }) => values.n),
      Array.from({ length: 600 }, (_, index) => `row ${index}`),
    )
  })

  it('copies every selected row, or reports that not all are loaded, and runs on no others', async () => {
    await client.datasets.create({ slug: 'copied', name: 'Copied', columns: [{ name: 'n', type: 'text' }] })
    const rows = Array.from({ length: 1000 }, (_, index) => ({ values: { n: `row ${index + 1}` } }))
    await client.datasets.append({ slug: 'copied', rows })
    const page = await screens.open('/datasets/copied')
    await cell(page, 1, 1).getByText('row 1', { exact: true }).waitFor()
    await page.evaluate(() => navigator.clipboard.writeText('of before'))
    await gridOf(page).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await eventually(async () => {
      await page.keyboard.press('ControlOrMeta+c')
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
      assert.ok(lines.length === 1000 || lines[0] === 'of before', `${lines.length} rows were copied`)
      assert.equal(lines.length, 1000)
    })

    // Runs cost money: never more rows than are selected.
    const box = (row: number) => page.getByRole('checkbox', { name: `Select row ${row}`, exact: true })
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    await box(1).click()
    const runExperiment = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Run experiment' }).click()
    }
    await runExperiment()
    await page.getByText('An experiment runs on up to 100 selected rows').first().waitFor()
    await box(1).click()
    await runExperiment()
    await page.waitForURL(/experiments\/run\?dataset=copied$/)
  })

  it('scrolls to the end of 5,000 rows, opens one, and keeps it in the URL', async () => {
    await client.datasets.create({ slug: 'many', name: 'Many', columns: [{ name: 'n', type: 'text' }] })
    for (let from = 0; from < 5000; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({ values: { n: `row ${from + index + 1}` } }))
      await client.datasets.append({ slug: 'many', rows })
    }
    const page = await screens.open('/datasets/many')
    await cell(page, 1, 1).getByText('row 1', { exact: true }).waitFor()
    await gridOf(page).focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.press('ArrowUp')
    await page.getByRole('gridcell', { name: 'row 5000', exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    const panel = page.getByRole('complementary', { name: 'Row', exact: true })
    await panel.getByRole('heading', { name: 'Row 5000' }).waitFor()
    assert.match(page.url(), /row=/)
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  it('is renamed, and deleted only by typing its slug', async () => {
    await client.datasets.create({ slug: 'gone', name: 'Going', columns: [] })
    const page = await screens.open('/datasets')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Actions for Going' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Gone')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: 'Actions for Gone' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    assert.equal(await question.getByRole('button', { name: 'Delete' }).isDisabled(), true)
    await question.getByLabel(/Type/).fill('gone')
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted "Gone"').waitFor()
    const { datasets } = await client.datasets.list()
    assert.equal(
      datasets.some(({ slug }) => slug === 'gone'),
      false,
    )
  })
})
