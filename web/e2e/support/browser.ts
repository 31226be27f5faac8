/** The Chromium of the tests; it is an npm package, so `npm ci` is all they need. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as driver, type LaunchOptions } from 'playwright-core'
import { hostEnvironment } from '../../../fixtures/environment.ts'

export interface OpenBrowser {
  readonly browser: Browser
  /** Ends it, unless other files of the process use it too: then closes its pages, except in shared contexts. */
  release(): Promise<void>
}

let shared: Browser | undefined
const sharedContexts = new WeakSet<BrowserContext>()

/** Leaves a context open for the next file of the process. */
export function shareContext(context: BrowserContext): void {
  sharedContexts.add(context)
}

/**
 * Starts a browser for all files of this process, and resolves to a function that ends it. Node's test runner ends a
 * file when nothing keeps the process alive, so the browser keeps it alive only while a file uses it.
 */
export async function shareBrowser(): Promise<() => Promise<void>> {
  const children: ChildProcess[] = []
  const note = (message: unknown): void => {
    // Safe: Node publishes the processes it starts in this form.
    children.push((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', note)
  const browser = await start()
  unsubscribe('child_process', note)
  for (const child of children) {
    child.unref()
    // Safe: those of another process are sockets.
    for (const stream of child.stdio) (stream as Socket | null)?.unref()
  }
  shared = browser
  return () => aliveDuring(() => browser.close())
}

/** The browser that the files of this process share, else a new one. */
export async function openBrowser(): Promise<OpenBrowser> {
  if (shared === undefined) {
    const browser = await start()
    return { browser, release: () => browser.close() }
  }
  const browser = shared
  const alive = keepAlive()
  return {
    browser,
    // Files run one after another. A page left open would keep polling a service that has ended.
    async release() {
      const contexts = browser.contexts().filter((context) => !sharedContexts.has(context))
      await Promise.all(contexts.map((context) => context.close()))
      clearInterval(alive)
    },
  }
}

const keepAlive = (): NodeJS.Timeout => setInterval(() => {}, 60_000)

async function aliveDuring(work: () => Promise<void>): Promise<void> {
  const alive = keepAlive()
  await work().finally(() => clearInterval(alive))
}

async function start(): Promise<Browser> {
  const options: LaunchOptions = {
    executablePath: await unpackBrowser(),
    // Removed from its default arguments: single-process is for the smallest machines and breaks parallel contexts,
    // software GPU emulation costs more than it saves, and real browsers enforce the same-origin policy.
    args: [
      ...chromium.args.filter(
        (flag) =>
          !/single-process|no-zygote|headless|gpu|use-gl|use-angle|swiftshader|web-security|insecure-content/.test(
            flag,
          ),
      ),
      '--no-sandbox',
      '--disable-gpu',
    ],
    headless: true,
  }
  try {
    return await driver.launch(options)
  } catch {
    // A minimal system has no NSS; the package includes it.
    return driver.launch({ ...options, env: { ...hostEnvironment, LD_LIBRARY_PATH: unpackLibraries() } })
  }
}

/**
 * The path of the browser. Two processes must not unpack it at once, so the test command unpacks it before it starts
 * them.
 */
export const unpackBrowser = (): Promise<string> => chromium.executablePath()

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
