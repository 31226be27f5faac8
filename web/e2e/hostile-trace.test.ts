import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const script = '<script>window.isRun = true</script>'
const markup = `${script}<img src=x onerror="window.isRun = true"><svg onload="window.isRun = true"><a href="javascript:window.isRun=true">a</a></svg><iframe src="javascript:parent.isRun=true"></iframe><style>body{display:none}</style><form action="https://evil.example"><input name=q autofocus onfocus="window.isRun=true"></form>`
const markdown = `# Title ${script}
[click](javascript:window.isRun=true) [click](JaVaScRiPt:window.isRun=true) [data](data:text/html,${script}) [relative](/app/settings/keys)
![image](https://evil.example/pixel.png) ![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+) <javascript:window.isRun=true>
${markup}`
const long = 'n'.repeat(300)
const rtl = '\u202Eמחיר שגוי\u202C مرحبا 🏴‍☠️👩‍👩‍👧‍👦'

const hostile = {
  name: `${script}${long}`,
  user: { id: long, name: `${script}${rtl}` },
  organization: { id: 'o', name: rtl },
  metadata: { sessionId: long, [script]: { __proto__: null, constructor: markup }, nothing: null },
  input: markup,
  output: markdown,
  idealOutput: `${markdown} else`,
  logs: [
    { id: script, type: 'span', name: long, input: null, output: null, metadata: null },
    {
      id: 'rtl',
      type: 'tool',
      name: rtl,
      parentId: script,
      input: { [markup]: [null, markup] },
      output: [rtl],
    },
    { id: 'orphan', type: 'event', name: null, parentId: 'nowhere' },
    {
      id: 'chat',
      type: 'generation',
      name: markup,
      parentId: script,
      input: [
        { role: script, content: markdown },
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'javascript:window.isRun=true' } }],
        },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://evil.example/a.png' } }] },
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { media_type: 'image/svg+xml', data: btoa('<svg onload="isRun=true"/>') },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: null, function: { name: markup, arguments: '{broken' } }, null, 7],
        },
        { role: 'tool', content: null },
        { role: 'assistant', content: [null, 7, { type: 'text' }, { type: { a: 1 } }, [[['deep']]]] },
      ],
      output: { choices: [{ message: { role: 'assistant', content: markdown } }] },
      variables: [
        { label: markup, value: markup },
        { label: long, value: null },
      ],
      metadata: { error: { message: markup }, otel: { attributes: { [markup]: markup } } },
    },
    {
      id: 'large',
      type: 'generation',
      name: 'large',
      input: 'a'.repeat(1_000_000),
      output: `${'word '.repeat(200_000)}`,
    },
    {
      id: 'wide',
      type: 'generation',
      name: 'wide',
      input: [{ role: 'user', content: 'x'.repeat(100_000) }],
      output: JSON.stringify({ a: 'y'.repeat(100_000) }),
    },
  ],
}

it('a hostile trace executes nothing, loads nothing, and does not break the layout', async () => {
  const answer = await fetch(`${screens.url}/monitor/trace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(hostile),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  const { trace } = (await answer.json()) as { trace: { id: string } }

  const page = await screens.open(`/traces/${trace.id}`)
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  page.on('dialog', () => assert.fail('A dialog opened.'))
  const tree = page.getByRole('tree', { name: 'Logs' })
  await tree.getByText('large').waitFor()

  const assertWhole = async (name: string): Promise<void> => {
    const facts = await page.evaluate(() => ({
      isRun: 'isRun' in window,
      isWider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      elements: document.querySelectorAll(
        'main :is(script, iframe, object, embed, style, base, form[action])',
      ).length,
      links: [...document.querySelectorAll('main a')]
        .map((link) => link.getAttribute('href') ?? '')
        .filter((address) => !/^(https?:|mailto:|\/app\/)/.test(address)),
      images: [...document.querySelectorAll('main img')].map((image) => image.getAttribute('src')),
      widest: Math.max(
        ...[...document.querySelectorAll('main section, main header, main li')].map(
          (element) => element.getBoundingClientRect().right,
        ),
      ),
    }))
    assert.deepEqual(
      { ...facts, widest: facts.widest <= 1441 },
      { isRun: false, isWider: false, elements: 0, links: [], images: [], widest: true },
      name,
    )
  }
  const modes = ['Markdown', 'Raw', 'JSON']
  for (const id of [undefined, script, 'rtl', 'orphan', 'chat', 'large', 'wide']) {
    const address = `/app/traces/${trace.id}${id === undefined ? '' : `?log=${encodeURIComponent(id)}`}`
    await page.goto(screens.url + address)
    await page.getByRole('region', { name: 'Input', exact: true }).waitFor()
    for (const mode of modes) {
      await page.getByRole('button', { name: mode, exact: true }).click()
      await assertWhole(`${id} as ${mode}`)
    }
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  }
  await page.goto(`${screens.url}/app/traces/${trace.id}?log=large`)
  await page.getByRole('region', { name: 'Input', exact: true }).getByText('1,000,000 characters').click()
  await assertWhole('large, unfolded')
  await page.goto(`${screens.url}/app/traces/${trace.id}?log=chat`)
  await page.getByRole('region', { name: 'Variables' }).waitFor()
  await assertAccessible(page)
  await page.goto(`${screens.url}/app/traces/diff?a=${trace.id}&b=${trace.id}`)
  await page.getByText('large').waitFor()
  await assertWhole('compared with itself')
  assert.deepEqual(
    requestedUrls.filter((address) => !address.startsWith(screens.url)),
    [],
  )
})
