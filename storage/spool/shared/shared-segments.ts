/** The statements of the shared spool. */
import { readFileSync } from 'node:fs'
import { mapErrors, openPool } from '../../control/store/postgres-pool.ts'
import type { SharedRejections, WaitingRecords } from '../spool.ts'

/** A process that has not renewed its lease for this long is considered dead. */
const leaseSeconds = 15

const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8')

/** One group of records, as the columns of a statement. */
export interface RecordGroup {
  readonly segmentId: string
  readonly owner: string
  readonly firstPosition: number
  /** All records one after the other. */
  readonly bytes: Buffer
  readonly ids: readonly string[]
  /** Where each record begins in `bytes`, from 1, as SQL counts. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
  /** For each record its tags, separated by the character 31; empty if there are none. */
  readonly tags: readonly string[]
  /** For each record its ordered tags, in the same form. */
  readonly orderedTags: readonly string[]
}

export interface SegmentTotals {
  readonly records: number
  readonly bytes: number
  readonly oldestId: string | null
}

/** An arbitrary advisory lock id that no other program uses in the same database. */
const schemaLock = 7_586_244_702

/** Runs a statement that PostgreSQL prepares under its name. */
type RowQuery = <Row extends object>(name: string, text: string, values: unknown[]) => Promise<Row[]>

/** Connects on the first statement. */
export function sharedSegments(url: string) {
  const pool = openPool(url, { name: 'plumbline spool', max: 6 })
  const rows: RowQuery = async <Row extends object>(name: string, text: string, values: unknown[]) =>
    (await pool.withClient((client) => mapErrors(() => client.query<Row>({ name, text, values })))).rows

  return {
    // The statements of one query run in one transaction.
    createTables: () =>
      pool.withClient((client) =>
        mapErrors(() => client.query(`SELECT pg_advisory_xact_lock(${schemaLock}); ${schema}`)),
      ),

    close: pool.close,

    async nextProcessNumber(): Promise<number> {
      const [row] = await rows<{ number: number }>(
        'spool-process-number',
        `SELECT nextval('spool_process_numbers')::integer AS number`,
        [],
      )
      return row?.number ?? 0
    },

    /** Renews the lease of this process. */
    renewLease: (owner: string) => rows('spool-renew', statements.renewLease, [owner, leaseSeconds]),

    /** Lets others reclaim the segments of this process at once. */
    endLease: (owner: string) => rows('spool-end', 'DELETE FROM spool_owners WHERE owner = $1', [owner]),

    begin: (id: string, owner: string) =>
      rows('spool-begin', 'INSERT INTO spool_segments (id, owner) VALUES ($1, $2)', [id, owner]),

    /** Appends a group to a segment; false if another process has reclaimed the segment. */
    async append(group: RecordGroup): Promise<boolean> {
      const { segmentId, owner, firstPosition, bytes, ids, tags, starts, lengths, orderedTags } = group
      const values = [segmentId, owner, firstPosition, bytes, ids, tags, starts, lengths, orderedTags]
      return (await rows('spool-append', statements.append, values)).length > 0
    },

    /** False if another process has reclaimed the segment. */
    async seal(id: string, owner: string, { records, bytes }: { records: number; bytes: number }) {
      return (await rows('spool-seal', statements.seal, [id, owner, records, bytes])).length > 0
    },

    /**
     * Seals and takes over the segments of processes whose lease has expired. Also reclaims segments of the owner
     * itself, up to its last one, that it does not know about: a statement that failed may still have taken effect.
     */
    async reclaim(
      owner: string,
      own: { readonly knownIds: readonly string[]; readonly lastId: string },
    ): Promise<{ id: string; records: number; bytes: number }[]> {
      const reclaimed = await rows<{ id: string; records: number; bytes: string }>(
        'spool-reclaim',
        statements.reclaim,
        [owner, own.knownIds, own.lastId],
      )
      return reclaimed.map((segment) => ({ ...segment, bytes: Number(segment.bytes) }))
    },

    /** The records of a segment in their order. */
    records: (segmentId: string) =>
      rows<{ record: Buffer }>('spool-records', statements.records, [segmentId]),

    async find(id: string): Promise<StoredRecord | undefined> {
      const [row] = await rows<StoredRecord>('spool-find', statements.find, [id])
      return row
    },

    /** Records with a tag, in the order in which they are drained. */
    findByTag: (tag: string) =>
      rows<StoredRecord & { id: string; tags: string[]; is_first: boolean }>(
        'spool-find-by-tag',
        statements.findByTag,
        [tag],
      ),

    /** The tags of the first record of each ordered tag. */
    findFirst: (tags: readonly string[]) =>
      rows<{ tag: string; tags: string[] }>('spool-find-first', statements.findFirst, [tags]),

    remove: (segmentId: string) => rows('spool-remove', statements.remove, [segmentId]),

    /** Removes the other records of a segment. */
    async reduce(segmentId: string, { ids, shards }: WaitingRecords) {
      const values = [segmentId, [...ids], shards]
      const [left] = await rows<{ records: number; bytes: string }>('spool-reduce', statements.reduce, values)
      return left && { records: left.records, bytes: Number(left.bytes) }
    },

    /** What other processes have yet to drain; records that are not in a sealed segment are not counted. */
    async totalsOfOthers(owner: string): Promise<SegmentTotals> {
      const [totals] = await rows<{ records: string; bytes: string; oldest_id: string | null }>(
        'spool-totals',
        statements.totalsOfOthers,
        [owner],
      )
      return {
        records: Number(totals?.records ?? 0),
        bytes: Number(totals?.bytes ?? 0),
        oldestId: totals?.oldest_id ?? null,
      }
    },

    /** Segments of other processes. If a shard is named, leaves out the segments that it already has its part of. */
    async idsOfOthers(owner: string, shard: number | undefined): Promise<string[]> {
      const others = await rows<{ id: string }>('spool-others', statements.others, [owner, shard ?? null])
      return others.map(({ id }) => id)
    },

    rejections: rejectionsIn(rows),
  }
}

