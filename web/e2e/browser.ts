/** The Chromium that the tests drive; it comes with the packages, so that `npm ci` is all they need. */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

export async function launchBrowser(): Promise<Browser> {
  return driver.launch({
    executablePath: await chromium.executablePath(),
    // Of its own list, single-process is for the smallest machines, and breaks contexts beside each other.
    args: [
      ...chromium.args.filter((flag) => !/single-process|no-zygote|headless/.test(flag)),
      '--no-sandbox',
    ],
    headless: true,
  })
}
