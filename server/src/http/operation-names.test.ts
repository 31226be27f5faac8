import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { allOperations } from '@plumbline/contract'

const source = resolve(import.meta.dirname, '..')
const resources = [...new Set(allOperations.map(({ name }) => name.split('.')[0]!))]
const nameInQuotes = new RegExp(`['"\`](?:${resources.join('|')})\\.(?:[a-zA-Z]+)?['"\`]`, 'g')

test('request handling does not refer to operations by name: what an operation needs is a field of it', () => {
  const files = globSync('{app.ts,http/**/*.ts}', { cwd: source }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const operationNames = files.flatMap((path) =>
    [...readFileSync(join(source, path), 'utf8').matchAll(nameInQuotes)].map(([name]) => `${path}: ${name}`),
  )
  assert.ok(files.length > 20)
  assert.deepEqual(operationNames, [])
})
