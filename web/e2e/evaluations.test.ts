import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import type { ScriptedAnswer } from '../../fixtures/model-server/answer.ts'
import { startModelServer } from '../../fixtures/model-server/server.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

/** The model's response to every request, while set. */
const script: ScriptedAnswer[] = []
const models = await startModelServer({ script })
after(() => models.close())
const screens = await startScreens()

async function post<Answer = unknown>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${screens.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.clone().text())
  return (await answer.json()) as Answer
}

async function get(path: string): Promise<{ evaluations: unknown[]; eligible: number }> {
  const answer = await fetch(`${screens.url}${path}`, { headers: { authorization: `Bearer ${screens.key}` } })
  return (await answer.json()) as { evaluations: unknown[]; eligible: number }
}

async function recordTraces(count: number, fields: object = {}): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { trace } = await post<{ trace: { id: string } }>('/monitor/trace', {
      name: `To be judged ${index}`,
      input: 'How much is 2 + 2?',
      output: `It is ${index}.`,
      ...fields,
    })
    ids.push(trace.id)
  }
  return ids
}

async function makeJudge(slug: string, name: string, model: string, limits: object = {}): Promise<void> {
  const { connection } = await post<{ connection: { id: string } }>('/connections', {
    name: `Models of ${name}`,
    provider: 'open-ai',
    apiKey: 'sk-of-the-tests',
    baseUrl: models.url,
    models: [model],
    ...limits,
  })
  const config = {
    connectionId: connection.id,
    model,
    template: 'Is this right? {{ output }}',
    verdict: { type: 'boolean' },
  }
  await post('/evaluators', { slug, name, kind: 'llm', config, sampleRate: 0 })
}

describe('the queue of evaluations', () => {
  it('shows why one failed, and retries one, selected ones and all of an evaluator', async () => {
    await makeJudge('e2e-breaks', 'Breaks at first', 'gpt-4o', { spendMaxPerDay: 5 })
    // The first response is valid; the next is not a verdict.
    await post('/evaluations', { evaluatorSlug: 'e2e-breaks', traceIds: await recordTraces(1) })
    await eventually(async () => {
      const { evaluations } = await get('/evaluations?evaluatorSlug=e2e-breaks&status=done')
      assert.equal(evaluations.length, 1)
    })
    script.push({ text: 'I would rather not say.' })
    await post('/evaluations', { evaluatorSlug: 'e2e-breaks', traceIds: await recordTraces(3) })
    const page = await screens.open('/evaluators')
    await page.getByRole('tab', { name: /^Queue/ }).click()
    await page.waitForURL(/view=queue/)
    await page.getByRole('combobox', { name: 'Evaluator' }).click()
    await page.getByRole('option', { name: 'Breaks at first' }).click()
    await page.getByRole('button', { name: /^Failed/ }).click()
    await page.waitForURL(/status=failed/)
    const rows = page
      .getByRole('grid', { name: 'Evaluations' })
      .getByRole('row')
      .filter({ hasText: 'Failed' })
    await rows.nth(2).waitFor()
    await rows.first().click()
    const panel = page.getByRole('complementary', { name: 'Evaluation' })
    await panel.getByText('Why it failed').waitFor()
    await panel.getByRole('link', { name: 'e2e-breaks, version 1' }).waitFor()
    await assertAccessible(page)

    script.length = 0
    await panel.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('1 evaluation queued again').waitFor()
    await rows.nth(2).waitFor({ state: 'detached' })
    await rows.first().getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Retry 1' }).click()
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Retry all for Breaks at first' }).click()
    await page.getByText('No failures').waitFor()
    await page.getByRole('button', { name: /^Failed/ }).click()
    const done = page.getByRole('grid', { name: 'Evaluations' }).getByRole('row').filter({ hasText: 'Done' })
    await done.nth(3).waitFor()

    await page.goto(`${screens.url}/app/settings/connections`)
    const spendMeter = page.getByRole('meter', { name: 'Spent with Models of Breaks at first today' })
    await eventually(async () =>
      assert.match((await spendMeter.getAttribute('aria-valuetext')) ?? '', /^\$0\.0*[1-9]\d* of \$5\.00$/),
    )
    await assertAccessible(page)
  })

  it('shows what is waiting, for which model and why', async () => {
    await makeJudge('e2e-refused', 'Is refused', 'fake-401')
    await makeJudge('e2e-spent', 'Has spent it', 'gpt-4o-mini', { spendMaxPerDay: 0 })
    await post('/evaluations', { evaluatorSlug: 'e2e-refused', traceIds: await recordTraces(2) })
    const page = await screens.open('/evaluators?view=queue&status=waiting&evaluator=e2e-refused')
    const group = page
      .getByRole('region', { name: 'Waiting by connection' })
      .getByRole('listitem')
      .filter({ hasText: 'fake-401' })
    await group.getByText('failed its probe').waitFor()
    await group.getByText('2 waiting').waitFor()
    await group.getByText('8 at a time, no daily limit').waitFor()
    await assertAccessible(page)

    await post('/evaluations', { evaluatorSlug: 'e2e-spent', traceIds: await recordTraces(1) })
    const waits = page.getByRole('region', { name: 'Waiting by connection' }).getByRole('listitem')
    await waits.getByText(/^8 at a time, \$\S+ of \$0 spent today$/).waitFor()
  })
})

