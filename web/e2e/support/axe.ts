/** Runs axe in the page itself: its wrapper for Playwright opens a second page for each run, and doubles what it costs. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { hideRepetition, showRepetition } from './repetition.ts'

/**
 * Colours are read from text again for each element and its parents, and a page has few: without the cache they are a fifth
 * of a run.
 */
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

/** What axe finds serious or critical, a sentence for each rule; `rules` are all that it has by default. */
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
  // Safe: the script that ran before this sets it.
  const { axe: tool } = globalThis as unknown as { axe: typeof axe }
  // The app has no frames, and axe would look for itself in each.
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
