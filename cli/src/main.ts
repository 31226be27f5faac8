#!/usr/bin/env node
import { run } from './run.ts'
import { readSettings } from './settings.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())

// The reader of our output may close the pipe early, as `head` does; that is not an error.
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
