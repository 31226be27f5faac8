import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { connectionOf } from './postgres-pool.ts'

describe('TLS to PostgreSQL', () => {
  const sslOf = (parameters: string): unknown => {
    const url = `postgres://user:secret@db.example/plumbline${parameters}`
    return new pg.Client(connectionOf(url, 'test')).ssl
  }

  it('is what sslmode means to PostgreSQL: require encrypts, verify-full looks at the certificate too', () => {
    assert.equal(sslOf(''), false)
    assert.equal(sslOf('?sslmode=disable'), false)
    assert.deepEqual(sslOf('?sslmode=require'), { rejectUnauthorized: false })
    assert.deepEqual(sslOf('?connect_timeout=5&sslmode=require'), { rejectUnauthorized: false })
    assert.deepEqual(sslOf('?sslmode=verify-full'), {})
  })

  it('can be what the client has made of it so far', () => {
    assert.deepEqual(sslOf('?sslmode=require&uselibpqcompat=false'), {})
  })
})
