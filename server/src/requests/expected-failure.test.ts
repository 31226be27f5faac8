import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectedFailure } from './expected-failure.ts'

it('a full disk is told as one, whoever meets it', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    assert.match(
      expectedFailure(Object.assign(new Error(`${code}: write`), { code }))?.message ?? '',
      /^The disk of the data directory is full/,
    )
  assert.equal(expectedFailure(Object.assign(new Error('EIO: write'), { code: 'EIO' })), undefined)
})
