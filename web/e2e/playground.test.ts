import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startModelServer } from '../../fixtures/model-server/server.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const models = await startModelServer({ script: [{ when: 'Ping', text: 'Pong from the model.' }] })
after(() => models.close())
const screens = await startScreens()

const api = async (path: string, body: object): Promise<unknown> => {
  const answer = await fetch(`${screens.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.clone().text())
  return answer.json()
}

async function makeConnection(name: string): Promise<string> {
  const response = (await api('/connections', {
    name,
    provider: 'open-ai',
    apiKey: 'sk-of-the-tests',
    baseUrl: models.url,
    models: ['gpt-4o', 'gpt-4.1-mini'],
  })) as { readonly connection: { readonly id: string } }
  return response.connection.id
}

const columnsOf = (...columns: string[]): string => encodeURIComponent(JSON.stringify(columns))

describe('the settings of connections', () => {
  it('add one, test it, and never show its key', async () => {
    const page = await screens.open('/settings/connections')
    await page.getByRole('button', { name: 'New connection' }).click()
    const dialog = page.getByRole('dialog', { name: 'New connection' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Model server')
    await dialog.getByLabel('API key').fill('sk-secret-9876')
    await dialog.getByRole('textbox', { name: 'URL' }).fill(models.url)
    await dialog.getByRole('textbox', { name: 'Models' }).fill('gpt-4o\nfake-429')
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    const test = page.getByRole('dialog', { name: 'Test Model server' })
    await test.getByText('gpt-4o answered after').waitFor()
    await test.getByRole('textbox', { name: 'Model' }).fill('fake-429')
    await test.getByRole('button', { name: 'Test again' }).click()
    await test.getByText(/Rate limit/).waitFor()
    await test.getByRole('button', { name: 'Done' }).click()
    await page.getByText('…9876').waitFor()
    assert.doesNotMatch(await page.content(), /sk-secret/)
    await assertAccessible(page)
  })
})

describe('the playground', () => {
  it('runs two columns side by side, and says why one failed', async () => {
    const id = await makeConnection('Side by side')
    await api('/prompts', { slug: 'side-by-side', name: 'Side by side' })
    await api('/prompts/side-by-side/versions', { text: 'Ping {{ name }}', tags: ['production'] })
    const page = await screens.open(
      `/playground?prompt=side-by-side&columns=${columnsOf(`${id}||gpt-4o`, `${id}||fake-429`)}`,
    )
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ada')
    await page.keyboard.press('ControlOrMeta+Enter')
    const [first, second] = [
      page.getByRole('article', { name: 'Column 1' }),
      page.getByRole('article', { name: 'Column 2' }),
    ]
    await first.getByText('Pong from the model.').waitFor()
    await first.getByTitle('From the request to the last token').waitFor()
    await second
      .getByRole('alert')
      .getByText(/Rate limit/)
      .waitFor()
    await assertAccessible(page)
    await page.reload()
    assert.equal(await page.getByRole('textbox', { name: 'name', exact: true }).inputValue(), 'Ada')
  })

  it('offers versions that are older than the first page, once the end of the list is near', async () => {
    await makeConnection('Long history')
    await api('/prompts', { slug: 'long-history', name: 'Long history' })
    for (let number = 1; number <= 120; number++)
      await api('/prompts/long-history/versions', { text: `Text {{ v${number} }}` })
    const page = await screens.open('/playground?prompt=long-history')
    await page.getByRole('combobox', { name: 'Version in column 1' }).click()
    await page.getByRole('option', { name: 'Version 1.0.119' }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'Version 1.0.1', exact: true }).count(), 0)
    await page.keyboard.press('End')
    await page.getByRole('option', { name: 'Version 1.0.1', exact: true }).click()
    await page.getByRole('combobox', { name: 'Version in column 1' }).getByText('Version 1.0.1').waitFor()
    // Its variables are shown beside those of the draft.
    await page.getByRole('textbox', { name: 'v2', exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'v120', exact: true }).waitFor()
  })

  it('reports a missing prompt instead of showing an empty one', async () => {
    await makeConnection('Of no prompt')
    const page = await screens.open('/playground?prompt=no-such-prompt')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })

  it('starts from the newest version again if the text is unchanged', async () => {
    await makeConnection('Of the newest')
    await api('/prompts', { slug: 'newest-again', name: 'Newest again' })
    await api('/prompts/newest-again/versions', { text: 'The first text.' })
    const page = await screens.open('/playground?prompt=newest-again')
    await page.getByText('The first text.').first().waitFor()
    await api('/prompts/newest-again/versions', { text: 'The second text.' })
    await page.reload()
    await page.getByText('The second text.').first().waitFor()
  })

  it('redirects to the sign-in if a run finds that the session has ended', async () => {
    await makeConnection('Of no session')
    await api('/prompts', { slug: 'signed-out', name: 'Signed out' })
    await api('/prompts/signed-out/versions', { text: 'Greet.' })
    const page = await screens.open('/playground?prompt=signed-out')
    await page.getByText('Greet.').first().waitFor()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.waitForURL(/sign-in/)
  })

  it('streams an output, and stops it', async () => {
    const id = await makeConnection('In pieces')
    await api('/prompts', { slug: 'in-pieces', name: 'In pieces' })
    await api('/prompts/in-pieces/versions', { text: 'Tell me of the sea.' })
    const page = await screens.open(`/playground?prompt=in-pieces&columns=${columnsOf(`${id}||fake-slow`)}`)
    await page.getByRole('button', { name: 'Run all' }).click()
    const answer = page.getByRole('region', { name: 'column 1', exact: true })
    await answer.and(page.locator('[aria-busy=true]')).getByText('You asked').waitFor()
    await page.getByRole('button', { name: 'Stop all' }).click()
    await answer.getByText('Stopped.').waitFor()
    await page.getByRole('button', { name: 'Run all' }).waitFor()
  })

  it('saves the draft as the next version of the prompt, after a review of the changes', async () => {
    const id = await makeConnection('To save')
    await api('/prompts', { slug: 'played-with', name: 'Played with' })
    await api('/prompts/played-with/versions', { text: 'Ping', tags: ['production'] })
    const page = await screens.open(`/playground?prompt=played-with&columns=${columnsOf(`${id}||gpt-4o`)}`)
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Ping, kindly')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('Pong from the model.').waitFor()
    await page.getByRole('button', { name: 'Save as a version…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a new version' })
    await dialog.getByRole('region', { name: 'Changes of text' }).getByText('kindly').waitFor()
    await dialog.getByRole('region', { name: 'Changes of model' }).getByText('gpt-4o').waitFor()
    await dialog.getByRole('button', { name: 'Save version' }).click()
    await page.waitForURL(/\/prompts\/played-with\?version=/)
    await page.getByRole('textbox', { name: 'Text', exact: true }).getByText('kindly').waitFor()
  })

  it('runs the rows of a dataset, each on each column', async () => {
    const id = await makeConnection('Of rows')
    await api('/datasets', { slug: 'greeted', name: 'Greeted', columns: [{ name: 'name', type: 'text' }] })
    for (const name of ['Ada', 'Grace']) await api('/datasets/greeted/items', { values: { name } })
    await api('/prompts', { slug: 'of-rows', name: 'Of rows' })
    await api('/prompts/of-rows/versions', { text: 'Ping {{ name }}' })
    const columns = columnsOf(`${id}||gpt-4o`, `${id}||gpt-4.1-mini`)
    const page = await screens.open(`/playground?prompt=of-rows&dataset=greeted&columns=${columns}`)
    const count = page.getByLabel('Rows to run')
    await count.fill('')
    await count.pressSequentially('5')
    assert.equal(await count.inputValue(), '5')
    await page.waitForURL(/rows=5/)
    await page.getByRole('rowheader', { name: /Grace/ }).waitFor()
    await page.getByRole('button', { name: 'Run all' }).click()
    const grid = page.getByRole('region', { name: 'Outputs by row' })
    await grid.getByText('Pong from the model.').nth(3).waitFor()
    await grid.getByRole('columnheader', { name: /gpt-4o.*2\/2/ }).waitFor()
    await assertAccessible(page)
  })

  it('replays the call of a trace with its messages, tools and parameters', async () => {
    await makeConnection('To replay')
    const { trace } = (await api('/monitor/trace', {
      name: 'To replay',
      logs: [
        {
          id: 'call',
          type: 'generation',
          input: [
            { role: 'user', content: 'What is {{ this }}?' },
            { role: 'assistant', content: 'A template.' },
            { role: 'user', content: 'Ping' },
          ],
          output: 'Pong',
          metadata: {
            model: 'gpt-4o',
            parameters: { temperature: 0.25, tools: [{ type: 'function', function: { name: 'look_up' } }] },
          },
        },
      ],
    })) as { readonly trace: { readonly id: string } }
    const page = await screens.open(`/playground?trace=${trace.id}&log=call`)
    await page.getByRole('textbox', { name: 'Message 3' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Message 1' }).inputValue(), 'What is {{ this }}?')
    assert.equal(await page.getByRole('combobox', { name: 'Model of column 1' }).inputValue(), 'gpt-4o')
    await page.getByText('1 tool').click()
    const temperature = page.getByRole('textbox', { name: 'Temperature' })
    assert.equal(await temperature.inputValue(), '0.25')
    await temperature.fill('warm')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('temperature: Enter a number.').first().waitFor()
    await temperature.fill('0.25')
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    await page.getByRole('button', { name: 'Add message' }).click()
    await page.getByRole('textbox', { name: 'Message 4' }).fill('Ping again')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('Pong from the model.').waitFor()
  })
})

describe('publishing a prompt', () => {
  it('replays recorded calls on the new version first, with outputs and scores side by side', async () => {
    await makeConnection('For replays')
    const model = { provider: 'open-ai', model: 'gpt-4o' }
    const slug = 'replayed'
    await api('/prompts', { slug, name: 'Replayed' })
    await api(`/prompts/${slug}/versions`, { text: 'Old {{ question }}', model, tags: ['production'] })
    const version = 'ping'
    await api(`/prompts/${slug}/versions`, { text: 'Ping {{ question }}', model, version })
    await api('/evaluators', {
      slug: 'from-the-model',
      name: 'From the model',
      kind: 'contains',
      config: { value: 'model' },
    })
    await api('/monitor/trace', {
      name: 'replayed call',
      logs: [
        {
          id: 'a',
          type: 'generation',
          prompt: { slug },
          variables: [{ label: 'question', value: 'How long is the guarantee?' }],
          output: 'Two years.',
        },
      ],
    })
    await screens.listed('replayed call', 1)
    const page = await screens.open(`/prompts/${slug}?version=${version}`)
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish ping' })
    await dialog.getByText(/in the last 7 days/).waitFor()
    await dialog.getByRole('button', { name: 'Set up a replay' }).click()
    await dialog.getByRole('checkbox', { name: 'From the model' }).click()
    await dialog.getByRole('button', { name: 'Run the replay' }).click()
    await dialog.getByText('1 call: 0 same, 1 changed').waitFor()
    await dialog.getByText('1 better').waitFor()
    const calls = dialog.getByRole('list', { name: 'Replayed calls' })
    await calls.getByText('question: How long is the guarantee?').waitFor()
    await calls.getByText('Two years.').waitFor()
    await calls.getByText('Pong from the model.').waitFor()
    await assertAccessible(page)
  })
})
