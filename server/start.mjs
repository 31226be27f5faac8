#!/usr/bin/env node
/**
 * Starts the service: `npm start`, `plumbline serve`, the package, the container and the systemd unit all run this file. It
 * checks the Node version, since an older Node cannot run the service, and sets variables that must be set before a process
 * starts. Variables that are already set stay as they are.
 */
import { existsSync } from 'node:fs'
import { environment } from './process-environment.mjs'

const oldest = 24

// The published package has JavaScript.
const isCheckout = existsSync(new URL('./src/main.ts', import.meta.url))

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < oldest) {
  const remedy = isCheckout
    ? 'npm ci installs one at node_modules/.bin/node, which npm start uses.'
    : 'npx brings one: npx -p node@24 -p @plumbline/server plumbline-server'
  process.stderr.write(
    `Plumbline cannot start.\nNode ${process.versions.node} is too old: it needs Node ${oldest} or newer. ${remedy}\n`,
  )
  process.exit(1)
}

// If types are already stripped, Node need not do it. As a process option, this applies to worker threads, too.
const strippedSources = new URL('./stripped-sources.mjs', import.meta.url).href
const options = isCheckout ? ['--import', strippedSources, ...process.execArgv] : process.execArgv

const isMissing = Object.keys(environment).some((name) => process.env[name] === undefined)
// `node --watch` communicates with the process that it started, and would lose the new one.
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined
if (isMissing && !isWatched && process.platform !== 'win32') {
  // The new program keeps the process id, so that it receives a supervisor's signals.
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], {
    ...environment,
    ...process.env,
  })
}
// If the process cannot be replaced, at least the pool can be larger: it starts on first use.
process.env.UV_THREADPOOL_SIZE ??= environment.UV_THREADPOOL_SIZE
if (isCheckout && !isWatched) await import(strippedSources)
await import(isCheckout ? './src/main.ts' : './src/main.js')
