/** Runs axe in the page itself: its wrapper for Playwright opens a second page for each run, and doubles what it costs. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe finds serious or critical, a sentence for each rule; `rules` are all that it has, unless told. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async (runOnly) => {
    // Safe: the script that ran before this sets it.
    const { axe: tool } = globalThis as unknown as { axe: typeof axe }
    // The app has no frames, and axe would look for itself in each.
    const options = { resultTypes: ['violations' as const], preload: false, iframes: false }
    const { violations } = await tool.run(
      document,
      runOnly === undefined ? options : { ...options, runOnly: [...runOnly] },
    )
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n  ${failureSummary}`).join('\n')}`,
      )
  }, rules)
}
