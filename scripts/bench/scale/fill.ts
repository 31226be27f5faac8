/**
 * `node scripts/bench/scale/fill.ts FOLDER FIRST COUNT`: copies the base traces in the trace store of a stopped
 * service, COUNT times each, starting with copy FIRST. Copies start at various times in the last six months, belong to
 * other users and sessions, some of which have most of the traffic, and contain a unique word; everything else is as
 * the service stored it. The store's own views compute the sums.
 */
import { openClients } from '../../../storage/traces/engine/clients.ts'
import { baseRelease } from './base-traces.ts'
import { sessionOf, userNumber } from './users.ts'

const [folder = '', first = '0', count = '0'] = process.argv.slice(2)
const months = 6
/** The rows of one statement are held in memory: this many copies make 200,000 logs. */
const copiesAtOnce = 50
const hourUs = 3_600_000_000

/** A UUIDv7 for the copy's start, and other values derived from the original's id and the copy number. */
const follows = (id: string): string => `
  cityHash64(toString(${id}), copy.number) AS copy_hash,
  {start:Int64} + toInt64(copy_hash % {span:UInt64}) AS copy_start,
  leftPad(lower(hex(intDiv(copy_start, 1000))), 12, '0') AS copy_ms,
  leftPad(lower(hex(copy_hash)), 16, '0') AS copy_digits,
  toUUID(concat(substring(copy_ms, 1, 8), '-', substring(copy_ms, 9, 4), '-7', substring(copy_digits, 1, 3), '-a',
    substring(copy_digits, 4, 3), '-', substring(copy_digits, 5, 12))) AS copy_id,
  fromUnixTimestamp64Milli(intDiv(copy_start, 1000), 'UTC') AS copy_received,
  toString(${userNumber("cityHash64(copy_hash, 'user') / pow(2, 64)")}) AS copy_user`

const copyTraces = `
  INSERT INTO traces
  WITH ${follows('t.trace_id')}
  SELECT t.* REPLACE (
    copy_id AS trace_id, copy_received AS received_at, copy_start AS start_us,
    t.end_us + copy_start - t.start_us AS end_us,
    concat('user-', copy_user) AS user_id,
    ${sessionOf('copy_user', 'copy_start')} AS session_id,
    concat('1.', toString(copy.number % 20)) AS release,
    concat('"', 'case', copy_digits, ' ', substring(t.input, 2)) AS input)
  FROM traces AS t CROSS JOIN numbers({first:UInt64}, {count:UInt64}) AS copy
  WHERE t.release = '${baseRelease}'`

const copyLogs = `
  INSERT INTO logs
  WITH ${follows('l.trace_id')}, copy_start - l.trace_start_us AS copy_later
  SELECT l.* REPLACE (
    copy_id AS trace_id, copy_received AS received_at, copy_start AS trace_start_us,
    l.start_us + copy_later AS start_us, l.end_us + copy_later AS end_us,
    concat('user-', copy_user) AS user_id)
  FROM logs AS l CROSS JOIN numbers({first:UInt64}, {count:UInt64}) AS copy
  WHERE l.trace_id IN (SELECT trace_id FROM traces WHERE release = '${baseRelease}')`

const clients = openClients({ folder })
const now = new Date()
for (let done = 0, month = 0; done < Number(count); done += copiesAtOnce, month++) {
  const monthsAgo = month % months
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)
  const endMs =
    monthsAgo === 0 ? now.getTime() : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo + 1, 1)
  const parameters = {
    start: BigInt(startMs) * 1000n,
    span: BigInt(Math.max(hourUs, (endMs - startMs) * 1000)),
    first: Number(first) + done,
    count: Math.min(copiesAtOnce, Number(count) - done),
  }
  await clients.maintain(copyTraces, parameters)
  await clients.maintain(copyLogs, parameters)
}
await clients.close()
