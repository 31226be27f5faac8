/**
 * A browser context of the owner, whose pages are reused between tests: reloading the web app in a used page takes a
 * third of the time of a new one. Each test reloads its screens, and sees nothing of the previous one.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { signIn } from './sign-in.ts'

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

export interface SharedContext {
  readonly context: BrowserContext
  /** The state of the owner's session. */
  readonly cookies: Cookies
  /** A page that no other caller has until the next reset. */
  takePage(): Promise<Page>
  /** Releases all pages, and clears their state in the browser. */
  reset(): Promise<void>
}

export async function openSharedContext(context: BrowserContext, url: string): Promise<SharedContext> {
  await signIn(context, url)
  const cookies = await context.cookies()
  const idlePages: Page[] = []
  let usedPages: Page[] = []

  /** A page whose reset fails is not reused. */
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
      // Pages opened by links.
      const others = context.pages().filter((page) => !pages.includes(page) && !idlePages.includes(page))
      await Promise.all([...pages.map(resetPage), ...others.map((page) => page.close())])
      await context.clearCookies()
      await context.addCookies(cookies)
    },
  }
}

/** A page of the web app's origin, so that it has its storage and stays in its process, but without its code. */
export const idlePath = '/app/plumbline.svg'

/** The events that tests listen to. Playwright itself listens for the close of a page. */
const events = [
  ...(['console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup'] as const),
  ...(['request', 'requestfailed', 'requestfinished', 'response'] as const),
]

/** Leaves the page's screen, which would keep polling, and resets everything a test has set. */
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
