/** One user with two tabs: each keeps its workspace and its input. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { startScreens } from './support/testing.ts'

const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

async function makePrompt(slug: string, text: string): Promise<void> {
  await client.prompts.create({ slug, name: slug })
  await client.versions.create({ slug, text })
}

const textOf = async (slug: string): Promise<string | undefined> =>
  (await client.versions.list({ slug })).versions[0]?.text

describe('two tabs', () => {
  it('stay in their own workspaces: each saves to the workspace it shows, whatever the other selects meanwhile', async () => {
    await makePrompt('tab-choice', 'Greet.')
    const first = await screens.open('/prompts/tab-choice/edit')
    await first.getByRole('textbox', { name: 'Text', exact: true }).fill('Greet warmly.')
    const second = await screens.open('/settings/you')
    await second.getByRole('button', { name: 'Workspace: Of one test file' }).click()
    await second.getByRole('menuitem', { name: 'Default' }).click()
    await second.getByRole('button', { name: 'Workspace: Default' }).waitFor()

    await first.getByRole('button', { name: 'Review and save' }).click()
    await first.getByRole('dialog').getByRole('button', { name: 'Save version' }).click()
    await first.getByText('Saved 1.0.1').first().waitFor()
    assert.equal(await textOf('tab-choice'), 'Greet warmly.')
    await first.reload()
    await first.getByRole('button', { name: 'Workspace: Of one test file' }).waitFor()
    await first.getByRole('heading', { name: 'tab-choice' }).waitFor()
    // A tab opened by a link is in the workspace of the visible tab.
    await first.evaluate(() => dispatchEvent(new Event('focus')))
    const third = await first.context().newPage()
    await third.goto(`${screens.url}/app/settings/you`)
    await third.getByRole('button', { name: 'Workspace: Of one test file' }).waitFor()
    await second.reload()
    await second.getByRole('button', { name: 'Workspace: Default' }).waitFor()
  })

  it('stay in their workspace while a form is open, and delete its removed rows there', async () => {
    const rowsOf = async (slug: string) => (await client.datasets.get({ slug })).dataset.rows.length
    const slug = 'left-behind'
    await client.datasets.create({ slug, name: slug, columns: [{ name: 'q', type: 'text' }] })
    await client.datasets.append({ slug, rows: [{ values: { q: 'one' } }, { values: { q: 'two' } }] })
    const page = await screens.open('/settings/masking')
    const goToDefault = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Workspace: Of one test file' }).click()
      await page.getByRole('menuitem', { name: 'Default' }).click()
    }
    const workspaceOfTab = () => page.evaluate(() => sessionStorage.getItem('plumbline.workspace'))
    const before = await workspaceOfTab()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await goToDefault()
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await workspaceOfTab(), before)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Masking rules saved').waitFor()
    assert.equal((await client.masking.get()).rules.length, 1)
    await client.masking.update({ rules: [] })

    await page.goto(`${screens.url}/app/datasets/${slug}`)
    const deleteRow = async (index: number): Promise<void> => {
      await page.getByRole('checkbox', { name: `Select row ${index}` }).click()
      await page.getByRole('button', { name: /^Delete/ }).click()
      await page.getByText('Deleted a row').first().waitFor()
    }
    await deleteRow(1)
    // Leaving the page sends it so that the request outlives the page.
    await page.evaluate(() => {
      const { fetch } = window
      window.fetch = (address, init) => {
        if (String(address).includes('/items')) sessionStorage.setItem('keepalive', String(init?.keepalive))
        return fetch(address, init)
      }
      dispatchEvent(new PageTransitionEvent('pagehide'))
    })
    assert.equal(await page.evaluate(() => sessionStorage.getItem('keepalive')), 'true')
    await eventually(async () => assert.equal(await rowsOf(slug), 1))
    await deleteRow(1)
    await goToDefault()
    await page.getByRole('button', { name: 'Workspace: Default' }).waitFor()
    await eventually(async () => assert.equal(await rowsOf(slug), 0))
  })

  it('keep their own input across a reload and a version saved meanwhile', async () => {
    await client.prompts.create({ slug: 'typed-twice', name: 'typed-twice' })
    const [first, second] = [
      await screens.open('/prompts/typed-twice/edit'),
      await screens.open('/prompts/typed-twice/edit'),
    ]
    const text = (page: typeof first) => page.getByRole('textbox', { name: 'Text', exact: true })
    await text(first).fill('Of the first tab.')
    await text(second).fill('Of the second tab.')
    await first.getByText('This draft is also being edited in another tab.').waitFor()
    await client.versions.create({ slug: 'typed-twice', text: 'Of a colleague.' })
    await first.reload()
    await text(first).getByText('Of the first tab.').waitFor()
    await first.getByText('This is your unsaved draft.').waitFor()

    // Saving the draft of one tab keeps that of the other.
    await first.getByRole('button', { name: 'Review and save' }).click()
    await first.getByRole('dialog').getByRole('button', { name: 'Save version' }).click()
    await first.getByText('Saved 1.0.1').first().waitFor()
    await first.goto(`${screens.url}/app/prompts/typed-twice/edit`)
    await text(first).getByText('Of the second tab.').waitFor()
    await text(second).getByText('Of the second tab.').waitFor()
    // Within a poll interval, or once the tab becomes visible with data older than ten seconds.
    const note = second.getByText(/is newer than the version you started from/)
    while (!(await note.isVisible())) {
      await second.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      await second.waitForTimeout(500)
    }
    await text(second).getByText('Of the second tab.').waitFor()
  })

  it('keep concurrent changes to an alert, and report what a draft would replace', async () => {
    const { alert } = await client.alerts.create({
      name: 'Slow answers',
      measure: 'p95DurationMs',
      windowMinutes: 15,
      condition: 'above',
      threshold: 9000,
    })
    const page = await screens.open(`/alerts/${alert.id}/edit`)
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('Ask the team of the model.')
    await client.alerts.update({ id: alert.id, threshold: 5000 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved "Slow answers"').first().waitFor()
    const saved = (await client.alerts.get({ id: alert.id })).alert
    assert.deepEqual([saved.note, saved.threshold], ['Ask the team of the model.', 5000])

    await page.goto(`${screens.url}/app/alerts/${alert.id}/edit`)
    await note.fill('Mine.')
    await client.alerts.update({ id: alert.id, note: 'Theirs.', threshold: 4000 })
    await page.reload()
    await page.getByText('Values you edited have been changed since').waitFor()
    assert.equal(await note.inputValue(), 'Mine.')
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByText('This is your unsaved draft.').waitFor({ state: 'detached' })
    assert.equal(await note.inputValue(), 'Theirs.')
  })

  it('change an evaluator and a queue each in its fields, and the same field only by saving again', async () => {
    const slug = 'changed-twice'
    await client.evaluators.create({
      slug,
      name: 'Same',
      kind: 'length',
      config: { max: 5 },
      sampleRate: 0.1,
    })
    const page = await screens.open(`/evaluators/${slug}/edit`)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Mine')
    await client.evaluators.update({ slug, config: { max: 9 }, sampleRate: 0.5 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/changed-twice$/)
    const readEvaluator = async () => (await client.evaluators.get({ slug })).evaluator
    const { config, sampleRate, name: storedName } = await readEvaluator()
    assert.deepEqual([storedName, sampleRate, config.max], ['Mine', 0.5, 9])

    await page.goto(`${screens.url}/app/evaluators/${slug}/edit`)
    await name.fill('Mine again')
    await client.evaluators.update({ slug, name: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Someone else has changed this meanwhile.').waitFor()
    assert.equal((await readEvaluator()).name, 'Theirs')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/changed-twice$/)
    assert.equal((await readEvaluator()).name, 'Mine again')

    await client.evaluators.create({ slug: 'by-people', name: 'By people', kind: 'human', config: {} })
    const { queue: newQueue } = await client.annotationQueues.create({
      name: 'Queue',
      evaluatorSlugs: ['by-people'],
    })
    const { id } = newQueue
    await page.goto(`${screens.url}/app/annotation/${id}?tab=settings`)
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Mine.')
    await client.annotationQueues.update({ id, name: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const { queue } = await client.annotationQueues.get({ id })
    assert.deepEqual([queue.name, queue.instructions], ['Theirs', 'Mine.'])
  })

  it('change settings of retention, masking, tags and connections each in their fields', async () => {
    const page = await screens.open('/settings/workspace')
    const days = (name: string) => page.getByLabel(name, { exact: true })
    await days('All traces').fill('40')
    await client.retention.update({ fileDays: 5, environments: [{ environment: 'staging', days: 3 }] })
    await page.getByRole('button', { name: 'Save…' }).click()
    const question = page.getByRole('alertdialog', { name: 'Save these retention rules?' })
    await question.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Retention saved').waitFor()
    const saved = await client.retention.get()
    assert.deepEqual(
      [saved.days, saved.fileDays, saved.environments],
      [40, 5, [{ environment: 'staging', days: 3 }]],
    )
    await page.getByText('Retention saved').waitFor({ state: 'detached' })
    await days('All traces').fill('50')
    await client.retention.update({ days: 60 })
    await page.getByRole('button', { name: 'Save…' }).click()
    const contested = page.getByRole('alert').getByText('Someone else has changed this meanwhile.')
    await contested.waitFor()
    assert.equal((await client.retention.get()).days, 60)
    await page.getByRole('button', { name: 'Save…' }).click()
    await question.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Retention saved').waitFor()
    assert.equal((await client.retention.get()).days, 50)

    const tags = page.getByLabel('Tags', { exact: true })
    await tags.fill('production')
    await client.approvals.configure({ tags: ['staging'] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await contested.waitFor()
    assert.deepEqual((await client.approvals.tags()).tags, ['staging'])
    assert.equal(await tags.inputValue(), 'production')
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await tags.inputValue(), 'staging')
    await client.approvals.configure({ tags: [] })

    await page.goto(`${screens.url}/app/settings/masking`)
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const theirs = { type: 'detector', detector: 'iban', name: 'Theirs', action: 'hash' } as const
    await client.masking.update({ rules: [theirs] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await contested.waitFor()
    assert.deepEqual(await client.masking.get(), { rules: [theirs] })
    await page.getByRole('button', { name: 'Discard' }).click()
    await contested.waitFor({ state: 'detached' })
    const ruleName = page.getByRole('textbox', { name: 'Name', exact: true })
    await eventually(async () => assert.equal(await ruleName.inputValue(), 'Theirs'))
    await client.masking.update({ rules: [] })

    const { connection } = await client.connections.create({
      provider: 'openai-compatible',
      name: 'Shared',
      baseUrl: 'http://127.0.0.1:2',
      models: ['a'],
    })
    await page.goto(`${screens.url}/app/settings/connections`)
    await page.getByRole('button', { name: 'Change Shared' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await client.connections.update({ id: connection.id, models: ['a', 'b'] })
    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.getByRole('dialog', { name: 'Test Mine' }).waitFor()
    const connectionNow = (await client.connections.list()).connections.find(({ id }) => id === connection.id)
    assert.deepEqual([connectionNow?.name, connectionNow?.models], ['Mine', ['a', 'b']])
  })

  it('show no draft of another workspace or user', async () => {
    await makePrompt('own-draft', 'Greet.')
    const page = await screens.open('/prompts/own-draft/edit')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Greet warmly.')
    const names = await page.evaluate(() => Object.keys(localStorage))
    const { workspace, person } = await page.evaluate(
      async () =>
        (await (await fetch('/session')).json()) as { workspace: { id: string }; person: { id: string } },
    )
    assert.ok(names.includes(`plumbline.draft.prompt.${workspace.id}/${person.id}/own-draft`), String(names))
  })
})
