import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { connectionOf } from './postgres-pool.ts'

describe('TLS to PostgreSQL', () => {
  const sslOf = (parameters: string): unknown => {
    const url = `postgres://user:secret@db.example/plumbline${parameters}`
    return new pg.Client(connectionOf(url, 'test')).ssl
  }

  it('follows the sslmode semantics of PostgreSQL: require encrypts, verify-full also checks the certificate', () => {
    assert.equal(sslOf(''), false)
    assert.equal(sslOf('?sslmode=disable'), false)
    assert.deepEqual(sslOf('?sslmode=require'), { rejectUnauthorized: false })
    assert.deepEqual(sslOf('?connect_timeout=5&sslmode=require'), { rejectUnauthorized: false })
    assert.deepEqual(sslOf('?sslmode=verify-full'), {})
  })

  it('can keep the previous semantics of the client', () => {
    assert.deepEqual(sslOf('?sslmode=require&uselibpqcompat=false'), {})
  })
})
