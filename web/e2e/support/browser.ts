/** The Chromium that the tests drive; it comes with the packages, so that `npm ci` is all they need. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserServer, chromium as driver, type LaunchOptions } from 'playwright-core'
import { hostEnvironment } from '../../../fixtures/environment.ts'

/** The browser of the whole test run where there is one, else one of its own. */
export function openBrowser(): Promise<Browser> {
  const { PLUMBLINE_E2E_BROWSER: endpoint } = hostEnvironment
  return endpoint ? driver.connect(endpoint) : start((options) => driver.launch(options))
}

/** Starts a browser that several processes share; each has contexts of its own in it. */
export const startBrowser = (): Promise<BrowserServer> =>
  start((options) =>
    // Who starts it closes it: Playwright would end the process at the first signal, before its services are stopped.
    driver.launchServer({ ...options, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }),
  )

async function start<Started>(launch: (options: LaunchOptions) => Promise<Started>): Promise<Started> {
  const options = {
    executablePath: await unpackBrowser(),
    // Of its own list, single-process is for the smallest machines and breaks contexts beside each other, and a graphics
    // processor in software costs more than it draws.
    args: [
      ...chromium.args.filter(
        (flag) => !/single-process|no-zygote|headless|gpu|use-gl|use-angle|swiftshader/.test(flag),
      ),
      '--no-sandbox',
      '--disable-gpu',
    ],
    headless: true,
  }
  try {
    return await launch(options)
  } catch {
    // A bare system has no NSS; the package brings it for such.
    return launch({ ...options, env: { ...hostEnvironment, LD_LIBRARY_PATH: unpackLibraries() } })
  }
}

/** The path of the browser. Two processes must not unpack it at once: the test command starts one browser for all. */
const unpackBrowser = (): Promise<string> => chromium.executablePath()

function unpackLibraries(): string {
  const folder = join(tmpdir(), 'chromium-libraries')
  if (existsSync(folder)) return join(folder, 'lib')
  const packed = fileURLToPath(new URL('../../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')))
  const fresh = mkdtempSync(`${folder}-`)
  execFileSync('tar', ['-x', '-C', fresh], { input: brotliDecompressSync(readFileSync(packed)) })
  try {
    renameSync(fresh, folder)
  } catch {
    // Another process was first.
    rmSync(fresh, { recursive: true, force: true })
  }
  return join(folder, 'lib')
}
