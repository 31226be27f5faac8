import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadOption, readOptions } from './options.ts'

test('without options the data folder is filled with 2000 traces of 30 days', () => {
  assert.deepEqual(readOptions([], {}), { seed: 1, traces: 2000, days: 30 })
})

test('a running server is named by options or by the environment, and options win', () => {
  const environment = { PLUMBLINE_URL: 'http://one:1', PLUMBLINE_API_KEY: 'key-of-one' }
  const server = (args: string[]) => {
    const options = readOptions(args, environment)
    return options === 'help' ? undefined : options.server
  }
  assert.deepEqual(server([]), { url: 'http://one:1', key: 'key-of-one' })
  assert.deepEqual(server(['--url', 'http://two:2']), { url: 'http://two:2', key: 'key-of-one' })
})

test('a key of the environment alone is that of the data folder', () => {
  assert.deepEqual(readOptions([], { PLUMBLINE_API_KEY: 'key' }), { seed: 1, traces: 2000, days: 30 })
})

test('what cannot be is refused with what would be right', () => {
  const refused: [string[], RegExp][] = [
    [['--traces', 'many'], /--traces must be a whole number/],
    [['--days', '0'], /--days must be a whole number from 1/],
    [['--url', 'http://one:1'], /--url needs an API key/],
    [['--key', 'pl_1'], /--key needs the address/],
    [['--url', 'one', '--key', 'pl_1'], /--url must be an address/],
    [['--colour'], /--colour/],
  ]
  for (const [args, message] of refused) {
    assert.throws(
      () => readOptions(args, {}),
      (error: unknown) => error instanceof BadOption && message.test(error.message),
    )
  }
})

test('--help asks for help', () => {
  assert.equal(readOptions(['--help'], {}), 'help')
})
