/** The findings of `assertAccessible`, which skips repeated content only. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findViolations } from './support/axe.ts'
import { startScreens } from './support/testing.ts'

const screens = await startScreens()

const row = (content: string): string => `<div role="row"><div role="gridcell">${content}</div></div>`
const pale = '<span style="color: oklch(0.9 0.02 250)">Pale words</span>'
const pageOf = (rows: string, label = '<label for="second">Second</label>'): string =>
  `<html lang="en"><title>A page</title><main><h1>Words</h1><div role="grid" aria-label="Words">${rows}</div>
  <p><label for="first">First</label><input id="first"></p><p>${label}<input id="second"></p></main></html>`

it('differences from earlier checks are found, and the page is left unchanged', async () => {
  const context = await screens.browser.newContext()
  const page = await context.newPage()
  const plain = row('Words') + row('Words')
  for (const [content, rule] of [
    [pageOf(plain), undefined],
    [pageOf(row(pale) + row(pale)), 'color-contrast'],
    [pageOf(plain + row(pale)), 'color-contrast'],
    [
      pageOf(row('<button>Open</button>') + row('<button>Open</button>') + row('<button></button>')),
      'button-name',
    ],
    [
      pageOf(plain + row('Words').replace('role="row"', 'role="row" aria-selected="maybe"')),
      'aria-valid-attr-value',
    ],
    [pageOf(plain, '<label for="third">Second</label>'), 'label'],
    [pageOf(plain, '<label for="first">Second</label>'), 'label'],
  ] as const) {
    await page.setContent(content)
    const html = await page.content()
    const violations = await findViolations(page)
    assert.deepEqual(
      violations.map((violation) => violation.split(':')[0]),
      rule === undefined ? [] : [rule],
      content,
    )
    assert.equal(await page.content(), html)
  }
  await context.close()
})
