#!/usr/bin/env node
/**
 * Starts the service: `npm start`, `plumbline serve`, the package, the container and the systemd unit all run this file. It
 * says which Node it needs, since an older one cannot run the service, and sets what only the environment of a new process
 * can set. A variable that is set already is left as it is.
 */
import { existsSync } from 'node:fs'
import { environment } from './process-environment.mjs'

const oldest = 24

// The package as it is published has JavaScript.
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

// Where types are stripped already, Node need not do it. As an option of the process it holds for worker threads, too.
const strippedSources = new URL('./stripped-sources.mjs', import.meta.url).href
const options = isCheckout ? ['--import', strippedSources, ...process.execArgv] : process.execArgv

const isMissing = Object.keys(environment).some((name) => process.env[name] === undefined)
// `node --watch` talks to the process that it started, and would lose the new one.
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined
if (isMissing && !isWatched && process.platform !== 'win32') {
  // The same process id runs the new program, so that signals of a supervisor reach it.
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], {
    ...environment,
    ...process.env,
  })
}
// Where nothing can be replaced, the pool at least grows: it starts with its first use.
process.env.UV_THREADPOOL_SIZE ??= environment.UV_THREADPOOL_SIZE
if (isCheckout && !isWatched) await import(strippedSources)
await import(isCheckout ? './src/main.ts' : './src/main.js')
