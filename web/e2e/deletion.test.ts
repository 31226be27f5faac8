/** Deletion of traces, erasure of a user, and retention, as people use them. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

// It deletes traces that other tests may count.
const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

async function recordTraces(name: string, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const logs = [{ id: 'a', type: 'span' as const, input: `${name} ${index}` }]
    ids.push((await client.monitor.trace({ name, logs, ...fields })).trace.id)
  }
  await screens.listed(name, count)
  return ids
}

const countRemaining = async (name: string): Promise<number> =>
  (await client.traces.list({ name })).traces.length

describe('traces', () => {
  it('that are selected are counted, and deleted after a confirmation', async () => {
    await recordTraces('selected', 3)
    const page = await screens.open('/traces?q=name:selected')
    const rows = page.getByRole('grid', { name: 'Traces' }).getByRole('row').filter({ hasText: 'selected' })
    await rows.nth(2).waitFor()
    for (const index of [0, 1]) await rows.nth(index).getByRole('checkbox').click()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete these 2 traces?' })
    await dialog.getByText('This deletes 2 traces with 2 logs and 0 scores').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await countRemaining('selected'), 3)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByText('This deletes 2 traces').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleting 2 traces').waitFor()
    await eventually(async () => assert.equal(await countRemaining('selected'), 1))
  })

  it('that match a filter are counted, and deleted after a confirmation; others stay', async () => {
    await recordTraces('matching', 4)
    await recordTraces('other', 1)
    const page = await screens.open('/traces')
    await page.getByRole('grid', { name: 'Traces' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete all that match' }).count(), 0)
    // A filter with an invalid part matches too much.
    await page.goto(`${screens.url}/app/traces?q=name:matching%20nmae:x`)
    await page.getByRole('grid', { name: 'Traces' }).getByRole('row').nth(1).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete all that match' }).count(), 0)
    await page.goto(`${screens.url}/app/traces?q=name:matching`)
    await page.getByRole('button', { name: 'Delete all that match' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete all traces that match?' })
    await dialog.getByText('This deletes 4 traces with 4 logs').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleting 4 traces').waitFor()
    await eventually(async () => assert.equal(await countRemaining('matching'), 0))
    assert.equal(await countRemaining('other'), 1)
  })
})

describe('erasure', () => {
  it('of a user is counted, confirmed by typing the id, and has a report to download', async () => {
    await recordTraces('of-erna', 2, { user: { id: 'erna', name: 'Erna' } })
    const page = await screens.open('/settings/erasure')
    await page.getByText('No erasures').waitFor()
    await page.getByLabel('User ID').fill('erna ')
    await page.getByRole('button', { name: 'Preview erasure' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase this user?' })
    await dialog.getByText('This deletes the following rows').waitFor()
    await assertAccessible(page)
    const confirm = dialog.getByRole('button', { name: 'Erase' })
    assert.ok(await confirm.isDisabled())
    await dialog.getByRole('textbox').fill('erna')
    await confirm.click()
    await page.getByText('Erasure started').waitFor()
    await eventually(async () => assert.equal(await countRemaining('of-erna'), 0))
    const report = page.getByRole('list', { name: 'Erasures' }).getByRole('listitem').first()
    await report.getByText('User, requested by').waitFor()
    await assertAccessible(page)

    const folder = mkdtempSync(join(tmpdir(), 'plumbline-report-'))
    try {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        report.getByRole('button', { name: 'Download report' }).click(),
      ])
      const path = join(folder, 'report.json')
      await download.saveAs(path)
      const text = readFileSync(path, 'utf8')
      const saved = JSON.parse(text) as { requestHash: string; deleted: Record<string, number> }
      assert.match(saved.requestHash, /^[0-9a-f]{64}$/)
      assert.ok(!text.includes('erna'), text)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('retention', () => {
  it('shows counts by age before it is saved, also by environment', async () => {
    await recordTraces('of-staging', 1, { environment: 'staging' })
    const page = await screens.open('/settings/workspace')
    await page.getByLabel('staging').fill('x')
    await page.getByText('Enter a whole number').waitFor()
    await page.getByLabel('staging').fill('7')
    await page.getByLabel('Finished evaluations').fill('3')
    await page.getByRole('button', { name: 'Save…' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Save these retention rules?' })
    await dialog.getByRole('row', { name: /^Expired/ }).waitFor()
    await dialog.getByRole('row', { name: /^365 days/ }).waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Retention saved').waitFor()
    const { environments, evaluationDays } = await client.retention.get()
    assert.deepEqual([environments, evaluationDays], [[{ environment: 'staging', days: 7 }], 3])
    await page.reload()
    assert.equal(await page.getByLabel('staging').inputValue(), '7')
  })

  it('fits a phone, as erasure does', async () => {
    for (const path of ['/settings/workspace', '/settings/erasure']) {
      const page = await screens.open(path, { width: 390, height: 844 })
      await page.getByRole('heading', { name: /^(?:Retention|Reports)$/ }).waitFor()
      await assertAccessible(page)
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      assert.equal(await page.evaluate(overflow), 0, path)
    }
  })
})
