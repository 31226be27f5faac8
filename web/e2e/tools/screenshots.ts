/** `npm run screenshots`: every screen at three sizes, light and dark, into `web/e2e/screenshots/`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../support/browser.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { shots } from './shots.ts'

const sizes = [
  { name: '1440', width: 1440, height: 900 },
  { name: '1024', width: 1024, height: 768 },
  { name: '390', width: 390, height: 844 },
] as const

const folder = join(import.meta.dirname, '../screenshots')
/** `npm run screenshots -- ledger keys` takes only those. */
const names = process.argv.slice(2)

mkdirSync(folder, { recursive: true })
const [service, { browser, release }] = await Promise.all([startService(), openBrowser()])
try {
  for (const { name: size, ...viewport } of sizes) {
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
      })
      await signIn(context, service.url)
      const page = await context.newPage()
      for (const { name, path, prepare } of shots) {
        if (names.length > 0 && !names.includes(name)) continue
        await page.goto(`${service.url}/app${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await prepare?.(page)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) })
      }
      await context.close()
    }
  }
} finally {
  await release()
  await service.stop()
}
console.log(`The screenshots are in ${folder}.`)
