import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { oldestBrowsers } from './browsers.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const { chrome, edge, firefox, safari } = oldestBrowsers

it('the README and the page state the supported browsers', () => {
  assert.equal(chrome, edge)
  const browsers = `Chrome or Edge ${chrome}, Firefox ${firefox} or Safari ${safari}, or newer`
  for (const path of ['../README.md', 'public/theme.js']) assert.ok(read(path).includes(browsers), path)
})
