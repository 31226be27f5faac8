/** What tests of screens need: one browser for a file, a page that is signed in, axe, and what went wrong in the page. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { findViolations } from './axe.ts'
import { openBrowser, shareContext } from './browser.ts'
import { idlePath, openSharedContext, type SharedContext } from './shared-context.ts'
import { signIn } from './sign-in.ts'
import { type Service, startService } from './start-service.ts'

/** Of the service of the whole run: for all files that a process runs. */
const contextsOfRun = new WeakMap<Browser, Promise<SharedContext>>()

/** For each step: a busy machine is slow, and not wrong. */
const timeoutMs = 90_000

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
  /**
   * A page of a signed-in owner, at an address below /app. It has loaded the web app before, and has nothing else of what
   * earlier tests did.
   */
  open(
    path: string,
    look?: {
      readonly isSignedIn?: boolean
      /** Signed in by itself, not with the session that the other pages share. */
      readonly hasOwnSession?: boolean
      /** In a browser context of its own, without anything in its cache: for what loads late, and for an outage. */
      readonly isFirstVisit?: boolean
      /** On a device in this time zone, in a browser context of its own. */
      readonly timeZone?: string
      readonly width?: number
      readonly height?: number
    },
  ): Promise<Page>
}

/**
 * Called at the top of a test file; what it starts ends with the file. With `hasOwnWorkspace` the pages and the key are of a
 * new workspace. With `isOwn` no other file uses the service, which has an owner and little else; with `isNew` it is as
 * after its first start. To start a service costs some five seconds of CPU.
 */
export async function startScreens({
  isNew = false,
  isOwn = false,
  hasOwnWorkspace = false,
  /** Of a service of its own. */
  settings = {} as Readonly<Record<string, string>>,
} = {}): Promise<Screens> {
  const [service, { browser, release }] = await Promise.all([
    isOwn || isNew ? ownService({ isNew, traces: 0, settings }) : sharedService(),
    openBrowser(),
  ])
  let contextOfFile: Promise<SharedContext> | undefined
  const openShared = async (): Promise<SharedContext> => {
    const context = await newContext(browser)
    if (service.isOfRun) shareContext(context)
    return openSharedContext(context, service.url)
  }
  /** Opened once: the service lets a person sign in ten times a minute only. */
  const share = (): Promise<SharedContext> => {
    const shared = (service.isOfRun ? contextsOfRun.get(browser) : contextOfFile) ?? openShared()
    if (service.isOfRun) contextsOfRun.set(browser, shared)
    else contextOfFile = shared
    return shared
  }
  let contexts: BrowserContext[] = []
  let contextsOfFile: BrowserContext[] = []
  const closeContexts = async (): Promise<void> => {
    const open = contexts
    contexts = []
    const shared = await (contextOfFile ?? contextsOfRun.get(browser))
    await Promise.all([...open.map(closeContext), shared?.reset()])
  }
  // A page that nobody looks at any more goes on asking for what is new.
  beforeEach(() => {
    contextsOfFile = [...contextsOfFile, ...contexts]
    contexts = []
  })
  const faults: string[] = []
  // In a hook: the runner assigns what an event throws to no test.
  const assertNoFaults = (): void => {
    const all = faults.splice(0)
    assert.deepEqual(all, [], 'faults in the page')
  }
  afterEach(async (test) => {
    if ('passed' in test && !test.passed) await describePages(browser)
    await closeContexts()
    assertNoFaults()
  })
  after(async () => {
    contexts = [...contextsOfFile, ...contexts]
    await closeContexts()
    await release()
    await service.stop()
  })
  const workspace = hasOwnWorkspace
    ? await makeWorkspace((await share()).context, service.url)
    : { key: service.key, cookies: [] }
  const addSession = async (context: BrowserContext): Promise<void> =>
    context.addCookies([...(await share()).cookies, ...workspace.cookies])
  const openContext = async (timeZone?: string): Promise<BrowserContext> => {
    const context = await newContext(browser, timeZone)
    contexts.push(context)
    return context
  }
  return {
    url: service.url,
    key: workspace.key,
    setUpUrl: service.setUpUrl,
    browser,
    async listed(name, count) {
      const client = createOperations({ baseUrl: service.url, apiKey: workspace.key })
      await eventually(async () => assert.equal((await client.traces.list({ name })).traces.length, count))
    },
    async signedIn() {
      const context = await openContext()
      await addSession(context)
      return context
    },
    async open(path, look = {}) {
      const { isSignedIn = true, hasOwnSession = false, isFirstVisit = false, timeZone } = look
      const { width = 1440, height = 900 } = look
      const openPage = async (): Promise<Page> => {
        if (isSignedIn && !hasOwnSession && !isFirstVisit && timeZone === undefined) {
          const { context, takePage } = await share()
          await addSession(context)
          return takePage()
        }
        const context = await openContext(timeZone)
        if (hasOwnSession) await signIn(context, service.url)
        else if (isSignedIn) await addSession(context)
        return context.newPage()
      }
      const page = await openPage()
      page.setDefaultTimeout(timeoutMs)
      noteFaults(page, faults)
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${service.url}/app${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
  }
}

/** What a route of a test still answers would otherwise fail once the test has ended. */
async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/** Makes a workspace of the person who is signed in; the cookies choose it. */
async function makeWorkspace(
  context: BrowserContext,
  url: string,
): Promise<{ readonly key: string; readonly cookies: Parameters<BrowserContext['addCookies']>[0] }> {
  const post = async <Output>(path: string, data: object): Promise<Output> => {
    const response = await context.request.post(`${url}${path}`, { headers: { origin: url }, data })
    assert.ok(response.ok(), await response.text())
    return (await response.json()) as Output
  }
  const name = 'Of one test file'
  const { workspace } = await post<{ workspace: { id: string } }>('/workspaces', { name })
  const cookies = [{ name: 'plumbline-workspace', value: workspace.id, url }]
  await context.addCookies(cookies)
  const { secret } = await post<{ secret: string }>('/api-keys', { name, scopes: ['ingest', 'manage'] })
  await context.clearCookies({ name: 'plumbline-workspace' })
  return { key: secret, cookies }
}

/** A browser that has nothing yet, as of somebody who has never been here. */
async function newContext(browser: Browser, timeZone?: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...(timeZone !== undefined && { timezoneId: timeZone }),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await countRenders(context)
  return context
}

/** The service of the whole test run where there is one, else one for this file. */
async function sharedService(): Promise<Service & { readonly isOfRun: boolean }> {
  const { PLUMBLINE_E2E_URL: url, PLUMBLINE_E2E_KEY: key } = hostEnvironment
  if (!url || !key) return ownService({})
  return { url, key, setUpUrl: '', stop: async () => undefined, isOfRun: true }
}

const ownService = async (options: Parameters<typeof startService>[0]) => ({
  ...(await startService(options)),
  isOfRun: false,
})

/** Notes what a page throws, and what its policy refuses: neither may happen. */
function noteFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text())
  })
}

/** What a test that failed has on its screens. */
async function describePages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (!page.url().includes('/app/') || page.url().endsWith(idlePath)) continue
    console.log(page.url(), (await page.ariaSnapshot({ timeout: 10_000 }).catch(String)).slice(0, 8000))
  }
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
