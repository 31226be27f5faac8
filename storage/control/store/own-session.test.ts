import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { emptyDatabase, type Place } from '../testing.ts'
import { assertOwnSession, hasOwnSession } from './own-session.ts'

describe('the session of a connection', () => {
  let place: Place
  let url: string
  const sessions: pg.Client[] = []
  const connect = async (): Promise<pg.Client> => {
    const session = new pg.Client({ connectionString: url })
    await session.connect()
    sessions.push(session)
    return session
  }
  before(async () => {
    place = await emptyDatabase()
    assert.ok('url' in place.location)
    url = place.location.url
  })
  after(async () => {
    for (const session of sessions) await session.end()
    await place.remove()
  })

  it('is dedicated without a pooler', async () => {
    await assertOwnSession(url)
    assert.equal(await hasOwnSession(await connect(), await connect()), true)
  })

  it('is not dedicated if a pooler gives free sessions to the next transaction', async () => {
    const session = await connect()
    assert.equal(await hasOwnSession(session, session), false)
  })

  it('is not dedicated if a pooler gives each statement another session', async () => {
    const all = [await connect(), await connect(), await connect()]
    let next = 0
    const query = ((text: string) => all[next++ % all.length]!.query(text)) as pg.Client['query']
    assert.equal(await hasOwnSession({ query }, await connect()), false)
  })

  it('is not dedicated if a pooler resets it after each transaction', async () => {
    const session = await connect()
    const query = (async (text: string) => {
      const result = await session.query(text)
      await session.query('DISCARD ALL')
      return result
    }) as pg.Client['query']
    assert.equal(await hasOwnSession({ query }, await connect()), false)
  })
})
