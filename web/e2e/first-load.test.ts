/** The requests and transferred JavaScript of each navigation screen in a browser with an empty cache. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { startScreens } from './support/testing.ts'

const screens = await startScreens()
const requestsMax = 30
/** Allows for one more figure. */
const dashboardRequestsMax = 25
const scriptBytesMax = 175_000
/** CodeMirror, the prompt editor, is larger than everything else. */
const editorBytesMax = 320_000

const paths = [
  ...['/traces', '/conversations', '/users', '/dashboard', '/prompts', '/playground', '/datasets'],
  ...['/experiments', '/evaluators', '/annotation', '/alerts', '/ledger', '/get-started', '/settings'],
]

interface LoadedFile {
  readonly url: string
  readonly bytes: number
}

/** All requests of a screen until it is idle. */
async function load(page: Page, path: string): Promise<LoadedFile[]> {
  const sizes: Promise<LoadedFile>[] = []
  const addSize = (request: Request): void => {
    const size = request.sizes()
    sizes.push(size.then(({ responseBodySize }) => ({ url: request.url(), bytes: responseBodySize })))
  }
  page.on('requestfinished', addSize)
  await page.goto(`${screens.url}/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  // The screen keeps polling while the page is closed.
  page.off('requestfinished', addSize)
  return Promise.all(sizes)
}

describe('the first load', () => {
  for (const path of paths)
    it(`of ${path} makes few requests and loads little code`, async (test) => {
      // A context of its own, with an empty cache.
      const context = await screens.signedIn()
      const loaded = await load(await context.newPage(), path)
      const scripts = loaded.filter(({ url }) => url.endsWith('.js'))
      const scriptBytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
      const api = loaded.filter(({ url }) => !new URL(url).pathname.startsWith('/app/'))
      test.diagnostic(
        `${loaded.length} requests: ${scripts.length} scripts of ${Math.round(scriptBytes / 1000)} KB, ${api.length} of the API`,
      )
      const max = path === '/dashboard' ? dashboardRequestsMax : requestsMax
      assert.ok(loaded.length <= max, loaded.map(({ url }) => url).join('\n'))
      const bytesMax = path === '/playground' ? editorBytesMax : scriptBytesMax
      assert.ok(scriptBytes <= bytesMax, `${scriptBytes} bytes of JavaScript`)
      await context.close()
    })
})