const rejectionsIn = (rows: RowQuery): SharedRejections => ({
  async keep(batch, records) {
    await rows('spool-keep-rejected', statements.keepRejected, [batch, records])
  },
  list: () => rows('spool-rejected', statements.listRejected, []),
  async remove(batch, position) {
    await rows('spool-remove-rejected', statements.removeRejected, [batch, position])
  },
  async countBatches() {
    const [counted] = await rows<{ batches: string }>('spool-count-rejected', statements.countRejected, [])
    return Number(counted?.batches ?? 0)
  },
})

export interface StoredRecord {
  readonly record: Buffer
  readonly segment_id: string
}

const statements = {
  renewLease: `
    WITH forgotten AS (
      DELETE FROM spool_owners o WHERE lease_until < now() - interval '1 hour'
        AND NOT EXISTS (SELECT 1 FROM spool_segments s WHERE s.owner = o.owner)
    )
    INSERT INTO spool_owners (owner, lease_until) VALUES ($1, now() + $2 * interval '1 second')
    ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until`,
  // If two nodes have a first record at the same time, one waits until the other has committed. All insert in the order
  // of the tags, so that they cannot deadlock.
  //
  // A record is acknowledged once it is durable, whatever the database default: the setting at the commit applies. The
  // lock makes a process that reclaims the segment wait, so that it reads everything that was acknowledged.
  append: `
    WITH durable AS MATERIALIZED (
      SELECT CASE current_setting('synchronous_commit')
        WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END AS setting
    ), segment AS (
      SELECT id FROM spool_segments WHERE id = $1 AND owner = $2 AND NOT is_sealed FOR SHARE
    ), inserted AS (
      INSERT INTO spool_records (id, segment_id, position, tags, record)
      SELECT r.id, segment.id, $3::integer + r.place, string_to_array(NULLIF(r.tags, ''), chr(31)),
        substring($4::bytea FROM r.start FOR r.length)
      FROM segment, unnest($5::text[], $6::text[], $7::integer[], $8::integer[])
        WITH ORDINALITY AS r(id, tags, start, length, place)
    ), first AS (
      INSERT INTO spool_first_records (tag, record_id, segment_id)
      SELECT DISTINCT ON (t.tag) t.tag, r.id, segment.id
      FROM segment, unnest($5::text[], $9::text[]) WITH ORDINALITY AS r(id, tags, place),
        unnest(string_to_array(NULLIF(r.tags, ''), chr(31))) AS t(tag)
      ORDER BY t.tag, r.place
      ON CONFLICT DO NOTHING
    )
    SELECT id, setting FROM segment, durable`,
  seal: `
    UPDATE spool_segments SET is_sealed = true, records = $3, bytes = $4
    WHERE id = $1 AND owner = $2 RETURNING id`,
  // The owners come from a separate query, so that a row that another process took over meanwhile is compared with them
  // again.
  reclaim: `
    WITH expired AS (
      SELECT id FROM spool_segments
      WHERE owner = $1 AND id <> ALL ($2::text[]) AND id COLLATE "C" <= $3
        OR owner <> $1 AND owner = ANY (ARRAY(
          SELECT s.owner FROM spool_segments s LEFT JOIN spool_owners o ON o.owner = s.owner
          WHERE o.lease_until IS NULL OR o.lease_until < now()))
      ORDER BY owner <> $1, id LIMIT 100 FOR UPDATE SKIP LOCKED
    )
    UPDATE spool_segments SET owner = $1, is_sealed = true,
      records = (SELECT count(*) FROM spool_records r WHERE r.segment_id = spool_segments.id),
      bytes = (SELECT coalesce(sum(length(record)), 0) FROM spool_records r WHERE r.segment_id = spool_segments.id)
    WHERE id IN (SELECT id FROM expired)
    RETURNING id, records, bytes`,
  records: 'SELECT record FROM spool_records WHERE segment_id = $1 ORDER BY position',
  find: 'SELECT record, segment_id FROM spool_records WHERE id = $1',
  findByTag: `
    SELECT r.id, r.tags, r.record, r.segment_id, f.tag IS NOT NULL AS is_first
    FROM spool_records r LEFT JOIN spool_first_records f ON f.tag = $1 AND f.record_id = r.id
    WHERE r.tags @> ARRAY[$1::text] ORDER BY r.segment_id, r.position`,
  findFirst: `
    SELECT f.tag, r.tags FROM spool_first_records f JOIN spool_records r ON r.id = f.record_id
    WHERE f.tag = ANY ($1::text[])`,
  remove: `
    WITH segment AS (DELETE FROM spool_segments WHERE id = $1),
      first AS (DELETE FROM spool_first_records WHERE segment_id = $1)
    DELETE FROM spool_records WHERE segment_id = $1`,
  reduce: `
    WITH stored AS (
      DELETE FROM spool_records WHERE segment_id = $1 AND id <> ALL ($2::text[])
    ), first AS (
      DELETE FROM spool_first_records WHERE segment_id = $1 AND record_id <> ALL ($2::text[])
    )
    UPDATE spool_segments s SET waiting_shards = $3::integer[], records = waiting.records, bytes = waiting.bytes
    FROM (
      SELECT count(*) AS records, coalesce(sum(length(record)), 0) AS bytes
      FROM spool_records WHERE segment_id = $1 AND id = ANY ($2::text[])
    ) AS waiting
    WHERE s.id = $1 RETURNING s.records, s.bytes`,
  others: `
    SELECT id FROM spool_segments
    WHERE owner <> $1 AND ($2::integer IS NULL OR waiting_shards IS NULL OR $2 = ANY (waiting_shards))`,
  totalsOfOthers: `
    SELECT coalesce(sum(records), 0) AS records, coalesce(sum(bytes), 0) AS bytes, min(id) AS oldest_id
    FROM spool_segments WHERE owner <> $1`,
  listRejected: `
    SELECT segment_id AS batch, position, record FROM spool_rejected_records ORDER BY segment_id, position`,
  countRejected: 'SELECT count(DISTINCT segment_id) AS batches FROM spool_rejected_records',
  keepRejected: `
    INSERT INTO spool_rejected_records (segment_id, position, record)
    SELECT $1, r.place, r.record FROM unnest($2::text[]) WITH ORDINALITY AS r(record, place)
    ON CONFLICT DO NOTHING`,
  removeRejected: 'DELETE FROM spool_rejected_records WHERE segment_id = $1 AND position = $2',
}

export type SharedSegments = ReturnType<typeof sharedSegments>
