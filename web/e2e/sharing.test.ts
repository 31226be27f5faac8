import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

describe('share links', () => {
  it('somebody without an account reads the masked trace, until the link is revoked', async () => {
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
    // Deep down names keep their room on a phone, and logs tell their level.
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
