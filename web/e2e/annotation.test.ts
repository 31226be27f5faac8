import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const headers = { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' }

async function api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${screens.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json() as Promise<Answer>
}

interface TraceScores {
  readonly trace: {
    readonly scores: readonly { name: string; value: unknown; comment: string | null; source: string }[]
  }
}

/** A queue with the given number of its own traces, scored from 1 to 5 and by yes or no. */
async function makeQueue(name: string, count: number) {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const points = [
    { value: 1, label: 'useless' },
    { value: 5, label: 'as it is' },
  ]
  await api('POST', '/evaluators', {
    slug: `${slug}-quality`,
    name: 'Quality of the answer',
    kind: 'human',
    config: { rubric: 'Would you **send** this?', verdict: { type: 'numeric', min: 1, max: 5, points } },
  })
  await api('POST', '/evaluators', { slug: `${slug}-safe`, name: 'Is it safe?', kind: 'human', config: {} })
  const { queue } = await api<{ queue: { id: string } }>('POST', '/annotation-queues', {
    name,
    instructions: 'Read all of it.',
    evaluatorSlugs: [`${slug}-quality`, `${slug}-safe`],
  })
  const traceIds: string[] = []
  for (let index = 1; index <= count; index++) {
    const { trace } = await api<{ trace: { id: string } }>('POST', '/monitor/trace', {
      name: `${name} ${index}`,
      input: [{ role: 'user', content: `Question number ${index}` }],
      output: `Answer number ${index}`,
      idealOutput: 'What it should be',
      logs: [{ id: 'r', type: 'retrieval', name: 'search', output: ['A document that was found.'] }],
    })
    traceIds.push(trace.id)
  }
  if (count > 0)
    await api('POST', `/annotation-queues/${queue.id}/items`, {
      items: traceIds.map((traceId) => ({ traceId })),
    })
  return { id: queue.id, traceIds, slug }
}

describe('annotation', () => {
  it('a number on a long scale is typed, and invalid input shows the reason', async () => {
    const verdict = { type: 'numeric', min: 10, max: 100, step: 2.5 }
    await api('POST', '/evaluators', {
      slug: 'long-scale',
      name: 'How good?',
      kind: 'human',
      config: { verdict },
    })
    const { queue } = await api<{ queue: { id: string } }>('POST', '/annotation-queues', {
      name: 'Long scale',
      evaluatorSlugs: ['long-scale'],
    })
    const { trace } = await api<{ trace: { id: string } }>('POST', '/monitor/trace', { name: 'Scaled' })
    await api('POST', `/annotation-queues/${queue.id}/items`, { items: [{ traceId: trace.id }] })
    const page = await screens.open(`/annotation/${queue.id}/annotate`)
    const field = page.getByRole('textbox', { name: 'How good?' })
    const submit = page.getByRole('button', { name: 'Submit' })
    await field.pressSequentially('76')
    assert.equal(await field.inputValue(), '76')
    await page.getByText('Enter a number from 10 to 100, in steps of 2.5.').waitFor()
    assert.equal(await submit.isDisabled(), true)
    await field.fill('')
    await field.pressSequentially('77,5')
    await submit.click()
    await page.getByText('You’re all done').waitFor()
    // The page continues before the service has responded.
    await eventually(async () => {
      const { scores } = (await api<TraceScores>('GET', `/monitor/traces/${trace.id}`)).trace
      assert.deepEqual(
        scores.map(({ value }) => value),
        [77.5],
      )
    })
  })

  it('items are scored, skipped and undone by keyboard alone', async () => {
    const { id, slug } = await makeQueue('By keys', 3)
    const page = await screens.open(`/annotation/${id}`)
    await page.getByRole('row').filter({ hasText: 'By keys 1' }).waitFor()
    await page.keyboard.press('b')
    await page.waitForURL(/annotate$/)
    const item = page.getByRole('region', { name: 'Item', exact: true })
    await item.getByText('Answer number').waitFor()
    await item.getByText('What it should be').waitFor()
    await item.getByText('A document that was found.').waitFor()
    await page.getByText('Would you send this?').waitFor()
    const first = (await item.getByRole('heading', { level: 2 }).textContent()) ?? ''
    await assertAccessible(page)

    const submit = page.getByRole('button', { name: 'Submit' })
    assert.equal(await submit.isDisabled(), true)
    await page.keyboard.press('4')
    await page.keyboard.press('y')
    await page.keyboard.press('c')
    await page.keyboard.type('Clear, and kind.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await item.getByRole('heading', { level: 2 }).filter({ hasNotText: first }).waitFor()
    const bar = page.getByRole('progressbar', { name: 'Your progress' })
    await page.getByText('1 of 3').waitFor()
    assert.equal(await bar.getAttribute('aria-valuenow'), '1')

    await page.keyboard.press('u')
    await item.getByRole('heading', { level: 2 }).filter({ hasText: first }).waitFor()
    await page.getByRole('button', { name: '4', pressed: true }).waitFor()
    assert.equal(await page.getByLabel('Comment').inputValue(), 'Clear, and kind.')
    await page.keyboard.press('5')
    await page.keyboard.press('Enter')
    await item.getByRole('heading', { level: 2 }).filter({ hasNotText: first }).waitFor()

    const second = (await item.getByRole('heading', { level: 2 }).textContent()) ?? ''
    await page.keyboard.press('s')
    await item.getByRole('heading', { level: 2 }).filter({ hasNotText: second }).waitFor()
    await page.getByText('2 of 3').waitFor()
    await page.keyboard.press('2')
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    await page.getByText('You’re all done').waitFor()
    await page.getByText('3 of 3').waitFor()

    const { items } = await api<{ items: { traceId: string; isDone: boolean }[] }>(
      'GET',
      `/annotation-queues/${id}/items`,
    )
    assert.equal(items.filter(({ isDone }) => isDone).length, 2)
    const scores = []
    for (const { traceId } of items) {
      const { trace } = await api<TraceScores>('GET', `/monitor/traces/${traceId}`)
      scores.push(...trace.scores.map(({ name, value, source }) => `${name} ${value} ${source}`))
    }
    assert.deepEqual(scores.toSorted(), [
      `${slug}-quality 2 human`,
      `${slug}-quality 5 human`,
      `${slug}-safe false human`,
      `${slug}-safe true human`,
    ])

    // Looking at earlier scores, and then reloading or leaving, keeps them.
    const scoresOfFirst = async () => {
      const { traceId } = items.find(({ isDone }) => isDone) ?? items[0]!
      const { trace } = await api<TraceScores>('GET', `/monitor/traces/${traceId}`)
      return trace.scores.map(({ value }) => value).toSorted()
    }
    await page.goto(`${screens.url}/app/annotation/${id}?status=done`)
    await page.getByRole('row').filter({ hasText: first }).click()
    await page.getByRole('button', { name: '5', pressed: true }).waitFor()
    assert.equal(await page.getByLabel('Comment').inputValue(), 'Clear, and kind.')
    await page.reload()
    await page.getByRole('button', { name: '5', pressed: true }).waitFor()
    assert.deepEqual(await scoresOfFirst(), [5, true])
    await page.keyboard.press('3')
    await page.keyboard.press('Enter')
    await page.getByText('You’re all done').waitFor()
    await eventually(async () => assert.deepEqual(await scoresOfFirst(), [3, true]))
    await page.getByText('3 of 3').waitFor()
  })

  it('items added by mistake are removed and restored, and annotated ones stay', async () => {
    const { id, slug } = await makeQueue('By mistake', 4)
    for (const index of [1, 2, 3, 4]) await screens.listed(`By mistake ${index}`, 1)
    const { item: judged } = await api<{ item: { id: string } }>('POST', `/annotation-queues/${id}/next`, {})
    await api('POST', `/annotation-queues/${id}/items/${judged.id}/submit`, {
      scores: [
        { evaluatorSlug: `${slug}-quality`, value: 3 },
        { evaluatorSlug: `${slug}-safe`, value: true },
      ],
    })
    await api('POST', `/annotation-queues/${id}/next`, {})
    const page = await screens.open(`/annotation/${id}`)
    const row = (index: number) => page.getByRole('row').filter({ hasText: `By mistake ${index}` })
    for (const index of [1, 2, 3, 4]) await row(index).waitFor()
    await row(1).getByRole('checkbox').click()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('1 item stays because it has been annotated.').waitFor()
    const button = bar.getByRole('button', { name: 'Remove from queue' })
    assert.equal(await button.isDisabled(), true)
    await row(2).getByRole('checkbox').click()
    await page.keyboard.press('j')
    for (let index = 0; index < 2; index++) await page.keyboard.press('j')
    await page.keyboard.press('x')
    await bar.getByText('3 selected').waitFor()
    await assertAccessible(page)

    await page.keyboard.press('d')
    const dialog = page.getByRole('alertdialog', { name: 'Remove 2 items from the queue?' })
    await dialog.getByText('the automatic feed will not add them again').waitFor()
    await dialog.getByText('Someone is annotating 1 of them right now').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button.click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await row(2).waitFor({ state: 'detached' })
    await bar.waitFor({ state: 'detached' })
    await row(1).waitFor()
    await page.getByText('Removed 2 items').waitFor()
    await page.getByText('1 of 2').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(2).waitFor()
    await page.getByText('1 of 4').first().waitFor()
  })

  it('an annotator whose item is removed is notified, and keeps the input', async () => {
    const { id } = await makeQueue('Taken away', 2)
    const page = await screens.open(`/annotation/${id}/annotate`)
    const item = page.getByRole('region', { name: 'Item', exact: true })
    const heading = item.getByRole('heading', { level: 2 })
    const comment = page.getByLabel('Comment')
    await heading.filter({ hasText: 'Taken away 1' }).waitFor()
    await page.keyboard.press('4')
    await page.keyboard.press('y')
    await comment.fill('Of the first.')
    const { items } = await api<{ items: { id: string }[] }>('GET', `/annotation-queues/${id}/items`)
    await api('POST', `/annotation-queues/${id}/items/remove`, { itemIds: [items[0]!.id] })
    // The rejection arrives while the next item is being scored.
    const released = Promise.withResolvers<void>()
    await page.route('**/submit', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Submit' }).click()
    await heading.filter({ hasText: 'Taken away 2' }).waitFor()
    await comment.fill('Of the second.')
    released.resolve()
    await heading.filter({ hasText: 'Taken away 1' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'This item was removed from the queue' }).waitFor()
    await page.getByRole('button', { name: '4', pressed: true }).waitFor()
    assert.equal(await comment.inputValue(), 'Of the first.')
    await assertAccessible(page)

    await page.getByRole('button', { name: 'Skip' }).click()
    await heading.filter({ hasText: 'Taken away 2' }).waitFor()
    assert.equal(await comment.inputValue(), 'Of the second.')
    await page.getByRole('alert').filter({ hasText: 'taken out' }).waitFor({ state: 'detached' })
    await page.getByText('0 of 1').waitFor()
  })

  it('an item whose trace is deleted meanwhile is skipped, and changed questions of the queue are shown', async () => {
    const { id, traceIds, slug } = await makeQueue('Deleted meanwhile', 2)
    const page = await screens.open(`/annotation/${id}/annotate`)
    const item = page.getByRole('region', { name: 'Item', exact: true })
    const heading = item.getByRole('heading', { level: 2 })
    await heading.filter({ hasText: 'Deleted meanwhile 1' }).waitFor()
    const deleted = await fetch(`${screens.url}/monitor/traces/${traceIds[0]}`, { method: 'DELETE', headers })
    assert.equal(deleted.ok, true)
    await eventually(async () => {
      const { items } = await api<{ items: object[] }>('GET', `/annotation-queues/${id}/items`)
      assert.equal(items.length, 1)
    })
    await page.keyboard.press('4')
    await page.keyboard.press('y')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('alert').filter({ hasText: 'The queue has no item' }).waitFor()
    const [response] = await Promise.all([
      page.waitForResponse(/\/skip$/),
      page.getByRole('button', { name: 'Skip' }).click(),
    ])
    await response.finished()
    await heading.filter({ hasText: 'Deleted meanwhile 2' }).waitFor()

    await api('PATCH', `/annotation-queues/${id}`, { evaluatorSlugs: [`${slug}-safe`, 'human-tone'] })
    await page.keyboard.press('4')
    await page.keyboard.press('y')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('alert').filter({ hasText: 'must be one of' }).waitFor()
    await page.getByRole('group', { name: 'Tone, by the support team' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('You’re all done').waitFor()
    await page.getByText('1 of 1').waitFor()
  })

  it('a queue is created, filled from the trace list and by a filter, changed and deleted', async () => {
    await makeQueue('Beside it', 0)
    const page = await screens.open('/annotation')
    await page.getByRole('row').filter({ hasText: 'Beside it' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Made by hand')
    await dialog.getByRole('checkbox', { name: 'Tone, by the support team' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('No items yet').waitFor()
    const address = page.url()

    await page.goto(`${screens.url}/app/traces?range=30d`)
    const rows = page.getByRole('row')
    await rows.nth(2).getByRole('checkbox').click()
    await rows.nth(3).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Annotate' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Queue' }).click()
    await page.getByRole('option', { name: /^Made by hand/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByText('Added 2 items').waitFor()

    await page.goto(address)
    await page.getByText('0 of 2').first().waitFor()
    await page.getByRole('button', { name: 'Add traces' }).click()
    await page.getByRole('dialog').getByLabel('Number of traces').fill('3')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByText(/Added \d item|were already in the queue/).waitFor()

    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('switch').click()
    await page.getByLabel('Sampling rate (%)').fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must be a percentage above 0, up to 100.').waitFor()
    await page.getByLabel('Sampling rate (%)').fill('10')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Saved' }).waitFor()
    await page.getByRole('button', { name: 'Delete queue' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/annotation(\?|$)/)
    await page.getByRole('row').filter({ hasText: 'Renamed' }).waitFor({ state: 'detached' })
  })

  it('agreement between people is shown with disagreements, and an evaluator is compared with them', async () => {
    const page = await screens.open('/annotation')
    await page.getByRole('row').filter({ hasText: 'Tone of support answers' }).click()
    await page.getByRole('tab', { name: 'Agreement' }).click()
    await page.getByText('Cohen’s kappa').first().waitFor()
    await page.getByRole('cell', { name: 'Mira Novak and Tom Okafor' }).waitFor()
    await assertAccessible(page)

    await api('POST', '/evaluators', {
      slug: 'says-number',
      name: 'Says number',
      kind: 'contains',
      config: { value: 'number' },
    })
    const { traceIds } = await makeQueue('Against people', 3)
    for (const [index, traceId] of traceIds.entries())
      await api('POST', '/scores', {
        traceId,
        name: 'thumb',
        value: index > 0,
        userId: 'ada',
        comment: `No. ${index}`,
      })
    await api('POST', '/evaluations', { evaluatorSlug: 'says-number', traceIds })
    await page.goto(`${screens.url}/app/evaluators/says-number?view=people`)
    const cell = page.getByRole('button', { name: 'Evaluator Yes, people No: 1' })
    for (let tried = 0; tried < 20 && (await cell.count()) === 0; tried++) {
      await page.reload()
      await page.getByRole('tabpanel').waitFor()
      await page.waitForLoadState('networkidle')
    }
    await cell.click()
    await page.getByRole('heading', { name: 'Evaluator Yes, people No' }).waitFor()
    await page.getByText('No. 0').waitFor()
    assert.match(page.url(), /cell=/)
    await assertAccessible(page)
  })
})