describe('judging from traces', () => {
  it('a trace is evaluated with the selected evaluators, and its score links to the evaluator version', async () => {
    await post('/evaluators', {
      slug: 'e2e-says-it',
      name: 'Says “it is”',
      kind: 'contains',
      config: { value: 'It is' },
      sampleRate: 0,
    })
    const [traceId] = await recordTraces(1, { evaluators: [{ slug: 'e2e-says-it' }] })
    const page = await screens.open(`/traces/${traceId}`)
    const judging = page.getByRole('region', { name: 'Evaluations' })
    await judging.getByText('Not sampled for evaluation: the rate of e2e-says-it is 0%.').waitFor()
    await judging.getByRole('button', { name: 'Evaluate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Evaluate this trace' })
    await dialog.getByRole('checkbox', { name: 'Says “it is”' }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click()
    await page.getByText('1 evaluation queued').waitFor()
    const score = page
      .getByRole('region', { name: 'Scores' })
      .getByRole('listitem')
      .filter({ hasText: 'e2e-says-it' })
    await score.getByText('Yes').waitFor()
    await score.getByRole('link', { name: 'e2e-says-it v1' }).click()
    await page.waitForURL(/evaluators\/e2e-says-it\?.*version=1/)
    await page.getByRole('region', { name: 'Version 1' }).getByText('value: It is').waitFor()
  })

  it('a log is judged by itself', async () => {
    const logs = [{ id: 'answer', type: 'generation', output: 'It is four.' }]
    const [traceId] = await recordTraces(1, { logs })
    const page = await screens.open(`/traces/${traceId}?log=answer`)
    const judging = page.getByRole('region', { name: 'Evaluations' })
    await judging.getByText('No automatic evaluations.').waitFor()
    await judging.getByRole('button', { name: 'Evaluate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Evaluate this log' })
    await dialog.getByRole('checkbox', { name: 'Says “it is”' }).click()
    await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click()
    const scores = page.getByRole('region', { name: 'Scores' }).getByRole('listitem')
    await scores.filter({ hasText: 'e2e-says-it' }).getByText('Yes').waitFor()
  })

  it('traces that are selected are judged at once, and not twice', async () => {
    const ids = await recordTraces(2, { name: 'E2e selected' })
    await screens.listed('E2e selected', 2)
    const page = await screens.open('/traces?q=name:"E2e selected"')
    for (const id of ids)
      await page
        .getByRole('row')
        .filter({ hasText: 'E2e selected' })
        .nth(ids.indexOf(id))
        .getByRole('checkbox')
        .click()
    const judge = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Evaluate…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Evaluate 2 traces' })
      await dialog.getByRole('checkbox', { name: 'Says “it is”' }).click()
      await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click()
    }
    await judge()
    await page.getByText('2 evaluations queued').waitFor()
    await judge()
    await page.getByText('Everything is already evaluated').waitFor()
  })
})

describe('the sampling of an evaluator', () => {
  it('is shown beside the configured rate, and links to the sampled traces', async () => {
    await post('/evaluators', {
      slug: 'e2e-drawn',
      name: 'Is drawn',
      kind: 'contains',
      config: { value: 'It is' },
      sampleRate: 1,
    })
    await recordTraces(3, { evaluators: [{ slug: 'e2e-drawn' }] })
    await recordTraces(1, { evaluators: [{ slug: 'e2e-drawn' }], evaluationConfig: { sampleRate: 0 } })
    // Metrics may be a second late.
    await eventually(async () => assert.equal((await get('/evaluators/e2e-drawn/sampling')).eligible, 4))
    const page = await screens.open('/evaluators/e2e-drawn?view=sampling')
    const groups = page.getByRole('list', { name: 'Rate set by' }).getByRole('listitem')
    await groups.filter({ hasText: 'Rate of this evaluator' }).getByText('3 of 3').waitFor()
    await groups.filter({ hasText: 'Rate set by the trace' }).getByText('0 of 1').waitFor()
    await groups.first().getByText('as expected').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Sampled traces' }).click()
    await page.waitForURL(/\/traces\?/)
    await page.getByRole('row').filter({ hasText: 'To be judged' }).nth(2).waitFor()
    assert.equal(await page.getByRole('row').filter({ hasText: 'To be judged' }).count(), 3)
  })
})
