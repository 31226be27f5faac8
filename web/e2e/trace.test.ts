import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const start = Date.now() - 60_000
const timeAfter = (ms: number): string => new Date(start + ms).toISOString()

async function record(body: object): Promise<string> {
  const answer = await fetch(`${screens.url}/monitor/trace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { trace: { id: string } }).trace.id
}

const question = [
  { role: 'system', content: 'You answer for a **shop**.' },
  { role: 'user', content: 'Where is my order?' },
]
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{"order":"#17"}' } },
  ],
}

/** An agent that decides, looks an order up, fails to send a mail, and answers. */
const agent = (answer: string, { isMailed = false } = {}) => ({
  name: 'Order question',
  startTime: timeAfter(0),
  endTime: timeAfter(2000),
  logs: [
    { id: 'agent', type: 'span', name: 'agent', startTime: timeAfter(0), endTime: timeAfter(2000) },
    {
      id: 'decide',
      type: 'generation',
      name: 'decide',
      parentId: 'agent',
      startTime: timeAfter(0),
      endTime: timeAfter(800),
      input: question,
      output: [call],
      metadata: { provider: 'openai', model: 'gpt-4o' },
      inputTokens: 200,
      outputTokens: 40,
    },
    {
      id: 'find',
      type: 'tool',
      name: 'find_order',
      parentId: 'agent',
      startTime: timeAfter(800),
      endTime: timeAfter(900),
      input: { order: '#17' },
      output: { state: 'sent' },
    },
    ...(isMailed
      ? []
      : [
          {
            id: 'mail',
            type: 'function',
            name: 'send-mail',
            parentId: 'find',
            startTime: timeAfter(850),
            endTime: timeAfter(890),
            metadata: { error: 'The mail server was down.' },
          },
        ]),
    {
      id: 'answer',
      type: 'generation',
      name: 'answer',
      parentId: 'agent',
      startTime: timeAfter(900),
      endTime: timeAfter(2000),
      input: [...question, call, { role: 'tool', tool_call_id: 'c1', content: '{"state":"sent"}' }],
      output: answer,
      idealOutput: 'Your order is on its way.',
      metadata: { provider: 'openai', model: 'gpt-4o' },
      inputTokens: 260,
      outputTokens: 20,
    },
  ],
})

const traceId = await record(agent('Your order was **sent** yesterday.'))

describe('a trace', () => {
  it('is read by keyboard alone: tree, chat, failures', async () => {
    const page = await screens.open(`/traces/${traceId}`)
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByText('decide').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const decide = page.getByRole('region', { name: 'Log decide' })
    await decide.getByRole('region', { name: 'Call of find_order' }).getByText('"#17"').waitFor()
    await page.waitForURL(/log=decide/)
    // Resent messages are collapsed, and the tool result is beside its call.
    await page.keyboard.press('End')
    const answer = page.getByRole('region', { name: 'Log answer' })
    await answer.getByText('Same 3 messages as in decide above').waitFor()
    await answer.getByRole('button', { name: 'Show' }).click()
    await answer.getByRole('region', { name: 'Call of find_order' }).getByText('"sent"').waitFor()
    await answer.getByRole('strong').filter({ hasText: 'sent' }).waitFor()
    await answer.getByRole('region', { name: 'Output compared with ideal output' }).getByText('way').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.getByRole('region', { name: 'The trace', exact: true }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('region', { name: 'Log send-mail' }).getByRole('region', { name: 'Error' }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Log send-mail',
    )
    await page.waitForURL(/log=mail/)
    // A reload and a shared link show the same.
    await page.reload()
    await page.getByRole('region', { name: 'Log send-mail' }).waitFor()
  })

  it('collapses, shows failures of descendants, and is searched', async () => {
    const page = await screens.open(`/traces/${traceId}?log=find`)
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByRole('treeitem', { name: /send-mail/ }).waitFor()
    await tree.focus()
    await page.keyboard.press('ArrowLeft')
    await tree.getByRole('treeitem', { name: /send-mail/ }).waitFor({ state: 'detached' })
    await tree
      .getByRole('treeitem', { name: /find_order/ })
      .getByTitle('1 failed below')
      .waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('type:generation order is')
    await page.getByText('2 of 5').waitFor()
    await page.getByRole('textbox', { name: 'Search the tree' }).fill('mail server')
    await tree.getByRole('treeitem', { name: /send-mail/ }).waitFor()
    await tree.getByRole('treeitem', { name: /answer/ }).waitFor({ state: 'detached' })
    await page.waitForURL(/find=mail/)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Log send-mail' }).waitFor()
  })

  it('shows its cost breakdown, and copies a command', async () => {
    const page = await screens.open(`/traces/${traceId}?log=decide`)
    const log = page.getByRole('region', { name: 'Log decide' })
    await log.getByRole('button', { name: /\$/ }).hover()
    await page.getByText('Uncached input').waitFor()
    await log.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'curl to repeat the call' }).click()
    await page.getByText('Copied the command').waitFor()
    assert.match(
      await page.evaluate(() => navigator.clipboard.readText()),
      /^curl 'https:\/\/api\.openai\.com/,
    )
    const link = log.getByRole('link', { name: 'Playground' })
    assert.match(
      (await link.getAttribute('href')) ?? '',
      new RegExp(`/app/playground\\?trace=${traceId}&log=decide`),
    )
  })

  it('grows by itself while it is running', async () => {
    const traceId = 'e2e0'.padEnd(32, '7')
    const nowMs = Date.now()
    const send = async (name: string, spanId: string, parentSpanId?: string): Promise<void> => {
      const span = {
        traceId,
        spanId,
        ...(parentSpanId !== undefined && { parentSpanId }),
        name,
        startTimeUnixNano: `${nowMs - 2000}000000`,
        endTimeUnixNano: `${nowMs - 1000}000000`,
      }
      const answer = await fetch(`${screens.url}/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
      })
      assert.ok(answer.ok)
    }
    await send('The first step', '00000000000000e1', '00000000000000e0')
    await screens.listed('The first step', 1)
    const page = await screens.open('/traces?q=name:"The first step"')
    await page.getByRole('row').nth(1).click()
    await page.getByRole('button', { name: 'Open full screen' }).click()
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByText('The first step').last().waitFor()
    await send('The whole run', '00000000000000e0')
    await tree.getByText('The whole run').last().waitFor()
  })

  it('from OpenTelemetry has its root span once, and links to it', async () => {
    const traceId = 'e2e1'.padEnd(32, '7')
    const nowMs = Date.now()
    const span = (name: string, spanId: string, fields: object) => ({
      traceId,
      spanId,
      name,
      startTimeUnixNano: `${nowMs - 2000}000000`,
      endTimeUnixNano: `${nowMs - 1000}000000`,
      ...fields,
    })
    const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
    const root = '00000000000000f0'
    const spans = [
      span('Plan a trip', root, {
        attributes: [text('gen_ai.operation.name', 'invoke_agent'), text('travel.season', 'spring')],
      }),
      span('find_train', '00000000000000f1', {
        parentSpanId: root,
        attributes: [text('gen_ai.operation.name', 'execute_tool')],
      }),
    ]
    const answer = await fetch(`${screens.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    assert.ok(answer.ok)
    const page = await screens.open(`/traces/${traceId}`)
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByRole('treeitem', { name: /find_train/ }).waitFor()
    const names = await tree.getByRole('treeitem').allTextContents()
    assert.equal(names.filter((name) => name.includes('Plan a trip')).length, 1)
    await page.getByRole('button', { name: 'OpenTelemetry' }).click()
    await page.getByRole('tree', { name: 'OpenTelemetry' }).getByText('travel.season:').waitFor()
    await assertAccessible(page)
    await tree.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('region', { name: 'Log find_train' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('region', { name: 'The trace', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open the root span' }).click()
    await page.getByRole('region', { name: 'Log Plan a trip' }).waitFor()
    await page.waitForURL(/log=00000000000000f0/)
  })

  it('is scored manually, and the score is undone', async () => {
    const page = await screens.open(`/traces/${traceId}?log=answer`)
    const scores = page.getByRole('region', { name: 'Scores' })
    await scores.getByRole('button', { name: 'Score', exact: true }).click()
    await scores.getByLabel('Name').fill('helpful')
    await scores.getByRole('button', { name: 'Yes' }).click()
    await scores.getByLabel('Reason').fill('It says when.')
    await assertAccessible(page)
    await scores.getByRole('button', { name: 'Save score' }).click()
    await scores.getByText('It says when.').waitFor()
    await scores.getByRole('button', { name: 'Delete helpful' }).click()
    await scores.getByText('It says when.').waitFor({ state: 'detached' })
  })

  it('links to a list that contains it, however old it is', async () => {
    const time = Date.now() - 20 * 86_400_000
    const old = await record({
      name: 'Of three weeks ago',
      sessionId: 'three weeks ago',
      startTime: new Date(time).toISOString(),
      endTime: new Date(time + 500).toISOString(),
    })
    await screens.listed('Of three weeks ago', 1)
    const page = await screens.open(`/traces/${old}`)
    await page.getByRole('link', { name: 'three weeks ago', exact: true }).click()
    await page.getByRole('grid', { name: 'Traces' }).getByText('Of three weeks ago').waitFor()
  })

  it('becomes a row of a new dataset, with the answer that would have been correct', async () => {
    const page = await screens.open(`/traces/${traceId}?log=answer`)
    await page.getByRole('button', { name: 'Add to dataset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to dataset' })
    await dialog.getByRole('combobox', { name: 'Dataset' }).fill('Trace screen')
    await page.getByRole('option', { name: 'New dataset' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Trace screen cases')
    await dialog.getByRole('combobox', { name: 'Ideal output' }).click()
    await page.getByRole('option', { name: 'What I write below' }).click()
    await dialog.getByRole('textbox', { name: 'Correct answer' }).fill('It arrives today.')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Add 1 row' }).click()
    await page.getByText('Added 1 row to “Trace screen cases”').waitFor()
    const response = await fetch(`${screens.url}/datasets/trace-screen-cases/items`, {
      headers: { authorization: `Bearer ${screens.key}` },
    })
    const { rows } = (await response.json()) as { rows: readonly { idealOutput: string }[] }
    assert.deepEqual(
      rows.map(({ idealOutput }) => idealOutput),
      ['It arrives today.'],
    )
  })

  it('is compared with another, log by log', async () => {
    await record(agent('Your order is on its way.', { isMailed: true }))
    const page = await screens.open(`/traces/diff?a=${traceId}`)
    await page.getByRole('searchbox', { name: 'Search inputs and outputs' }).fill('"order is on its way"')
    const choices = page.getByRole('grid', { name: 'Traces to compare with' })
    await choices
      .getByRole('row', { name: /Order question/ })
      .last()
      .click()
    const summary = page.getByRole('region', { name: 'Both traces' })
    await summary.getByText('1 log only in A').waitFor()
    const table = page.getByRole('grid', { name: 'Logs of both traces' })
    await table
      .getByRole('row', { name: /send-mail/ })
      .getByText('only in A')
      .waitFor()
    await table.getByRole('row', { name: /answer/ }).click()
    const pair = page.getByRole('complementary', { name: 'Log pair' })
    await pair.getByRole('region', { name: 'Output: A compared with B' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('checkbox', { name: 'Only differences' }).click()
    await table.getByRole('row', { name: /decide/ }).waitFor({ state: 'detached' })
    await pair.getByRole('link', { name: 'Open in B' }).click()
    await page.getByRole('region', { name: 'Log answer' }).waitFor()
  })

  it('is compared with another that differs only in its output', async () => {
    const ids = await Promise.all(
      ['The answer is five.', 'The answer is seven.'].map((output) =>
        record({ name: 'Compared as a whole', input: 'How many?', output, logs: [] }),
      ),
    )
    const page = await screens.open(`/traces/diff?a=${ids[0]}&b=${ids[1]}`)
    const summary = page.getByRole('region', { name: 'Both traces' })
    await summary.getByText('output changed').waitFor()
    assert.equal(await summary.getByText('none').count(), 0)
    await summary.getByRole('button', { name: 'Show' }).click()
    const panel = page.getByRole('complementary', { name: 'The traces' })
    await panel.getByRole('region', { name: 'Output: A compared with B' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  it('is compared after a retry if it could not be read at first', async () => {
    const page = await screens.open('/traces', { isFirstVisit: true })
    await page.route(`**/monitor/traces/${traceId}`, (route) =>
      route.fulfill({ status: 500, json: { error: 'The trace store had an error.' } }),
    )
    await page.goto(`${screens.url}/app/traces/diff?a=${traceId}&b=${traceId}`)
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unrouteAll()
    await retry.click()
    await page.getByRole('region', { name: 'Both traces' }).waitFor()
    assert.match(page.url(), /b=/)
  })

  it('shows the list markers of right-to-left text', async () => {
    const id = await record({ name: 'Right to left', output: '1. ראשון\n2. שני\n\n> מצוטט' })
    const page = await screens.open(`/traces/${id}`)
    const list = page.getByRole('region', { name: 'Output', exact: true }).getByRole('list')
    await list.waitFor()
    const padding = await list.evaluate((element) => {
      const { direction, paddingLeft, paddingRight } = getComputedStyle(element)
      return { direction, paddingLeft, paddingRight }
    })
    assert.deepEqual(padding, { direction: 'rtl', paddingLeft: '0px', paddingRight: '20px' })
  })

  it('stays with a notice when someone deletes it', async () => {
    const id = await record({ name: 'Deleted while it is read', output: 'It stays.' })
    const page = await screens.open(`/traces/${id}`)
    await page.getByText('It stays.').waitFor()
    await fetch(`${screens.url}/monitor/traces/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${screens.key}` },
    })
    await page.getByRole('alert').getByText('This trace has been deleted.').waitFor()
    await page.getByText('It stays.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0)
    await assertAccessible(page)
  })

  it('links to the others from the same OpenTelemetry trace', async () => {
    const span = (spanId: string, name: string, parentSpanId?: string) => ({
      traceId: 'e2e0'.repeat(8),
      spanId: spanId.repeat(8),
      name,
      startTimeUnixNano: `${Date.now()}000000`,
      endTimeUnixNano: `${Date.now() + 5}000000`,
      attributes: [{ key: 'basalt.root', value: { boolValue: true } }],
      ...(parentSpanId !== undefined && { parentSpanId: parentSpanId.repeat(8) }),
    })
    const spans = [span('a1', 'Service that calls'), span('b2', 'Service that is called', 'a1')]
    const answer = await fetch(`${screens.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    assert.equal(answer.status, 200)
    await screens.listed('Service that is called', 1)
    const page = await screens.open('/traces?q=name:"Service that calls"')
    await page.getByRole('row').filter({ hasText: 'Service that calls' }).first().click()
    await page.getByRole('link', { name: 'Service that is called' }).click()
    await page.waitForURL(/traces\/[0-9a-f-]{36}/)
    await page.getByRole('link', { name: 'Service that calls' }).waitFor()
    await assertAccessible(page)
  })

  it('a log that ends after its parent is drawn to its end, with a note', async () => {
    const id = await record({
      name: 'Overrun',
      startTime: timeAfter(0),
      endTime: timeAfter(531),
      logs: [
        { id: 'in', type: 'span', name: 'In time', startTime: timeAfter(0), endTime: timeAfter(500) },
        {
          ...{ id: 'out', parentId: 'in', type: 'tool', name: 'Late' },
          ...{ startTime: timeAfter(100), endTime: timeAfter(1700) },
        },
      ],
    })
    const page = await screens.open(`/traces/${id}`)
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name })
    await row('Late').getByText('Ends 1.2 s after its parent log').waitFor()
    assert.equal(
      await row('In time')
        .getByText(/^Ends|\. Ends/)
        .count(),
      0,
    )
    const label = await row('Late').getByTitle(/^Ends/).boundingBox()
    const tree = await page.getByRole('tree', { name: 'Logs' }).boundingBox()
    assert.ok(label && tree && label.x + label.width <= tree.x + tree.width, 'the label is in the tree')
    await assertAccessible(page)
  })

  it('deeply nested rows keep space for their names, and show their level', async () => {
    const levels = 20
    const id = await record({
      name: 'Agents of agents',
      startTime: timeAfter(0),
      endTime: timeAfter(2000),
      logs: Array.from({ length: levels }, (_, index) => ({
        id: `agent-${index}`,
        type: index === levels - 1 ? 'generation' : 'span',
        name: `Agent number ${index + 1}`,
        ...(index > 0 && { parentId: `agent-${index - 1}` }),
        startTime: timeAfter(index),
        endTime: timeAfter(1500),
        ...(index === levels - 1 && { inputTokens: 1200, metadata: { provider: 'openai', model: 'gpt-4o' } }),
      })),
    })
    const page = await screens.open(`/traces/${id}?log=agent-19`)
    const deepest = page.getByRole('treeitem', { name: /Agent number 20/ })
    for (const [width, leastNamePx] of [
      [1440, 80],
      [390, 80],
    ] as const) {
      await page.setViewportSize({ width, height: 1400 })
      await deepest.getByText('21', { exact: true }).waitFor()
      const name = await deepest.getByText('Agent number 20').boundingBox()
      assert.ok(name && name.width >= leastNamePx, `${name?.width} px of its name are in sight at ${width}`)
      const row = await deepest.boundingBox()
      const duration = await deepest.getByText('1.5 s').boundingBox()
      assert.ok(row && duration && duration.x + duration.width <= row.x + row.width, `at ${width}`)
    }
    await assertAccessible(page)
  })

  it('says so where there is none', async () => {
    const page = await screens.open('/traces/01a1fd2c-0000-7000-8000-000000000000')
    await page.getByRole('alert').getByText('Not found').waitFor()
  })
})
