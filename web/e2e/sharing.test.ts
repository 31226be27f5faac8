import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

describe('share links', () => {
  it('someone without an account reads the masked trace, until the link is revoked', async () => {
    const {
      trace: { id },
    } = await client.monitor.trace({
      name: 'shared by a link',
      user: { id: 'u', name: 'Keira Bello' },
      input: { question: 'Please write to keira@example.com' },
      logs: [
        { id: 'a', type: 'tool', name: 'send mail', output: 'sent' },
        ...Array.from({ length: 12 }, (_, index) => ({
          id: `step-${index}`,
          type: 'span' as const,
          name: `Step number ${index + 1}`,
          ...(index > 0 && { parentId: `step-${index - 1}` }),
        })),
      ],
    })
    const page = await screens.open(`/traces/${id}`)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share trace' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const links = dialog.getByRole('list', { name: 'Links' })
    const url = await links.locator('code').innerText()
    await assertAccessible(page)

    const path = new URL(url).pathname.replace(/^\/app/, '')
    const visitor = await screens.open(path, { isSignedIn: false })
    await visitor.getByRole('heading', { name: 'shared by a link' }).waitFor()
    await visitor.getByText('[email]').waitFor()
    await visitor.getByText('send mail').click()
    await visitor.getByText('sent', { exact: true }).waitFor()
    assert.ok(!(await visitor.content()).includes('Keira Bello'))
    await assertAccessible(visitor)
    // Deeply nested logs keep space for their names on a phone, and show their level.
    await visitor.setViewportSize({ width: 390, height: 844 })
    const deepest = visitor.locator('summary').filter({ hasText: 'Step number 12' })
    await deepest.getByText('13', { exact: true }).waitFor()
    const box = await deepest.getByText('Step number 12').boundingBox()
    assert.ok(box && box.width >= 80, `${box?.width} px of its name are in sight`)

    await links.getByRole('button', { name: 'Revoke' }).click()
    await links.waitFor({ state: 'detached' })
    await visitor.reload()
    await visitor.getByText('This link was revoked.').waitFor()
  })
})

describe('a shared trace', () => {
  const openShared = async (
    input: NonNullable<Parameters<typeof client.monitor.trace>[0]> & { name: string },
  ) => {
    const {
      trace: { id },
    } = await client.monitor.trace(input)
    const { share } = await client.shares.create({ traceId: id })
    const page = await screens.open(new URL(share.url).pathname.replace(/^\/app/, ''), { isSignedIn: false })
    await page.getByRole('heading', { name: input.name }).waitFor()
    return page
  }

  it('shows which logs failed, and why', async () => {
    const page = await openShared({
      name: 'shared with failures',
      metadata: { error: 'The order is gone.' },
      logs: [
        { id: 'a', type: 'tool', name: 'look up', metadata: { error: { message: 'connect ECONNREFUSED' } } },
        { id: 'b', type: 'tool', name: 'fall back', output: 'fine' },
      ],
    })
    await page.getByRole('region', { name: 'Error' }).getByText('The order is gone.').waitFor()
    await page.getByText('1 log', { exact: true }).waitFor()
    const failed = page.locator('details').filter({ hasText: 'look up' })
    await failed.getByText('Failed', { exact: true }).waitFor({ state: 'attached' })
    await failed.locator('summary').click()
    await failed.getByText('connect ECONNREFUSED').waitFor()
    const fine = page.locator('details').filter({ hasText: 'fall back' })
    assert.equal(await fine.getByText('Failed', { exact: true }).count(), 0)
    await assertAccessible(page)
  })

  it('with thousands of logs renders them in steps, and their content once opened', async () => {
    const page = await openShared({
      name: 'shared with many logs',
      logs: Array.from({ length: 3000 }, (_, index) => ({
        id: `step-${index}`,
        type: 'generation' as const,
        name: `Step number ${index}`,
        input: [{ role: 'user', content: `Question ${index}` }],
      })),
    })
    const logs = page.locator('summary')
    await logs.first().waitFor()
    assert.equal(await logs.count(), 500)
    assert.equal(await page.getByText('Question 499').count(), 0)
    await page.getByRole('button', { name: 'Show 500 more of 3,000 logs' }).click()
    await logs.filter({ hasText: 'Step number 999' }).click()
    await page.getByText('Question 999').waitFor()
  })

  it('shows a message if it is empty', async () => {
    const page = await openShared({ name: 'shared and empty' })
    await page.getByText('This trace has no input, no output and no logs.').waitFor()
  })
})

describe('the cost receipt', () => {
  it('states each call as tokens times price, with the list, and its total', async () => {
    const {
      trace: { id },
    } = await client.monitor.trace({
      name: 'with a receipt',
      logs: [
        {
          id: 'a',
          type: 'generation',
          name: 'Answer',
          metadata: { model: 'gpt-4o', provider: 'openai' },
          inputTokens: 1_000_000,
          outputTokens: 0,
          input: 'x',
          output: 'y',
        },
      ],
    })
    const page = await screens.open(`/traces/${id}`)
    await page.getByRole('button', { name: 'Receipt' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cost receipt' })
    const call = dialog.getByRole('list', { name: 'Calls' }).getByRole('listitem')
    const { trace } = await client.traces.get({ id })
    await call.getByText('1,000,000').waitFor()
    await call.getByText(/^Price list /).waitFor()
    assert.ok((trace.totals.cost ?? 0) > 0)
    await dialog.getByText('Total').waitFor()
    await assertAccessible(page)
  })

  it('marks what is made of tokens that the service counted', async () => {
    const {
      trace: { id },
    } = await client.monitor.trace({
      name: 'with counted tokens',
      logs: [
        {
          id: 'a',
          type: 'generation',
          name: 'Answer',
          metadata: { model: 'gpt-4o', provider: 'openai' },
          input: 'What does a receipt say?',
          output: 'What it costs.',
        },
      ],
    })
    const page = await screens.open(`/traces/${id}`)
    await page.getByRole('button', { name: 'Receipt' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cost receipt' })
    await dialog.getByText('We counted the tokens, because none were reported.').waitFor()
    assert.equal(await dialog.getByText(/^~\$/).count(), 2)
    await page.goto(`${screens.url}/app/traces/diff?a=${id}&b=${id}`)
    const row = page.getByRole('grid', { name: 'Logs of both traces' }).getByRole('row', { name: /Answer/ })
    await row.getByText(/^~\$/).waitFor()
    await row.getByText(/^~\d/).waitFor()
  })
})
