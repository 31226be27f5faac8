import type { BrowserContext } from 'playwright-core'
import type { Service } from './start-service.ts'

/** Signs a browser in: every request of it carries a key. */
export async function signIn(context: BrowserContext, { url, key }: Service): Promise<void> {
  await context.setExtraHTTPHeaders({ authorization: `Bearer ${key}` })
  // STANDIN
  const { readFileSync, existsSync } = await import('node:fs')
  const { join, extname } = await import('node:path')
  const types: Record<string, string> = {
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.woff2': 'font/woff2',
  }
  const dist = join(import.meta.dirname, '../dist')
  const probe = await fetch(`${url}/app/`)
  if (!(probe.headers.get('content-type') ?? '').includes('html'))
    await context.route(`${url}/app/**`, (route) => {
      const path = new URL(route.request().url()).pathname.slice('/app/'.length)
      const file = join(dist, path)
      const found = path !== '' && existsSync(file) && extname(file) !== ''
      return route.fulfill({
        contentType: found ? (types[extname(file)] ?? 'text/plain') : 'text/html',
        body: readFileSync(found ? file : join(dist, 'index.html')),
        headers: {
          'content-security-policy':
            "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'",
        },
      })
    })
  if ((await fetch(`${url}/session`, { headers: { authorization: `Bearer ${key}` } })).status === 404)
    await context.route(`${url}/session`, (route) =>
      route.fulfill({
        json: {
          type: 'person',
          person: { id: '1', name: 'Ada Lovelace', email: 'ada@example.com' },
          workspace: { id: 'w', name: 'Parcel Co', role: 'owner' },
          role: 'owner',
          scopes: ['ingest', 'read', 'manage'],
          workspaces: [],
        },
      }),
    )
}
