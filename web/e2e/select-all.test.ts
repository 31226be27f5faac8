/** Actions on all matches, not only on the loaded rows. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
const count = 150

/** Traces that only this test has, once the list has them. */
async function record(suite: string): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.monitor.trace({ name: 'bulk', input: `question ${index}`, metadata: { suite } }),
    ),
  )
  await client.monitor.trace({ name: 'other' })
  await eventually(async () => assert.equal((await tracesOf(suite)).length, count))
}

const tracesOf = async (suite: string) =>
  (await client.traces.list({ limit: 1000, ...{ 'metadata.suite': suite } })).traces

/** Opens the list of such traces, and selects all of them. */
async function selectAll(page: Page) {
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('100 selected').waitFor()
  await bar.getByRole('button', { name: `Select all ${count} that match` }).click()
  await bar.getByText(`All ${count} that match selected`).waitFor()
  return bar
}

const openList = (suite: string) =>
  screens.open(`/traces?q=${encodeURIComponent(`metadata.suite:"${suite}"`)}`)

/** Selects the lowest visible row by keyboard, which stays visible above the bar, and deselects it. */
async function selectLowestRow(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Traces' })
  await grid.focus()
  while ((await grid.evaluate(({ scrollTop }) => scrollTop)) === 0) await page.keyboard.press('j')
  await page.keyboard.press('x')
  const bar = page.getByRole('region', { name: 'Selection' })
  const boxes = [await bar.boundingBox(), await page.getByRole('row', { selected: true }).boundingBox()]
  const [top, bottom] = [boxes[0]?.y ?? 0, (boxes[1]?.y ?? 0) + (boxes[1]?.height ?? 0)]
  assert.ok(bottom > 0 && bottom <= top, `the row ends at ${bottom}, the bar begins at ${top}`)
  await page.keyboard.press('x')
  await bar.waitFor({ state: 'detached' })
}

describe('traces', () => {
  it('all matches are added to a dataset and to a queue, exported, and deleted, and the others stay', async () => {
    const suite = 'all of them'
    await record(suite)
    await client.datasets.create({ slug: 'bulk', name: 'Bulk', columns: [{ name: 'input', type: 'text' }] })
    const { evaluator } = await client.evaluators.create({
      slug: 'bulk',
      name: 'Bulk',
      kind: 'human',
      config: {},
    })
    const { queue } = await client.annotationQueues.create({
      name: 'Bulk queue',
      evaluatorSlugs: [evaluator.slug],
    })
    const page = await openList(suite)
    await selectLowestRow(page)
    const bar = await selectAll(page)
    await assertAccessible(page)

    await bar.getByRole('button', { name: 'Add to dataset' }).click()
    const addDialog = page.getByRole('dialog', { name: 'Add to dataset' })
    await addDialog.getByRole('combobox', { name: 'Dataset' }).click()
    await page.getByRole('option', { name: /^Bulk/ }).click()
    await addDialog.getByRole('button', { name: `Add ${count} rows` }).click()
    await page.getByText(`Added ${count} rows to “Bulk”`).waitFor()
    const { rows } = await client.datasets.rows({ slug: 'bulk', limit: 1000 })
    assert.equal(new Set(rows.map(({ values }) => values.input)).size, count)

    await bar.getByRole('button', { name: 'Annotate' }).click()
    await page.getByText('Reviewers score the latest matching traces there, up to 10,000').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`Added ${count} items`).waitFor()
    assert.equal((await client.annotationQueues.get({ id: queue.id })).queue.progress.items, count)

    const download = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Export all that match' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const file = await (await download).createReadStream()
    let text = ''
    for await (const chunk of file) text += String(chunk)
    assert.equal(text.trim().split('\n').length, count + 1)

    // An unchecked row is excluded.
    await page.getByRole('grid').getByRole('row').nth(1).getByRole('checkbox').click()
    await bar.getByText('99 selected').waitFor()
    await page.getByRole('grid').getByRole('row').nth(1).getByRole('checkbox').click()
    await bar.getByRole('button', { name: `Select all ${count} that match` }).click()
    await bar.getByRole('button', { name: 'Delete…' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete all traces that match?' })
    await question.getByText(`This deletes ${count} traces`).waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await eventually(async () => assert.equal((await tracesOf(suite)).length, 0))
    const { traces } = await client.traces.list({ name: 'other' })
    assert.equal(traces.length, 1)
  })

  it('actions by id report that the ids could not be read, and retry', async () => {
    const suite = 'unreadable'
    await record(suite)
    const page = await openList(suite)
    const bar = await selectAll(page)
    const failing = { isOn: true }
    await page.route(/\/monitor\/traces\?.*limit=1000/, (route) =>
      failing.isOn
        ? route.fulfill({
            status: 500,
            json: { error: 'The disk is full.' },
          })
        : route.continue(),
    )
    await bar.getByRole('button', { name: 'Score' }).click()
    const dialog = page.getByRole('dialog', { name: 'The traces that match could not be read' })
    await dialog.getByText('The disk is full.').waitFor()
    failing.isOn = false
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog', { name: `Score ${count} traces` }).waitFor()
  })
})

describe('annotation queues', () => {
  it('all items of a queue are read, and removed together', async () => {
    const suite = 'queued'
    await record(suite)
    await client.evaluators.create({
      slug: 'queued',
      name: 'Queued',
      kind: 'human',
      config: {},
    })
    const { queue } = await client.annotationQueues.create({ name: 'Queued', evaluatorSlugs: ['queued'] })
    const traces = await tracesOf(suite)
    await client.annotationQueues.add({ id: queue.id, items: traces.map(({ id }) => ({ traceId: id })) })
    const page = await screens.open(`/annotation/${queue.id}`)
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: `Select all ${count} that match` }).click()
    await bar.getByText(`${count} selected`).waitFor()
    await bar.getByRole('button', { name: 'Remove from queue' }).click()
    const question = page.getByRole('alertdialog', { name: `Remove ${count} items from the queue?` })
    await question.getByRole('button', { name: 'Remove' }).click()
    await page.getByText(`Removed ${count} items`).waitFor()
    assert.equal((await client.annotationQueues.get({ id: queue.id })).queue.progress.items, 0)
  })
})
