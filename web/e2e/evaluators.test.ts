import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const headers = { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' }

describe('evaluators', () => {
  it('a rule is tried on recorded traces, saved, changed to another version, and deleted', async () => {
    const page = await screens.open('/evaluators')
    await page.getByRole('link', { name: 'New evaluator' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Says something')
    assert.equal(await page.getByLabel('Slug').inputValue(), 'says-something')
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: /^Regular expression/ }).click()

    const dryRun = page.getByRole('region', { name: 'Dry run' })
    await dryRun.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Required.').waitFor()
    await page.getByLabel('Pattern').fill('[')
    await dryRun.getByRole('button', { name: 'Run', exact: true }).click()
    await dryRun.getByRole('alert').getByText('config.pattern').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Must be a regular expression.').waitFor()
    await page.getByLabel('Pattern').fill('.')
    await dryRun.getByRole('button', { name: 'Run', exact: true }).click()
    await dryRun.getByText(/^\d+ of \d+ pass/).waitFor()
    assert.ok((await dryRun.getByRole('list', { name: 'Results' }).getByRole('listitem').count()) > 5)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/evaluators\/says-something/)
    await page.getByText('v1').waitFor()
    await page.getByText('samples 10% of traces').waitFor()

    await page.keyboard.press('e')
    await page.waitForURL(/says-something\/edit/)
    await page.getByText('This does not create a new version.').waitFor()
    await page.getByLabel('Pattern').fill('..')
    await page.getByText(/^Saving creates version 2/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('v2').waitFor()
    await page.getByRole('tab', { name: 'Versions' }).click()
    const second = page.getByRole('region', { name: 'Version 2', exact: true })
    await second.getByRole('region', { name: 'What changed from version 1 to version 2' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('list', { name: 'Versions' }).getByRole('button').last().click()
    await page.waitForURL(/version=1/)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Version 3 is now in use, with the configuration of version 1').waitFor()
    await page.getByText('v3').first().waitFor()

    await page.getByRole('button', { name: 'Delete Says something' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('textbox').fill('says-something')
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/evaluators(\?|$)/)
    await page.getByRole('row').filter({ hasText: 'Says something' }).waitFor({ state: 'detached' })
  })

  it('a live rule shows what it would have judged in the last 24 hours, and is saved with its filter', async () => {
    const page = await screens.open('/evaluators/new')
    await page.getByLabel('Name', { exact: true }).fill('Live words')
    await page.getByRole('switch', { name: 'Judge new traces that match a filter' }).click()
    const estimate = page.getByRole('status', { name: 'Estimate' })
    await estimate.getByText(/^Complete the evaluator/).waitFor()
    await page.getByLabel('Text', { exact: true }).fill('please')
    await estimate
      .getByText(/would have judged \d+ traces? of \d+ matching traces?, without model calls/)
      .waitFor()
    await page.getByRole('combobox', { name: 'Filter' }).fill('model:gpt-4o')
    await page.getByRole('combobox', { name: 'Filter' }).press('Enter')
    await page.getByRole('combobox', { name: 'What it judges' }).click()
    await page.getByRole('option', { name: 'Each generation' }).click()
    await page.getByLabel('Sampling rate (% of matching traces)').fill('100')
    await estimate.getByText(/logs of type generation of \d+ matching/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/evaluators\/live-words/)
    await page.getByText('judges 100% of live traffic').waitFor()
    const answer = await fetch(`${screens.url}/evaluators/live-words`, { headers })
    const { evaluator } = (await answer.json()) as { evaluator: { liveRule: object } }
    assert.deepEqual(evaluator.liveRule, {
      filters: { model: 'gpt-4o' },
      subject: 'generation',
      sampleRate: 1,
    })
    await page.goto(`${screens.url}/app/evaluators/live-words/edit`)
    await page.getByRole('combobox', { name: 'Filter' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Filter' }).inputValue(), 'model:gpt-4o')
    await page.getByRole('switch', { name: 'Judge new traces that match a filter' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/evaluators\/live-words(\?|$)/)
    await page.getByText('of live traffic').waitFor({ state: 'detached' })
  })

  it('a live rule for sessions states when they count as quiet', async () => {
    const page = await screens.open('/evaluators/new')
    await page.getByLabel('Name', { exact: true }).fill('Whole talks')
    await page.getByLabel('Text', { exact: true }).fill('please')
    await page.getByRole('switch', { name: 'Judge new traces that match a filter' }).click()
    await page.getByRole('combobox', { name: 'What it judges' }).click()
    await page.getByRole('option', { name: 'The session, once it is quiet' }).click()
    await page.getByLabel('Sampling rate (% of sessions)').fill('100')
    const quiet = page.getByLabel('Quiet after (minutes)')
    assert.equal(await quiet.inputValue(), '10')
    await quiet.fill('0')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/whole number from 1 to 1440/).waitFor()
    await quiet.fill('30')
    const estimate = page.getByRole('status', { name: 'Estimate' })
    await estimate.getByText(/would have judged \d+ sessions? of \d+ matching traces?/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/evaluators\/whole-talks/)
    const answer = await fetch(`${screens.url}/evaluators/whole-talks`, { headers })
    const { evaluator } = (await answer.json()) as { evaluator: { liveRule: object } }
    assert.deepEqual(evaluator.liveRule, {
      filters: {},
      subject: 'session',
      sampleRate: 1,
      quietMinutes: 30,
    })
  })

  it('one is created from a template', async () => {
    const page = await screens.open('/evaluators/new')
    await page.getByRole('combobox', { name: 'Start from' }).click()
    await page.getByRole('option', { name: /^No secrets/ }).click()
    await page.waitForURL(/template=/)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'No secrets')
    await page.getByRole('combobox', { name: 'Kind' }).getByText('Secrets').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/evaluators\/no-secrets/)
    await page.getByText('samples 10% of traces').waitFor()
  })

  it('a human evaluator has no dry run, and says so; code is saved unchanged', async () => {
    const page = await screens.open('/evaluators/new?kind=human')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('This kind has no dry run').waitFor()
    await page.getByLabel('Rubric').fill('# Kindness\n\nIs it **kind**?')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Kindness' }).waitFor()
    await page.goto(`${screens.url}/app/evaluators/new?kind=code`)
    await page.getByRole('textbox', { name: 'Function' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('My own judge')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/evaluators\/my-own-judge/)
    const answer = await fetch(`${screens.url}/evaluators/my-own-judge`, { headers })
    const { evaluator } = (await answer.json()) as { evaluator: { config: { source: string } } }
    assert.match(evaluator.config.source, /export default/)
  })

  it('scores have a trend, a distribution and reasons that link to their traces', async () => {
    const post = (path: string, body: object) =>
      fetch(`${screens.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    for (let index = 0; index < 6; index++) {
      const recorded = await post('/monitor/trace', { name: `Kind ${index}` })
      const { trace } = (await recorded.json()) as { trace: { id: string } }
      const answer = await post('/scores', {
        traceId: trace.id,
        name: 'e2e-kindness',
        value: index % 3 !== 0,
        comment: `Reason <b>${index}</b>`,
      })
      assert.equal(answer.status, 201)
    }
    // Metrics may be a second late.
    const counted = `${screens.url}/scores?name=e2e-kindness`
    await eventually(async () => {
      const { scores } = (await (await fetch(counted, { headers })).json()) as { scores: unknown[] }
      assert.equal(scores.length, 6)
    })
    const page = await screens.open('/evaluators?range=24h')
    const row = page.getByRole('row').filter({ hasText: 'e2e-kindness' })
    await row.getByText('posted').waitFor()
    await row.getByText('0.67').waitFor()
    await row.click()
    await page.waitForURL(/evaluators\/e2e-kindness/)
    const distribution = page.getByRole('list', { name: 'Distribution' })
    await distribution
      .getByRole('listitem')
      .filter({ hasText: /Yes\s*4 · 66\.7%/ })
      .waitFor()
    await distribution
      .getByRole('listitem')
      .filter({ hasText: /No\s*2 · 33\.3%/ })
      .waitFor()
    await page.getByText('Reason <b>5</b>').waitFor()
    const link = page.getByRole('grid', { name: 'Scores' }).getByRole('link').first()
    assert.match((await link.getAttribute('href')) ?? '', /\/app\/traces\/[0-9a-f-]{36}/)
    await assertAccessible(page)
  })
})
