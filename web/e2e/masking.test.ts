import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { assertAccessible, startScreens } from './support/testing.ts'

// Workspace rules change the traces that other tests record.
const screens = await startScreens({ hasOwnWorkspace: true })
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

describe('masking', () => {
  it('rules are tried on stored traces, with the hits marked, then saved; what arrives afterwards is masked', async () => {
    const name = 'to be masked'
    await client.monitor.trace({ name, input: 'Write to jane.roe@example.com, staff EMP-123456.' })
    await screens.listed(name, 1)
    const page = await screens.open('/settings/masking')
    await page.getByText('Nothing is masked').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const second = page.getByRole('listitem', { name: /^Rule 2/ })
    await second.getByRole('combobox', { name: 'Match by' }).click()
    await page.getByRole('option', { name: /^Pattern/ }).click()
    const pattern = page.getByLabel('Regular expression')
    await pattern.fill('EMP-(\\d{6}')
    await page.getByLabel('Name', { exact: true }).last().fill('Staff numbers')

    await page.getByRole('button', { name: 'Try on' }).click()
    await page.getByText(/is not a valid RE2 regular expression/).waitFor()
    await assertAccessible(page)
    await pattern.fill('EMP-\\d{6}')
    await page.getByRole('button', { name: 'Try on' }).click()
    await page.getByText(/The rules would have changed \d+ of \d+ traces/).waitFor()
    const marks = await page.locator('mark').allTextContents()
    for (const text of ['jane.roe@example.com', '[email]', 'EMP-123456', '[masked]'])
      assert.ok(marks.includes(text), `${text} is not among ${marks.join(', ')}`)
    await assertAccessible(page)
    assert.deepEqual(await client.masking.get(), { rules: [] })

    await page.getByRole('button', { name: 'Move Staff numbers up' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Masking rules saved').waitFor()
    const { rules } = await client.masking.get()
    assert.deepEqual(
      rules.map((rule) => rule.name),
      ['Staff numbers', 'E-mail addresses'],
    )
    const { trace } = await client.monitor.trace({ input: 'jane.roe@example.com' })
    assert.equal((await client.traces.get({ id: trace.id })).trace.input, '[email]')
    await page.reload()
    await page.getByRole('listitem', { name: 'Rule 1: Staff numbers' }).waitFor()
  })

  it('the rehearsal is accessible and fits a phone', async () => {
    const page = await screens.open('/settings/masking', { width: 390, height: 844 })
    await page.getByRole('button', { name: 'Try on' }).click()
    await page.getByText(/The rules would have changed/).waitFor()
    await assertAccessible(page)
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.equal(overflow, 0)
  })
})
