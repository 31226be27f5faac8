import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { followRun, waitForJudging } from '@plumbline/sdk/gate'
import { startModelServer } from '../../fixtures/model-server/server.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const models = await startModelServer({
  script: [
    { when: 'Shout', text: 'PONG' },
    { when: 'Ping', text: 'Pong' },
  ],
})
after(() => models.close())
const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

const featureSlug = 'runs-screen'
const model = { provider: 'open-ai', model: 'gpt-4o' }
await client.features.create({ slug: featureSlug, name: 'Screen of runs' })
await client.prompts.create({ slug: 'ping', name: 'Ping', featureSlug })
await client.versions.create({ slug: 'ping', text: 'Ping {{ question }}', model, tags: ['production'] })
await client.versions.create({ slug: 'ping', text: 'Shout {{ question }} {{ mood }}', model })
await client.datasets.create({
  slug: 'pings',
  name: 'Pings',
  columns: [{ name: 'question', type: 'text' }],
})
await client.datasets.append({
  slug: 'pings',
  rows: Array.from({ length: 8 }, (_, index) => ({
    values: { question: `number ${index}` },
    idealOutput: 'Pong',
  })),
})
await client.evaluators.create({ slug: 'ping-exact', name: 'Exact pong', kind: 'equals', config: {} })
const { connection } = await client.connections.create({
  name: 'Model server of runs',
  provider: 'open-ai',
  apiKey: 'sk-of-the-tests',
  baseUrl: models.url,
  models: ['gpt-4o', 'fake-401'],
})

/** A run that has ended and been evaluated. */
async function run(version: string, fields: object = {}) {
  const target = { type: 'prompt' as const, slug: 'ping', version, connectionId: connection.id }
  const input = { datasetSlug: 'pings', target, evaluatorSlugs: ['ping-exact'], ...fields }
  const { run: started } = await client.experimentRuns.create(input)
  await followRun(client, started.id)
  await waitForJudging(client, started.experimentId)
  return started
}

