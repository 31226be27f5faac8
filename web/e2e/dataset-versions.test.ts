import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
const columns = [{ name: 'question', type: 'text' as const }]

describe('versions of a dataset', () => {
  it('one is saved, compared with later rows, opened as it was, and restored', async () => {
    const slug = 'versioned'
    await client.datasets.create({ slug, name: 'Versioned', columns })
    await client.datasets.append({ slug, rows: [{ values: { question: 'Why?' } }] })
    const page = await screens.open(`/datasets/${slug}`)
    const versions = page.getByRole('dialog', { name: 'Versions' })
    const openVersions = async () => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Versions' }).click()
    }
    await openVersions()
    await versions.getByText('No versions yet').waitFor()
    await versions.getByLabel('Version note').fill('As agreed')
    await versions.getByRole('button', { name: 'Save version' }).click()
    await versions.getByText('As agreed').waitFor()
    await versions.getByRole('button', { name: 'Save version', disabled: true }).waitFor()
    await page.keyboard.press('Escape')

    const grid = page.getByRole('grid')
    await grid.getByRole('gridcell', { name: 'Why?' }).click()
    await page.keyboard.type('How?')
    await page.keyboard.press('Enter')
    await eventually(async () => {
      const { dataset } = await client.datasets.get({ slug })
      assert.equal(dataset.rows[0]?.values.question, 'How?')
    })
    await openVersions()
    await versions.getByRole('button', { name: 'Compare version 1 with the current rows' }).click()
    await versions.getByText('Changes since version 1').waitFor()
    await versions.getByRole('listitem').filter({ hasText: 'Changed' }).getByText('How?').waitFor()
    await assertAccessible(page)
    await versions.getByRole('button', { name: 'Versions' }).click()
    await versions.getByRole('button', { name: /Version 1.*As agreed/ }).click()

    await page.getByText('Version 1 is read-only.').waitFor()
    await grid.getByRole('gridcell', { name: 'Why?' }).waitFor()
    assert.equal(await grid.getAttribute('aria-readonly'), 'true')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored version 1').waitFor()
    await eventually(async () => {
      const { dataset } = await client.datasets.get({ slug })
      assert.equal(dataset.rows[0]?.values.question, 'Why?')
    })
    await grid.getByRole('gridcell', { name: 'Why?' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await grid.getByRole('gridcell', { name: 'How?' }).waitFor()
  })
})

describe('the schema of a column', () => {
  it('marks cells that do not match, and rejects values if configured', async () => {
    const slug = 'with-schema'
    await client.datasets.create({ slug, name: 'With schema', columns })
    await client.datasets.append({ slug, rows: [{ values: { question: 'Why?' } }] })
    const page = await screens.open(`/datasets/${slug}`)
    const grid = page.getByRole('grid')
    await grid.getByRole('gridcell', { name: 'Why?' }).waitFor()
    const openSchema = async () => {
      await page.getByRole('columnheader').getByRole('button', { name: 'question', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Schema' }).click()
    }
    const dialog = page.getByRole('dialog', { name: 'Schema of question' })
    const write = async (schema: string) => {
      await dialog.getByRole('textbox', { name: 'Schema' }).click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(schema)
    }
    await openSchema()
    await write('{"pattern": "a"}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/keyword "pattern"/).waitFor()
    await write('{"maxLength": 3}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const cell = grid.getByRole('gridcell', { name: 'Why?' })
    await eventually(async () => assert.equal(await cell.getAttribute('aria-invalid'), 'true'))
    assert.equal(await cell.getAttribute('title'), 'question must have at most 3 characters')
    await assertAccessible(page)
    await cell.click()
    await page.keyboard.type('Who')
    await page.keyboard.press('Enter')
    const mended = grid.getByRole('gridcell', { name: 'Who', exact: true })
    await eventually(async () => assert.equal(await mended.getAttribute('aria-invalid'), 'false'))

    await openSchema()
    await dialog.getByText('Reject values that do not match').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await mended.click()
    await page.keyboard.type('Whence')
    await page.keyboard.press('Enter')
    await page
      .getByText(/values\.question: must have at most 3 characters/)
      .first()
      .waitFor()
    const refusal = grid.getByRole('gridcell', { name: 'Whence', exact: true })
    assert.match((await refusal.getAttribute('title')) ?? '', /^Not saved: .*at most 3 characters/)
    await refusal.click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await mended.waitFor()
  })
})

describe('splits and labels of rows', () => {
  it('are edited in the grid, and filter its rows', async () => {
    const slug = 'split-up'
    await client.datasets.create({ slug, name: 'Split up', columns })
    await client.datasets.append({
      slug,
      rows: [
        { values: { question: 'One?' }, split: 'train' },
        { values: { question: 'Two?' }, split: 'test', labels: ['hard'] },
      ],
    })
    const page = await screens.open(`/datasets/${slug}`)
    const grid = page.getByRole('grid')
    await grid.getByRole('gridcell', { name: 'One?' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('long, hard')
    await page.keyboard.press('Enter')
    await grid.getByRole('gridcell', { name: 'hard, long' }).waitFor()
    await eventually(async () => {
      const { rows } = await client.datasets.rows({ slug, label: 'long' })
      assert.deepEqual(rows[0]?.labels, ['hard', 'long'])
    })
    await page.getByRole('combobox', { name: 'Split' }).click()
    await page.getByRole('option', { name: 'test' }).click()
    await grid.getByRole('gridcell', { name: 'One?' }).waitFor({ state: 'detached' })
    await grid.getByRole('gridcell', { name: 'Two?' }).waitFor()
    await assertAccessible(page)

    // A row typed while a split is shown belongs to it.
    await page.keyboard.press('Escape')
    await grid.focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    await page.keyboard.type('Three?')
    await page.keyboard.press('Enter')
    await eventually(async () => {
      const { rows } = await client.datasets.rows({ slug, split: 'test' })
      assert.deepEqual(
        rows.map(({ values }) => values.question),
        ['Two?', 'Three?'],
      )
    })
  })
})
