/** What tests of screens need: one browser for a file, a page that is signed in, axe, and what went wrong in the page. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { findViolations } from './axe.ts'
import { openBrowser } from './browser.ts'
import { signIn } from './sign-in.ts'
import { type Service, startService } from './start-service.ts'

export type Theme = 'light' | 'dark'
/** For each step: a busy machine is slow, and not wrong. */
const timeoutMs = 90_000

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

export interface Screens {
  readonly url: string
  /** A key of the workspace, to make by the API what a test needs. */
  readonly key: string
  readonly browser: Browser
  /** The one-time link that makes the first owner, of a new service. */
  readonly setUpUrl: string
  /** Resolves once so many traces have this name in the list, which shows a trace a moment after it was recorded. */
  listed(name: string, count: number): Promise<void>
  /** A browser of its own of a signed-in owner, without a page and with an empty cache. */
  signedIn(): Promise<BrowserContext>
  /** A page of a signed-in owner, at an address below /app. */
  open(
    path: string,
    look?: {
      readonly isSignedIn?: boolean
      /** Signed in by itself, not with the session that the pages of a file share. */
      readonly hasOwnSession?: boolean
      readonly theme?: Theme
      readonly width?: number
      readonly height?: number
    },
  ): Promise<Page>
}

/**
 * Called at the top of a test file; what it starts ends with the file. With `isOwn` no other file uses the service, which
 * has an owner and little else; with `isNew` it is as after its first start.
 */
export async function startScreens({ isNew = false, isOwn = false } = {}): Promise<Screens> {
  const [service, { browser, release }] = await Promise.all([
    isOwn || isNew ? startService({ isNew, traces: 0 }) : sharedService(),
    openBrowser(),
  ])
  /** One for all pages of the file: the service lets a person sign in ten times a minute only. */
  let cookies: Promise<Cookies> | undefined
  const addSession = async (context: BrowserContext): Promise<void> => {
    cookies ??= signIn(context, service.url).then(() => context.cookies())
    await context.addCookies(await cookies)
  }
  let contexts: BrowserContext[] = []
  let contextsOfFile: BrowserContext[] = []
  const closeContexts = async (): Promise<void> => {
    const open = contexts
    contexts = []
    await Promise.all(open.map((context) => context.close()))
  }
  // A page that nobody looks at any more goes on asking for what is new.
  beforeEach(() => {
    contextsOfFile = [...contextsOfFile, ...contexts]
    contexts = []
  })
  afterEach(closeContexts)
  after(async () => {
    contexts = [...contextsOfFile, ...contexts]
    await closeContexts()
    await release()
    await service.stop()
  })
  return {
    url: service.url,
    key: service.key,
    setUpUrl: service.setUpUrl,
    browser,
    async listed(name, count) {
      const client = createOperations({ baseUrl: service.url, apiKey: service.key })
      await eventually(async () => assert.equal((await client.traces.list({ name })).traces.length, count))
    },
    async signedIn() {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      contexts.push(context)
      await countRenders(context)
      await addSession(context)
      return context
    },
    async open(
      path,
      { isSignedIn = true, hasOwnSession = false, theme = 'light', width = 1440, height = 900 } = {},
    ) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      await countRenders(context)
      if (hasOwnSession) await signIn(context, service.url)
      else if (isSignedIn) await addSession(context)
      const page = await context.newPage()
      page.setDefaultTimeout(timeoutMs)
      failOnFaults(page)
      await page.goto(`${service.url}/app${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
  }
}

/** The service of the whole test run where there is one, else one for this file. */
async function sharedService(): Promise<Service> {
  const { PLUMBLINE_E2E_URL: url, PLUMBLINE_E2E_KEY: key } = hostEnvironment
  return url && key ? { url, key, setUpUrl: '', stop: async () => undefined } : startService()
}

/** Nothing may throw in the page, and the policy may have nothing to refuse. */
function failOnFaults(page: Page): void {
  const tell = (fault: string): void => {
    setImmediate(() => assert.fail(`In the page: ${fault}`))
  }
  page.on('pageerror', (error) => tell(error.stack ?? error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) tell(message.text())
  })
}

/** What axe looks at again in the dark theme: nothing else of a page depends on its colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Properties of the page's window. */
interface RenderCounts {
  /** React asks for each of its turns with a message. */
  renderCount: number
  /** The count when the page was last looked at. */
  earlierRenderCount: number
}

const countRenders = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const counts = globalThis as unknown as RenderCounts
    counts.renderCount = 0
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [unknown]) {
      counts.renderCount++
      postMessage.apply(this, message)
    }
  })

/** Waits until nothing is dimmed for what is on its way, no colour is between two, and the page draws no more. */
async function waitForRest(page: Page): Promise<void> {
  const isAtRest = (): boolean => {
    const counts = globalThis as unknown as RenderCounts
    const isStill = counts.earlierRenderCount === counts.renderCount
    counts.earlierRenderCount = counts.renderCount
    return (
      isStill &&
      !document.querySelector('[aria-busy=true]') &&
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
        )
    )
  }
  await page.waitForFunction(isAtRest, undefined, { polling: 50 })
}

/** Fails on what axe finds serious or critical, in both themes. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    // The help follows the media alone.
    if (new URL(page.url()).pathname.startsWith('/app/'))
      await page.locator(`html[data-theme=${theme}]`).waitFor()
    await waitForRest(page)
    const problems = await findViolations(page, theme === 'dark' ? colorRules : undefined)
    assert.deepEqual(problems, [], `axe in the ${theme} theme`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
