import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeLogger } from './logger.ts'

test('a failed write does not throw, and many of them do not fill memory', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  writeFileSync(file, '')
  // Opened for reading, so every write fails.
  const descriptor = openSync(file, 'r')
  const logger = makeLogger('info', descriptor)
  for (let line = 0; line < 30; line++) logger.info('x'.repeat(100_000))
  assert.equal(readFileSync(file, 'utf8'), '')
  closeSync(descriptor)

  const again = openSync(file, 'w')
  assert.equal(again, descriptor, 'the same number, as after the disk has room again')
  logger.info('there is room')
  closeSync(again)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.match(lines.at(-1) ?? '', /there is room/)
  assert.ok(lines.length < 15, String(lines.length))
})
