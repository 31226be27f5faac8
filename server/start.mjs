#!/usr/bin/env node
/** Starts the service, or says which Node it needs: an older one cannot run it. */
import { existsSync } from 'node:fs'

const oldest = 24
const [major = 0] = process.versions.node.split('.').map(Number)
// The package as it is published has JavaScript.
const isCheckout = existsSync(new URL('./src/main.ts', import.meta.url))

if (major < oldest) {
  const remedy = isCheckout
    ? 'npm ci installs one at node_modules/.bin/node, which npm start uses.'
    : 'npx brings one: npx -p node@24 -p @plumbline/server plumbline-server'
  process.stderr.write(
    `Plumbline cannot start.\nNode ${process.versions.node} is too old: it needs Node ${oldest} or newer. ${remedy}\n`,
  )
  process.exit(1)
}
// The trace store's library blocks threads, and Node's default pool has only four.
process.env.UV_THREADPOOL_SIZE ??= '16'
await import(isCheckout ? './src/main.ts' : './src/main.js')
