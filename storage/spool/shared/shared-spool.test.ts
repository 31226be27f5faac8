import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../fixtures/eventually.ts'
import { emptyDatabase, type Place } from '../../control/testing.ts'
import { readSegment, SpoolFailed, SpoolFull } from '../index.ts'
import { openSharedSpool, type SharedSpool, type SharedSpoolOptions } from './shared-spool.ts'

const body = (text: string): Uint8Array[] => [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))]

describe('a spool that nodes share', () => {
  let place: Place
  let url: string
  let database: pg.Pool
  const opened: SharedSpool[] = []
  const open = async (options: Partial<SharedSpoolOptions> = {}): Promise<SharedSpool> => {
    const spool = await openSharedSpool({
      url,
      bytesMax: 2 ** 30,
      recordsMax: 1_000_000,
      segmentBytesMax: 2 ** 20,
      ...options,
    })
    opened.push(spool)
    return spool
  }
  before(async () => {
    place = await emptyDatabase()
    assert.ok('url' in place.location)
    url = place.location.url
    database = new pg.Pool({ connectionString: url })
    // The database is dropped while its connections are closing.
    database.on('error', () => undefined)
  })
  // Closed after each test, since an open spool would reclaim the segments of the next test.
  afterEach(async () => {
    for (const spool of opened.splice(0)) await spool.close().catch(() => undefined)
  })
  after(async () => {
    await database.end()
    await place.remove()
  })
  const recordsOf = async (spool: SharedSpool): Promise<string[]> => {
    const sources = await Promise.all(spool.sealed().map((segment) => spool.source(segment)))
    return sources.flatMap((source) => readSegment(source).records.map(({ id }) => id))
  }
  const drain = async (spool: SharedSpool): Promise<void> => {
    await spool.seal()
    for (const segment of spool.sealed()) await spool.remove(segment)
  }
  /** As if the process had died: its lease has expired and is no longer renewed. */
  const expire = (): Promise<unknown> =>
    database.query(`UPDATE spool_owners SET lease_until = now() - interval '1 second'`)

  it('finds an acknowledged record on every node, by its id and by its tags, until it is removed', async () => {
    const [first, other] = [await open(), await open()]
    await first.append('trace 1', body('hello'))
    await first.append('score 1', body('a score'), { tags: ['trace 1'] })
    await first.append('spans 1', body('spans'), { tags: ['trace 1', 'trace 2'] })
    assert.equal((await other.find('trace 1'))?.toString(), 'hello')
    assert.deepEqual(
      (await other.findByTag('trace 1')).map(({ payload }) => String(payload)),
      ['a score', 'spans'],
    )
    assert.deepEqual(
      (await other.findByTag('trace 2')).map(({ id, tags }) => [id, tags]),
      [['spans 1', ['trace 1', 'trace 2']]],
    )
    assert.equal(await other.find('trace 2'), undefined)
    await first.seal()
    assert.deepEqual(await recordsOf(first), ['trace 1', 'score 1', 'spans 1'])
    assert.deepEqual(other.sealed(), [])
    await drain(first)
    assert.equal(await other.find('trace 1'), undefined)
    assert.deepEqual(await other.findByTag('trace 1'), [])
  })

  it('has the same first record of an ordered tag on every node, even if two nodes append at once', async () => {
    const [first, other] = [await open(), await open()]
    const tags = Array.from({ length: 20 }, (_, index) => `ordered ${index}`)
    // In opposite orders, which must not deadlock.
    await Promise.all(
      tags.flatMap((_tag, index) => [
        first.append(`at first ${index}`, body('a'), { tags: ['at first'], orderedTags: tags }),
        other.append(`at other ${index}`, body('b'), { tags: ['at other'], orderedTags: tags.toReversed() }),
      ]),
    )
    const firstRecords = await first.findFirst(tags)
    assert.equal(firstRecords.size, tags.length)
    assert.deepEqual(await other.findFirst(tags), firstRecords)
    for (const tag of tags) {
      const records = await other.findByTag(tag)
      assert.equal(records.length, 2 * tags.length)
      assert.deepEqual(
        records.filter(({ isFirst }) => isFirst).map((record) => record.tags),
        [firstRecords.get(tag)],
      )
    }
    await drain(first)
    await drain(other)
    assert.equal((await first.findFirst(tags)).size, 0)
    assert.equal((await database.query('SELECT tag FROM spool_first_records')).rowCount, 0)
  })

  it('keeps every record of concurrent appends once and in order, of any size, even without a copy in memory', async () => {
    const spool = await open({ segmentBytesMax: 100_000 })
    const sizes = Array.from({ length: 300 }, (_, index) => [0, 10, 3_000, 120_000, 40][index % 5]!)
    const bodies = sizes.map((size, index) => Buffer.alloc(size, `${index} ä`))
    await Promise.all(bodies.map((bytes, index) => spool.append(`of any size ${index}`, [bytes])))
    await spool.seal()
    const ids = bodies.map((_, index) => `of any size ${index}`)
    assert.deepEqual(await recordsOf(spool), ids)
    for (const { bytes, records } of spool.sealed()) assert.ok(bytes <= 100_000 || records === 1)
    const storedRecords = await database.query('SELECT id FROM spool_records ORDER BY segment_id, position')
    assert.deepEqual(
      storedRecords.rows.map(({ id }) => id),
      ids,
    )
    assert.deepEqual(await spool.find('of any size 3'), bodies[3])
    await drain(spool)
  })

  it('drains the segments of a dead process, which can no longer append to them', async () => {
    const reclaimed: number[] = []
    const dead = await open()
    const other = await open()
    other.onReclaimed(() => reclaimed.push(1))
    await dead.append('left 1', body('left'))
    await dead.seal()
    await dead.append('left 2', body('left too'))
    await other.renew()
    assert.deepEqual(other.sealed(), [])
    await expire()
    await other.renew()
    assert.deepEqual(await recordsOf(other), ['left 1', 'left 2'])
    assert.deepEqual(
      other.sealed().map(({ records }) => records),
      [1, 1],
    )
    assert.equal(reclaimed.length, 1)
    // The process was only slow.
    await dead.append('left 3', body('late'))
    assert.deepEqual(await recordsOf(other), ['left 1', 'left 2'])
    assert.equal((await other.find('left 3'))?.toString(), 'late')
    await drain(other)
    await drain(dead)
    assert.equal(await other.find('left 3'), undefined)
  })

  it('gives each segment of a dead process to one of the others', async () => {
    const dead = await open()
    for (let index = 0; index < 20; index++) {
      await dead.append(`one of 20: ${index}`, body('left'))
      await dead.seal()
    }
    const others = await Promise.all([open(), open(), open()])
    await expire()
    for (const spool of others) assert.equal(await spool.problem(), undefined)
    await Promise.all(others.map((spool) => spool.renew()))
    const ids = (await Promise.all(others.map(recordsOf))).flat()
    assert.equal(ids.length, 20)
    assert.equal(new Set(ids).size, 20)
    await Promise.all(others.map(drain))
    await drain(dead)
  })

  it('hands over at once the segments that it could not drain before it closed', async () => {
    const [closing, other] = [await open(), await open()]
    await closing.append('handed over', body('hello'))
    await closing.close()
    await assert.rejects(closing.append('too late', body('hello')), SpoolFailed)
    await other.renew()
    assert.deepEqual(await recordsOf(other), ['handed over'])
    await drain(other)
  })

  it('numbers the processes that append to it', async () => {
    const spools = [await open(), await open(), await open()]
    const numbers = new Set(spools.map(({ processNumber }) => processNumber % 100))
    assert.equal(numbers.size, spools.length)
  })

  it('waits for the records of other processes', async () => {
    const [first, other] = [await open(), await open()]
    await first.append('to wait for', body('hello'))
    let isDone = false
    const waiting = other.othersDrained().then(() => {
      isDone = true
    })
    await first.append('after it', body('hello'))
    assert.equal(isDone, false)
    await drain(first)
    await waiting
  })

  it('keeps the waiting records of a reduced segment, and says which shards they are for', async () => {
    const [first, other] = [await open(), await open()]
    await first.append('reduced 1', body('hello'), { tags: ['tag 1'], orderedTags: ['first 1'] })
    await first.append('reduced 2', body('hello'), { tags: ['tag 2'], orderedTags: ['first 2'] })
    await first.append('reduced 3', body('hello'))
    await first.seal()
    const [segment] = first.sealed()
    await first.reduce(segment!, { ids: new Set(['reduced 2']), shards: [2] })
    for (const spool of [first, other]) {
      assert.equal(await spool.find('reduced 1'), undefined)
      assert.equal((await spool.find('reduced 2'))?.toString(), 'hello')
      assert.deepEqual([...(await spool.findFirst(['first 1', 'first 2'])).keys()], ['first 2'])
    }
    assert.deepEqual(await recordsOf(first), ['reduced 2'])
    const [reduced] = first.sealed()
    assert.deepEqual([reduced?.id, reduced?.records], [segment?.id, 1])
    await other.renew()
    assert.deepEqual([other.size().records, other.size().bytes], [1, reduced?.bytes])
    // No records are left for the first shard.
    await other.othersDrained(1)
    let isDone = false
    const waiting = Promise.all([other.othersDrained(2), other.othersDrained()]).then(() => {
      isDone = true
    })
    await expire()
    await other.renew()
    assert.deepEqual([await recordsOf(other), isDone], [['reduced 2'], false])
    await drain(other)
    await waiting
    await drain(first)
  })

  it('counts the records of all processes, and refuses more than the quota', async () => {
    const [first, other] = [await open(), await open({ recordsMax: 3 })]
    await first.append('counted 1', body('hello'))
    await first.append('counted 2', body('hello'))
    await first.seal()
    await other.renew()
    assert.equal(other.size().records, 2)
    assert.ok(other.size().bytes > 2 * 5)
    assert.ok(other.size().oldestAt! <= new Date())
    await other.append('counted 3', body('hello'))
    await assert.rejects(other.append('counted 4', body('hello')), SpoolFull)
    await drain(first)
    await other.renew()
    await other.append('counted 4', body('hello'))
    await drain(other)
  })

  it('rejects a record while the database is away, and drains it if it was stored anyway', async () => {
    const spool = await open()
    await spool.append('before', body('hello'))
    const cutConnection = () =>
      database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plumbline spool' AND datname = current_database()`,
      )
    await database.query('ALTER TABLE spool_records RENAME TO spool_records_away')
    await cutConnection()
    await assert.rejects(spool.append('meanwhile', body('hello')), SpoolFailed)
    await database.query('ALTER TABLE spool_records_away RENAME TO spool_records')
    await eventually(async () => assert.equal(await spool.problem(), undefined))
    await spool.append('afterwards', body('hello'))
    await spool.renew()
    await spool.seal()
    assert.deepEqual((await recordsOf(spool)).sort(), ['afterwards', 'before'])
    await drain(spool)
  })

  /** Makes a statement on the active segment fail. */
  const failAppend = async (spool: SharedSpool): Promise<void> => {
    await database.query('ALTER TABLE spool_records RENAME TO spool_records_away')
    await assert.rejects(spool.append('meanwhile', body('hello')), SpoolFailed)
    await database.query('ALTER TABLE spool_records_away RENAME TO spool_records')
  }

  it('drains a segment whose append failed once it is no longer locked, however many renewals later', async () => {
    const spool = await open()
    await spool.append('held', body('hello'))
    await failAppend(spool)
    const holder = await database.connect()
    await holder.query('BEGIN; SELECT id FROM spool_segments FOR SHARE')
    await spool.renew()
    assert.deepEqual(await recordsOf(spool), [])
    await holder.query('COMMIT')
    holder.release()
    await spool.renew()
    assert.deepEqual(await recordsOf(spool), ['held'])
    await spool.renew()
    assert.deepEqual(await recordsOf(spool), ['held'], 'once')
    await drain(spool)
  })

  it('reclaims its own lost segments before those of a dead node, however many there are', async () => {
    const spool = await open()
    await spool.append('own', body('hello'))
    await failAppend(spool)
    await database.query(`
      INSERT INTO spool_segments (id, owner, is_sealed)
      SELECT lpad(to_hex(place), 12, '0') || '-' || md5(place::text), 'dead', true FROM generate_series(1, 300) place`)
    await spool.renew()
    assert.deepEqual(await recordsOf(spool), ['own'])
    await eventually(async () => {
      await spool.renew()
      const { rows } = await database.query(`SELECT id FROM spool_segments WHERE owner = 'dead'`)
      assert.deepEqual(rows, [])
    })
    await drain(spool)
  })

  it('does not reclaim the segment that it appends to or is sealing', async () => {
    const spool = await open({ segmentBytesMax: 200 })
    const renewals = (async () => {
      for (let count = 0; count < 40; count += 1) await spool.renew()
    })()
    const ids = Array.from({ length: 60 }, (_, index) => `record ${String(index).padStart(2, '0')}`)
    for (const id of ids) await spool.append(id, body('hello'))
    await renewals
    await spool.seal()
    assert.deepEqual(await recordsOf(spool), ids)
    await drain(spool)
  })

  it('is durable regardless of the database default', async () => {
    const name = new URL(url).pathname.slice(1)
    await database.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`)
    const spool = await open()
    await database.query(`
      CREATE FUNCTION refuse_later_commits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('synchronous_commit') <> 'on' THEN RAISE EXCEPTION 'not durable'; END IF; RETURN NEW;
      END $$`)
    // The trigger runs at the commit, which is when the setting applies.
    await database.query(`
      CREATE CONSTRAINT TRIGGER refuse_later AFTER INSERT ON spool_records DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse_later_commits()`)
    await spool.append('durable', body('hello'))
    await drain(spool)
    await database.query('DROP TRIGGER refuse_later ON spool_records')
  })
})
