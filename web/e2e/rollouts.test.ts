import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const api = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await fetch(`${screens.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, await answer.clone().text())
  // Safe: the caller states the operation's output type.
  return (await answer.json()) as Answer
}

const getServed = async (slug: string, targetingKey: string): Promise<string> => {
  const path = `/prompts/${slug}?targetingKey=${encodeURIComponent(targetingKey)}`
  return (await api<{ prompt: { version: string } }>('GET', path)).prompt.version
}

/** A prompt with 1.0.0 in production, and 1.0.1. */
async function makePrompt(slug: string): Promise<void> {
  await api('POST', '/prompts', { slug, name: `Prompt ${slug}` })
  await api('POST', `/prompts/${slug}/versions`, { text: 'Say {{ one }}.', tags: ['production'] })
  await api('POST', `/prompts/${slug}/versions`, { text: 'Say {{ one }} kindly.' })
}

describe('rollouts', () => {
  it('are started, grown, compared and promoted', async () => {
    await makePrompt('grown')
    const page = await screens.open('/prompts/grown?view=rollout')
    await page.getByRole('button', { name: 'Start a rollout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start a rollout' })
    await dialog.getByRole('textbox', { name: 'Percentage of users' }).fill('101')
    await dialog.getByRole('button', { name: 'Start rollout' }).click()
    await dialog.getByText('Must be a number from 0 to 100.').waitFor()
    await dialog.getByRole('button', { name: '10%' }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Start rollout' }).click()
    const rollout = page.getByRole('region', { name: 'Rollout of production' })
    await rollout.getByText('No logs use either version yet.').waitFor()
    await rollout.getByRole('slider', { name: 'Percentage' }).fill('100')
    await rollout.getByText('90% more get the candidate.').waitFor()
    await rollout.getByRole('button', { name: 'Set to 100%' }).click()
    await page.getByText('100% of production').waitFor()
    assert.equal(await getServed('grown', 'ada'), '1.0.1')
    const record = (version: string, user: string) =>
      api('POST', '/monitor/trace', {
        user: { id: user, name: user },
        logs: [{ id: 'g', type: 'generation', prompt: { slug: 'grown', version }, cost: 0.5 }],
      })
    for (const user of ['a', 'b', 'c']) {
      await record('1.0.0', user)
      await record('1.0.1', `${user}2`)
    }
    const { rollouts } = await api<{ rollouts: { id: string }[] }>('GET', '/rollouts?promptSlug=grown')
    await eventually(async () => {
      const { candidate } = await api<{ candidate: { calls: number } }>(
        'GET',
        `/rollouts/${rollouts[0]?.id}/compare`,
      )
      assert.equal(candidate.calls, 3)
    })
    await page.reload()
    const comparison = rollout.getByRole('region', { name: 'Comparison' })
    await comparison
      .getByRole('row', { name: /^Cost per call/ })
      .getByText('$0.50')
      .first()
      .waitFor()
    await comparison
      .getByRole('row', { name: /^Error rate/ })
      .getByText('Can’t tell')
      .waitFor()
    await assertAccessible(page)
    await rollout.getByRole('button', { name: 'Promote…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Promote' }).click()
    await page.getByRole('region', { name: 'Past rollouts' }).getByText('Promoted').waitFor()
    assert.equal(
      (await api<{ prompt: { version: string } }>('GET', '/prompts/grown')).prompt.version,
      '1.0.1',
    )
  })

  it('are rolled back with a reason, which is kept; the prompt list shows running ones', async () => {
    await makePrompt('taken-back')
    await api('POST', '/rollouts', { promptSlug: 'taken-back', candidateVersion: '1.0.1', share: 0.25 })
    const page = await screens.open('/prompts?q=taken-back')
    await page.getByText('1.0.1 at 25%').waitFor()
    await page.getByText('Prompt taken-back').click()
    await page.getByRole('tab', { name: 'Rollout' }).click()
    await page.getByRole('button', { name: 'Roll back…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('It is rude.')
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    const pastRollouts = page.getByRole('region', { name: 'Past rollouts' })
    await pastRollouts.getByText('It is rude.').waitFor()
    await pastRollouts.getByRole('button', { name: 'Show the comparison' }).click()
    await pastRollouts.getByText('No logs use either version yet.').waitFor()
    await assertAccessible(page)
  })

  it('show which versions are still in use', async () => {
    await makePrompt('seen')
    await getServed('seen', 'ada')
    await api('GET', '/prompts/seen?version=1.0.1')
    const page = await screens.open('/prompts/seen?view=served')
    const live = page.getByRole('region', { name: 'Version 1.0.0' })
    await live.getByText('Fetched by').waitFor()
    await live.getByText('production', { exact: true }).first().waitFor()
    await page.getByRole('region', { name: 'Version 1.0.1' }).getByText('by version').waitFor()
    await assertAccessible(page)
  })
})
