/** The fixtures of browser tests: one browser per file, a signed-in page, axe, and the page's errors. */
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

/** The shared context of the service of the whole run, for all files of a process. */
const contextsOfRun = new WeakMap<Browser, Promise<SharedContext>>()

/** The timeout of each step: a busy machine may be slow. */
const timeoutMs = 90_000

export interface Screens {
  readonly url: string
  /** A key of the workspace, to create test data through the API. */
  readonly key: string
  readonly browser: Browser
  /** The one-time link that creates the first owner of a new service. */
  readonly setUpUrl: string
  /** Resolves once the list has this number of traces with the name; a trace is listed shortly after it is recorded. */
  listed(name: string, count: number): Promise<void>
  /** A separate browser context of a signed-in owner, without a page and with an empty cache. */
  signedIn(): Promise<BrowserContext>
  /**
   * A page of a signed-in owner, at a path below /app. It has loaded the web app before, but has no other state of
   * earlier tests.
   */
  open(
    path: string,
    look?: {
      readonly isSignedIn?: boolean
      /** Signed in separately, not with the session that other pages share. */
      readonly hasOwnSession?: boolean
      /** In a separate browser context with an empty cache: for late loading, and for outages. */
      readonly isFirstVisit?: boolean
      /** On a device in this time zone, in a separate browser context. */
      readonly timeZone?: string
      readonly width?: number
      readonly height?: number
    },
  ): Promise<Page>
}

/**
 * Call it at the top of a test file; everything it starts ends with the file. With `hasOwnWorkspace`, the pages and
 * the key belong to a new workspace. With `isOwn`, no other file uses the service, which has an owner and little
 * else; with `isNew`, it is in its initial state. Starting a service costs about five seconds of CPU.
 */
export async function startScreens({
  isNew = false,
  isOwn = false,
  hasOwnWorkspace = false,
  /** The context of a separate service. */
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
  /** Opened once: the service limits a user to ten sign-ins a minute. */
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
  // An unused page keeps polling.
  beforeEach(() => {
    contextsOfFile = [...contextsOfFile, ...contexts]
    contexts = []
  })
  const faults: string[] = []
  // In a hook, because the runner assigns an error thrown in an event handler to no test.
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

/** Otherwise, pending responses of a test's routes would fail once the test has ended. */
async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/** Creates a workspace of the signed-in user; the cookies select it. */
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

/** A fresh browser context, as of a first-time visitor. */
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

/** The service of the whole test run if there is one, otherwise one for this file. */
async function sharedService(): Promise<Service & { readonly isOfRun: boolean }> {
  const { PLUMBLINE_E2E_URL: url, PLUMBLINE_E2E_KEY: key } = hostEnvironment
  if (!url || !key) return ownService({})
  return { url, key, setUpUrl: '', stop: async () => undefined, isOfRun: true }
}

const ownService = async (options: Parameters<typeof startService>[0]) => ({
  ...(await startService(options)),
  isOfRun: false,
})

/** Records a page's errors and policy violations: there must be none. */
function noteFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text())
  })
}

/** The screen contents of a failed test. */
async function describePages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (!page.url().includes('/app/') || page.url().endsWith(idlePath)) continue
    console.log(page.url(), (await page.ariaSnapshot({ timeout: 10_000 }).catch(String)).slice(0, 8000))
  }
}

/** The axe rules checked again in the dark theme: nothing else depends on colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Properties of the page's window. */
interface RenderCounts {
  /** React schedules its work with messages. */
  renderCount: number
  /** The count at the last check. */
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

/** Waits until nothing is dimmed while loading, no colour is in transition, and rendering has stopped. */
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

/** Fails on serious and critical axe findings, in both themes. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    // The help follows only the media query.
    if (new URL(page.url()).pathname.startsWith('/app/'))
      await page.locator(`html[data-theme=${theme}]`).waitFor()
    await waitForRest(page)
    const problems = await findViolations(page, theme === 'dark' ? colorRules : undefined)
    assert.deepEqual(problems, [], `axe in the ${theme} theme`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
