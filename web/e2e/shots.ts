/** What is photographed: add a line for each screen, and for each state of it that looks different. */
import type { Page } from 'playwright-core'

export interface Shot {
  readonly name: string
  readonly path: string
  /** Brings the screen into the state that is to be seen. */
  readonly prepare?: (page: Page) => Promise<void>
}

export const shots: readonly Shot[] = [
  { name: 'ledger', path: '/ledger' },
  {
    name: 'ledger-panel',
    path: '/ledger',
    prepare: (page) => page.getByRole('row').nth(1).click(),
  },
  { name: 'keys', path: '/settings/keys' },
  {
    name: 'keys-new',
    path: '/settings/keys',
    prepare: (page) => page.getByRole('button', { name: 'New API key' }).click(),
  },
  {
    name: 'palette',
    path: '/traces',
    prepare: (page) => page.keyboard.press('ControlOrMeta+k'),
  },
  {
    name: 'shortcuts',
    path: '/ledger',
    prepare: (page) => page.keyboard.press('?'),
  },
  { name: 'trace', path: '/traces?q=feature:sales-agent', prepare: openTrace },
  {
    name: 'trace-failed',
    path: '/traces?q=hasError:true',
    prepare: async (page) => {
      await openTrace(page)
      await page.keyboard.press('e')
    },
  },
  {
    name: 'trace-chat',
    path: '/traces?q=feature:support-chat',
    prepare: async (page) => {
      await openTrace(page)
      await page.keyboard.press('End')
    },
  },
]

/** From the list, the first trace on a screen of its own. */
async function openTrace(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).click()
  await page.getByRole('link', { name: 'Open the whole page' }).click()
  await page.getByRole('tree', { name: 'Logs' }).waitFor()
}
