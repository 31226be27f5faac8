import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, it } from 'node:test'
import { openBrowser } from './support/browser.ts'

/** A separate site that no other site may read. */
async function startSite(): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Site</title>'),
  ).listen(0, 'localhost')
  after(() => server.close())
  await once(server, 'listening')
  // Safe: it listens on a port.
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

it('the test browser enforces the same-origin policy, as real browsers do', async () => {
  const [site, otherSite, { browser, release }] = await Promise.all([startSite(), startSite(), openBrowser()])
  try {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(site)
    const read = (url: string): Promise<number | string> =>
      page.evaluate((url) => fetch(url).then(({ status }) => status, String), url)
    assert.equal(await read(site), 200)
    assert.match(String(await read(otherSite)), /TypeError/)
    await context.close()
  } finally {
    await release()
  }
})