describe('a run', () => {
  it('is planned with an estimate, followed to its end, and leads to its traces', async () => {
    await run('1.0.0')
    const page = await screens.open('/experiments/run?dataset=pings&prompt=ping&version=1.0.0')
    const estimate = page.getByRole('region', { name: 'Estimate' })
    await estimate.getByText('Based on past calls of this version.').waitFor()
    await page.getByRole('button', { name: 'Run experiment' }).click()
    await page.getByText('Choose a connection.').waitFor()
    await page.getByRole('combobox', { name: 'Connection' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('combobox', { name: 'Connection' }).fill('Model server of runs')
    await page.getByRole('option', { name: /Model server of runs/ }).click()
    await page.getByRole('checkbox', { name: 'Exact pong' }).click()
    await page.getByRole('textbox', { name: 'Runs per row' }).fill('2')
    await estimate.getByText('16', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Twice each')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Run experiment' }).click()
    await page.waitForURL(/experiments\/runs\//)
    const done = page.getByRole('button', { name: /^Done 16/ })
    await done.waitFor()
    await page.getByRole('heading', { name: /Twice each/ }).waitFor()
    await assertAccessible(page)
    await done.click()
    await page.waitForURL(/status=done/)
    // Cases listed during the run are shown in their final state.
    const cases = page.getByRole('grid', { name: 'Cases' })
    await cases.getByRole('row').nth(1).getByText('Done').waitFor()
    await cases.getByRole('row').nth(1).click()
    await page.waitForURL(/\/traces\//)
  })

  it('shows why cases failed, and reruns only those', async () => {
    const target = {
      type: 'prompt' as const,
      slug: 'ping',
      version: '1.0.0',
      connectionId: connection.id,
      model: 'fake-401',
    }
    const { run: failing } = await client.experimentRuns.create({
      datasetSlug: 'pings',
      target,
      name: 'Fails',
    })
    await followRun(client, failing.id)
    const page = await screens.open(`/experiments/runs/${failing.id}?status=failed`)
    await page.getByText('8 failed').waitFor()
    const cases = page.getByRole('grid', { name: 'Cases' })
    await cases.getByText(/^401 /).first().waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Retry 8' }).click()
    await page.getByText('8 cases queued again').waitFor()
    await followRun(client, failing.id)
    await page.getByText('8 failed').waitFor()

    // On a phone, the list has no run column, and its name does not fit in the breadcrumbs.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Experiments' }).click()
    await page.getByRole('link', { name: 'Run of Fails' }).click()
    await page.waitForURL(new RegExp(failing.id))
  })

  it('uses the rows selected in the dataset', async () => {
    const page = await screens.open('/datasets/pings')
    await page.getByRole('grid').getByText('number 2').waitFor()
    for (const name of ['number 2', 'number 5'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Run experiment' }).click()
    await page.getByText('Only 2 selected rows').waitFor()
    await page.getByRole('region', { name: 'Estimate' }).getByText('2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove the row selection' }).click()
    await page.getByRole('region', { name: 'Estimate' }).getByText('8', { exact: true }).waitFor()
  })

  it('runs on a version, a split and a label selected in the form, which the comparison shows', async () => {
    const slug = 'marked-pings'
    await client.datasets.create({
      slug,
      name: 'Marked pings',
      columns: [{ name: 'question', type: 'text' }],
    })
    const { ids } = await client.datasets.append({
      slug,
      rows: Array.from({ length: 6 }, (_, index) => ({
        values: { question: `marked ${index}` },
        split: index < 2 ? 'train' : 'test',
        ...(index > 2 && { labels: ['hard'] }),
      })),
    })
    await client.datasetVersions.create({ slug, note: 'Six rows' })
    const page = await screens.open(`/experiments/run?dataset=${slug}&prompt=ping&version=1.0.0`)
    const version = page.getByRole('combobox', { name: 'Dataset version' })
    await version.filter({ hasText: 'Version 1' }).waitFor()
    await client.datasets.discard({ slug, ids: [ids[5]!] })
    await page.reload()
    await version.filter({ hasText: 'Current rows' }).waitFor()
    const estimate = page.getByRole('region', { name: 'Estimate' })
    await estimate.getByText('5', { exact: true }).waitFor()
    await version.click()
    await page.getByRole('option', { name: /Six rows/ }).click()
    await estimate.getByText('6', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Split' }).click()
    await page.getByRole('option', { name: /test/ }).click()
    await estimate.getByText('4', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Label' }).click()
    await page.getByRole('option', { name: /hard/ }).click()
    await estimate.getByText('3', { exact: true }).waitFor()
    await assertAccessible(page)
    await page.getByRole('combobox', { name: 'Connection' }).fill('Model server of runs')
    await page.getByRole('option', { name: /Model server of runs/ }).click()
    await page.getByRole('button', { name: 'Run experiment' }).click()
    await page.getByRole('link', { name: 'marked-pings, version 1, split test, label hard' }).waitFor()
    const chosenRun = (await client.experimentRuns.list({ limit: 1 })).runs[0]!
    await followRun(client, chosenRun.id)
    const whole = await run('1.0.1', { datasetSlug: slug })
    await page.goto(
      `${screens.url}/app/experiments/compare?ids=${chosenRun.experimentId},${whole.experimentId}`,
    )
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByRole('link', { name: 'marked-pings, version 2' }).waitFor()
    await assertAccessible(page)
    await summary.getByRole('link', { name: 'marked-pings, version 1, split test, label hard' }).click()
    await page.getByText('Version 1 is read-only.').waitFor()
    await page.getByRole('grid').getByText('marked 5').waitFor()
  })

  it('reports that its datasets or prompts failed to load, and reloads them', async () => {
    for (const path of ['**/datasets', /\/prompts(\?|$)/]) {
      const page = await screens.open('/settings/you')
      await page.route(path, (route) =>
        route.request().resourceType() === 'document'
          ? route.fallback()
          : route.fulfill({ status: 500, json: { error: 'Broken.' } }),
      )
      await page.goto(`${screens.url}/app/experiments/run?dataset=pings`)
      await page.getByRole('alert').getByText('The service had an error').waitFor()
      await page.unroute(path)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('combobox', { name: 'Dataset', exact: true }).waitFor()
    }
  })

  it('warns of a variable that the dataset has no column for, and takes an endpoint', async () => {
    const page = await screens.open('/experiments/run?dataset=pings&prompt=ping&version=1.0.1')
    await page.getByText('The dataset has no column for "mood".').waitFor()
    await page.getByRole('radio', { name: 'An endpoint' }).click()
    await page.getByText('The cost of an endpoint is unknown.').waitFor()
    await page.getByRole('button', { name: 'Run experiment' }).click()
    await page.getByText('Enter the URL of the endpoint').waitFor()
    await assertAccessible(page)
  })
})

describe('two runs', () => {
  it('are gated by rules in the URL, and show the spread of repeated cases', async () => {
    const before = await run('1.0.0', { repetitions: 2, name: 'Pings twice' })
    const after = await run('1.0.1', { repetitions: 2, name: 'Shouts twice' })
    const page = await screens.open(
      `/experiments/compare?ids=${before.experimentId},${after.experimentId}&gate=true`,
    )
    const panel = page.getByRole('complementary', { name: 'Gate' })
    await panel.getByText('The gate fails').waitFor()
    await panel.getByText(/worse in 8 of 8 cases, p = 0\.00781/).waitFor()
    await page.getByText(/±/).first().waitFor()
    await assertAccessible(page)
    await panel.getByRole('button', { name: 'Edit rules' }).click()
    await panel.getByRole('textbox', { name: 'Rules' }).fill('better')
    await panel.getByRole('button', { name: 'Check' }).click()
    await panel.getByText('"better" is no rule').waitFor()
    await panel.getByRole('textbox', { name: 'Rules' }).fill('score.ping-exact >= 0\nmissing <= 0')
    await panel.getByRole('button', { name: 'Check' }).click()
    await panel.getByText('The gate passes').waitFor()
    assert.match(decodeURIComponent(page.url()), /rules=score\.ping-exact[ +]>=[ +]0;missing/)
    await panel.getByText(/plumbline experiments gate --wait/).waitFor()
  })
})

describe('traces of the list', () => {
  it('are attached to an experiment', async () => {
    const { id } = await client.experiments.create({ featureSlug, name: 'Attached here' })
    for (const input of ['a', 'b'])
      await client.monitor.trace({ featureSlug, name: 'to attach', input, output: 'x' })
    await screens.listed('to attach', 2)
    const page = await screens.open(`/traces?q=${encodeURIComponent('name:"to attach"')}`)
    const rows = page.getByRole('grid').getByRole('row')
    await rows.nth(2).waitFor()
    for (const index of [1, 2]) await rows.nth(index).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Attach to experiment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Experiment' }).fill('Attached here')
    await page.getByRole('option', { name: /Attached here/ }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Attach' }).click()
    await page.getByText('2 attached').waitFor()
    const { traces } = await client.traces.list({ experimentId: id })
    assert.equal(traces.length, 2)
  })
})
