import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
const featureSlug = 'experiments-screen'

/** An experiment with one trace for each score. */
async function run(name: string, scores: readonly number[]): Promise<string> {
  const { id } = await client.experiments.create({ featureSlug, name })
  for (const [row, value] of scores.entries()) {
    const { trace } = await client.monitor.trace({
      featureSlug,
      experiment: { id },
      name: 'answer',
      input: `Question ${row}`,
      output: `${name} answers ${row}`,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-01-01T00:00:01Z',
      metadata: { dataset: 'screen', row },
    })
    await client.scores.create({ traceId: trace.id, name: 'accuracy', value })
  }
  return id
}

await client.features.create({ slug: featureSlug, name: 'Screen of experiments' })
const before = await run('Before', [0.5, 0.9, 0.9, 0.2])
const after = await run('After', [0.5, 0.8, 0.1, 0.7])
const ids = `${before},${after}`

/** The service's comparison, once all traces and scores are stored. */
const { comparison, accuracy } = await eventually(async () => {
  const comparison = await client.experiments.compare({ ids })
  const accuracy = comparison.measures.find(({ name }) => name === 'score.accuracy')
  assert.equal(comparison.caseCount, 4)
  assert.equal(accuracy?.experiments[1]?.count, 4)
  return { comparison, accuracy }
})

describe('experiments', () => {
  it('two are selected in the list and compared: the numbers match the service, regressions first', async () => {
    const page = await screens.open(`/experiments?feature=${featureSlug}`)
    await page.getByRole('row').filter({ hasText: 'Before' }).getByText('0.625').waitFor()
    await assertAccessible(page)
    for (const name of ['Before', 'After'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Compare 2' }).click()
    await page.waitForURL(/experiments\/compare/)

    const summary = page
      .getByRole('region', { name: 'Summary' })
      .getByRole('row')
      .filter({ hasText: 'accuracy' })
    const text = await summary.innerText()
    const [, other] = accuracy.experiments
    assert.ok(text.includes('0.625') && text.includes('0.525'), text)
    assert.ok(text.includes(`${other?.better} better, ${other?.worse} worse of ${other?.pairs}`), text)
    assert.ok(text.includes('−0.1') && text.includes('Too few'), text)
    assert.ok(text.includes(`needs at least ${other?.casesNeeded} more cases`), text)
    const interval = await summary.getByRole('img').getAttribute('aria-label')
    const textOf = (value: number | null | undefined): string =>
      `${(value ?? 0) < 0 ? '−' : '+'}${Math.abs(value ?? 0).toLocaleString('en-US', { maximumFractionDigits: 3 })}`
    assert.equal(interval, `−0.1, 95% interval ${textOf(other?.low)} to ${textOf(other?.high)}`)

    const inputs = await page.getByRole('grid', { name: 'Cases' }).getByRole('row').allInnerTexts()
    assert.deepEqual(
      inputs.slice(1).map((row) => /Question \d/.exec(row)?.[0]),
      comparison.cases.map(({ input }) => JSON.parse(input ?? '""') as unknown),
    )
    assert.match(inputs[1] ?? '', /Question 2[\s\S]*0\.9[\s\S]*0\.1[\s\S]*−0\.8/)
    await assertAccessible(page)
  })

  it('the traces of one are listed, however old they are', async () => {
    const page = await screens.open(`/experiments?feature=${featureSlug}`)
    await page.getByRole('row').filter({ hasText: 'After' }).getByText('After', { exact: true }).click()
    await page.waitForURL(/\/traces\?/)
    await page.getByRole('grid').getByText('After answers 1').first().waitFor()
  })

  it('on a phone both means are side by side, cases show changes, and the gate is reachable', async () => {
    const page = await screens.open(`/experiments/compare?ids=${ids}`, { width: 390, height: 844 })
    const summary = page.getByRole('region', { name: 'Summary' })
    const columns = summary.getByRole('columnheader')
    await columns.nth(2).waitFor()
    const last = await columns.nth(2).boundingBox()
    assert.ok(last && last.x + last.width <= 390, 'the second experiment is in sight')
    const cases = page.getByRole('grid', { name: 'Cases' })
    await cases.getByRole('row').nth(1).waitFor()
    assert.deepEqual(await cases.getByRole('columnheader').allInnerTexts(), ['Input', 'After'])
    for (const name of ['Gate', 'Export CSV']) {
      const box = await page.getByRole('button', { name }).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `${name} is in sight`)
    }
    await page.getByRole('button', { name: 'Gate' }).click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    await assertAccessible(page)
  })

  it('regressions only, another baseline, and a score where lower is better are all kept in the URL', async () => {
    const page = await screens.open(`/experiments/compare?ids=${ids}`)
    const rows = page.getByRole('grid', { name: 'Cases' }).getByRole('row')
    await page.getByRole('checkbox', { name: 'Only regressions (2 of 4)' }).click()
    await page.waitForURL(/regressions=true/)
    await rows.nth(3).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 3)

    await page.getByRole('button', { name: 'accuracy: higher is better' }).click()
    await page.getByRole('checkbox', { name: 'Only regressions (1 of 4)' }).waitFor()
    assert.match(page.url(), /lower=accuracy/)
    await page.getByRole('button', { name: 'accuracy: lower is better' }).click()
    await page.getByRole('combobox', { name: 'Baseline' }).click()
    await page.getByRole('option', { name: 'After' }).click()
    await page.getByRole('checkbox', { name: 'Only regressions (1 of 4)' }).waitFor()
    await page.reload()
    await page.getByRole('checkbox', { name: 'Only regressions (1 of 4)' }).waitFor()
    assert.match(await rows.nth(1).innerText(), /Question 3/)
  })

  it('a case opens by keyboard, and links to both of its traces; the comparison is exported', async () => {
    const page = await screens.open(`/experiments/compare?ids=${ids}`)
    await page.getByRole('grid', { name: 'Cases' }).getByRole('row').nth(1).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    const panel = page.getByRole('complementary', { name: 'Case' })
    await panel.getByText('Regression').waitFor()
    await assertAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const csv = (await (await download.createReadStream()).toArray()).join('')
    assert.equal(csv.trim().split('\r\n').length, 5)
    await panel.getByRole('link', { name: 'Both traces' }).click()
    await page.waitForURL(/traces\/diff\?/)
    const [worst] = comparison.cases
    const { searchParams } = new URL(page.url())
    assert.deepEqual(
      [searchParams.get('a'), searchParams.get('b')],
      worst?.cells.map(({ traceIds }) => traceIds[0]),
    )
  })

  it('one is created, shows its id, is renamed and deleted', async () => {
    const page = await screens.open(`/experiments?feature=${featureSlug}`)
    await page.getByRole('button', { name: 'New experiment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Made here')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText(/"experiment": \{ "id": "/).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for Made here' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel(/Type/).fill('Made here')
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted "Made here"').waitFor()
  })
})
