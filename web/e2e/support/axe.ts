/** Runs axe in the page itself: its Playwright wrapper opens a second page for each run, which doubles the cost. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { hideRepetition, showRepetition } from './repetition.ts'

/** Caches parsed colours: axe parses them again for each element and its parents, which takes a fifth of a run. */
const colorCache = `{
  const { prototype } = axe.commons.color.Color
  const { parseString } = prototype
  const colors = new Map()
  prototype.parseString = function (text) {
    const color = colors.get(text)
    if (color === undefined) {
      parseString.call(this, text)
      colors.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha })
    } else Object.assign(this, color)
    return this
  }
}`
const source = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}\n${colorCache}`

/** The serious and critical findings of axe, a sentence per rule; all `rules` by default. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  await page.evaluate(hideRepetition)
  try {
    return await page.evaluate(runAxe, rules)
  } finally {
    await page.evaluate(showRepetition)
  }
}

/** Runs in the page. */
async function runAxe(rules: readonly string[] | undefined): Promise<string[]> {
  // Safe: the script that ran before sets it.
  const { axe: tool } = globalThis as unknown as { axe: typeof axe }
  // The app has no frames, and axe would search for itself in each.
  const options = { resultTypes: ['violations' as const], preload: false, iframes: false }
  const { violations } = await tool.run(
    document,
    rules === undefined ? options : { ...options, runOnly: [...rules] },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n  ${failureSummary}`).join('\n')}`,
    )
}
