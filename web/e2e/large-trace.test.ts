// 10,000 logs are loaded in pages, never in one response of 7 MB.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

const logCount = 10_000
const bytesMax = 1_000_000

/** Steps with nine calls and tools below each, all with texts, as of a large agent. */
async function recordLargeTrace(): Promise<string> {
  const startMs = Date.now() - 600_000
  const timeAfter = (ms: number): string => new Date(startMs + ms).toISOString()
  const logs = Array.from({ length: logCount }, (_, index) => ({
    id: `log-${index}`,
    type: (['span', 'generation', 'tool', 'function'] as const)[index % 4] ?? 'span',
    name: `step ${index}`,
    ...(index % 10 > 0 && { parentId: `log-${index - (index % 10)}` }),
    startTime: timeAfter(index * 10),
    endTime: timeAfter(index * 10 + 500),
    input: { question: `What is ${index}? ${'Think of it. '.repeat(40)}` },
    output: index === 7777 ? 'It is the quetzal.' : `It is ${index}.`,
    ...(index % 4 === 1 && {
      inputTokens: 100,
      outputTokens: 20,
      metadata: { provider: 'openai', model: 'gpt-4o' },
    }),
    ...(index === 4242 && { metadata: { error: 'It was too much.' } }),
  }))
  const answer = await fetch(`${screens.url}/monitor/trace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A large trace', logs }),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { trace: { id: string } }).trace.id
}

/** The uncompressed bytes of each response to a page, by URL. */
function answerSizes(page: Page): Map<string, number> {
  const sizes = new Map<string, number>()
  page.on('response', (response) => {
    if (!/\/monitor\/|\/evaluations/.test(response.url())) return
    // A request aborted by the page has no body.
    response.body().then(
      (body) => sizes.set(response.url(), body.length),
      () => undefined,
    )
  })
  return sizes
}

const traceId = await recordLargeTrace()
await screens.listed('A large trace', 1)

describe('a trace of 10,000 logs', () => {
  it('is opened, read and searched without a response of more than 1 MB', async () => {
    const page = await screens.open('/settings/you')
    const sizes = answerSizes(page)
    await page.goto(`${screens.url}/app/traces/${traceId}`)
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByText('step 0', { exact: true }).waitFor()
    // All logs are loaded, and only a few are rendered.
    await page.getByText(/of 10000 loaded/).waitFor({ state: 'detached' })
    await tree.focus()
    await page.keyboard.press('End')
    const last = page.getByRole('region', { name: 'Log step 9999' })
    await last.getByText(/What is 9999\?/).waitFor()
    assert.ok((await tree.getByRole('treeitem').count()) < 200)
    // The service searches the texts of logs that are not loaded.
    const search = page.getByRole('textbox', { name: 'Search the tree' })
    await search.fill('quetzal type:generation')
    await page.getByText(`1 of ${logCount}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Log step 7777' }).getByText('It is the quetzal.').waitFor()
    await search.fill('too much')
    await tree
      .getByRole('treeitem', { name: /step 4242/ })
      .getByRole('img', { name: 'failed' })
      .waitFor()
    await search.fill('nothing like this')
    await page.getByText('No logs match.').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Receipt' }).click()
    await page.getByRole('dialog').getByText('Show 50 more of 2,500').waitFor()
    const logPages = [...sizes.keys()].filter((url) => /\/logs\?/.test(url))
    assert.ok(logPages.length >= 10, `${logPages.length}`)
    for (const [url, bytes] of sizes) assert.ok(bytes < bytesMax, `${url} has ${bytes} bytes`)
  })

  it('opens at a log of its last page, by a link', async () => {
    const page = await screens.open(`/traces/${traceId}?log=log-9998`)
    await page
      .getByRole('region', { name: 'Log step 9998' })
      .getByText(/What is 9998\?/)
      .waitFor()
    await page.getByRole('treeitem', { name: /step 9998/, selected: true }).waitFor()
  })

  it('takes a score', async () => {
    const page = await screens.open(`/traces/${traceId}?log=log-1`)
    const scores = page.getByRole('region', { name: 'Scores' })
    await scores.getByRole('button', { name: 'Score', exact: true }).click()
    await scores.getByLabel('Name').fill('large')
    await scores.getByRole('button', { name: 'Yes' }).click()
    await scores.getByRole('button', { name: 'Save score' }).click()
    await scores.getByText('large').waitFor()
    await eventually(async () => {
      const { trace } = await client.traces.outline({ id: traceId })
      assert.deepEqual([trace.logs, trace.logCount, trace.scores[0]?.logId], [undefined, logCount, 'log-1'])
    })
  })

  it('has its root span once if it was sent by OpenTelemetry', async () => {
    const otelId = 'e2e2'.padEnd(32, '7')
    const root = '00000000000000f0'
    const spans = Array.from({ length: 600 }, (_, index) => ({
      traceId: otelId,
      spanId: index === 0 ? root : (index + 1000).toString(16).padStart(16, '0'),
      ...(index > 0 && { parentSpanId: root }),
      name: index === 0 ? 'Plan a long trip' : `stop ${index}`,
      startTimeUnixNano: `${Date.now() - 2000 + index}000000`,
      endTimeUnixNano: `${Date.now()}000000`,
    }))
    const answer = await fetch(`${screens.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    assert.ok(answer.ok)
    const page = await screens.open(`/traces/${otelId}`)
    await page.getByRole('button', { name: 'Open the root span' }).waitFor()
    const tree = page.getByRole('tree', { name: 'Logs' })
    await tree.getByRole('treeitem', { name: /stop 1$|stop 1 / }).waitFor()
    const names = await tree.getByRole('treeitem').allTextContents()
    assert.equal(names.filter((name) => name.includes('Plan a long trip')).length, 1)
  })
})
