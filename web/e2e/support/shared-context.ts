/**
 * A browser context of the owner, whose pages tests use one after another: a page that has loaded the web app before loads
 * it again for a third of what a new one takes. Each test loads its screens anew, and finds nothing of the one before it.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { signIn } from './sign-in.ts'

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

export interface SharedContext {
  readonly context: BrowserContext
  /** Of the owner's session. */
  readonly cookies: Cookies
  /** A page that no other caller has until the next reset. */
  takePage(): Promise<Page>
  /** Ends the use of all pages, and forgets what they have left in the browser. */
  reset(): Promise<void>
}

export async function openSharedContext(context: BrowserContext, url: string): Promise<SharedContext> {
  await signIn(context, url)
  const cookies = await context.cookies()
  const idlePages: Page[] = []
  let usedPages: Page[] = []

  /** A page whose reset fails is not used again. */
  const resetPage = async (page: Page): Promise<void> => {
    try {
      await leave(page, url)
      idlePages.push(page)
    } catch {
      await page.close()
    }
  }
  return {
    context,
    cookies,
    async takePage() {
      const page = idlePages.pop() ?? (await context.newPage())
      usedPages.push(page)
      return page
    },
    async reset() {
      if (usedPages.length === 0) return
      const pages = usedPages
      usedPages = []
      // Those that a link has opened.
      const others = context.pages().filter((page) => !pages.includes(page) && !idlePages.includes(page))
      await Promise.all([...pages.map(resetPage), ...others.map((page) => page.close())])
      await context.clearCookies()
      await context.addCookies(cookies)
    },
  }
}

/** Of the web app's origin, so that it has its storage and stays in its process, but without its code. */
export const idlePath = '/app/plumbline.svg'

/** What tests listen to. Playwright itself listens to the end of a page. */
const events = [
  ...(['console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup'] as const),
  ...(['request', 'requestfailed', 'requestfinished', 'response'] as const),
]

/** Leaves the screen that a page shows, which would go on asking for what is new, and all that a test has set. */
async function leave(page: Page, url: string): Promise<void> {
  for (const event of events) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(url + idlePath)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.mouse.move(0, 0)
}
