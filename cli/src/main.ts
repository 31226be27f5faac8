#!/usr/bin/env node
import { run } from './run.ts'
import { readSettings } from './settings.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())

// Whoever reads our output may stop reading, as `head` does; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await run(process.argv.slice(2), {
  settings: readSettings(),
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
