import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectedFailure } from './expected-failure.ts'

it('a full disk is reported as such, wherever it occurs', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    assert.match(
      expectedFailure(Object.assign(new Error(`${code}: write`), { code }))?.message ?? '',
      /^The disk of the data directory is full/,
    )
  assert.equal(expectedFailure(Object.assign(new Error('EIO: write'), { code: 'EIO' })), undefined)
})

it('too many open files are temporary, so the request can be retried', () => {
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  for (const error of [cause, new Error('A record of the spool could not be read.', { cause })])
    assert.equal(expectedFailure(error)?.status, 503)
})
