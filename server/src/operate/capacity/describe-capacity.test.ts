/** Issue 14, part 6: operators are warned before recording stops, and when it has stopped. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { describeCapacity, lowDiskFraction, lowQuotaFraction } from './describe-capacity.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
const spool = { bytes: 0, quotaBytes: 2 * gibibyte }
const diskOf = (freeBytes: number, sizeBytes = 100 * gibibyte) => ({ freeBytes, sizeBytes })

describe('describeCapacity', () => {
  it('uses the same thresholds as the alerts', () => {
    const rules = readFileSync(
      new URL('../../../../deploy/monitoring/alert-rules.yaml', import.meta.url),
      'utf8',
    )
    assert.ok(rules.includes(`plumbline_disk_free_bytes / plumbline_disk_size_bytes < ${lowDiskFraction}`))
    assert.ok(rules.includes(`plumbline_spool_bytes / plumbline_spool_quota_bytes > ${lowQuotaFraction}`))
  })

  it('gives no warning while there is space', () => {
    assert.deepEqual(describeCapacity({ disk: diskOf(50 * gibibyte), spool, isShared: false }), {
      state: 'enough',
      disk: { freeBytes: 50 * gibibyte, sizeBytes: 100 * gibibyte, reserveBytes: 512 * mebibyte },
    })
  })

  it('warns when a tenth of the disk is left, and states when recording stops', () => {
    const { state, warning } = describeCapacity({ disk: diskOf(9.5 * gibibyte), spool, isShared: false })
    assert.equal(state, 'low')
    assert.equal(
      warning,
      'The disk of the data directory is filling up: 9.5 GB of 100 GB are free, and recording stops at 512 MB. Shorten the retention, remove old backups, or enlarge the disk.',
    )
  })

  it('warns on a small disk, whose reserve is a tenth of it, before the reserve is reached', () => {
    const { state } = describeCapacity({
      disk: diskOf(150 * mebibyte, 1000 * mebibyte),
      spool,
      isShared: false,
    })
    assert.equal(state, 'low')
  })

  it('warns before a disk with free bytes can hold no more files, and says when it can hold none', () => {
    const describe = (free: number) =>
      describeCapacity({
        ...{ spool, isShared: false },
        disk: { ...diskOf(50 * gibibyte), files: { free, max: 65_536 } },
      })
    assert.deepEqual(
      describe(6554),
      describeCapacity({ disk: diskOf(50 * gibibyte), spool, isShared: false }),
    )
    const low = describe(6553)
    assert.equal(low.state, 'low')
    assert.match(low.warning ?? '', / can soon hold no more files: 6553 of its 65536 files \(inodes\) /)
    const full = describe(0)
    assert.equal(full.state, 'full')
    assert.match(
      full.warning ?? '',
      /^Recording has stopped: .* cannot hold any more files; 0 of its 65536 files/,
    )
  })

  it('states that nothing is recorded once only the reserve is left', () => {
    const { state, warning } = describeCapacity({ disk: diskOf(511 * mebibyte), spool, isShared: false })
    assert.equal(state, 'full')
    assert.match(
      warning ?? '',
      /^Recording has stopped: .* 511 MB of 100 GB are free, and 512 MB are reserved/,
    )
  })

  it('warns when half of the spool quota is used, and states when all of it is', () => {
    const disk = diskOf(50 * gibibyte)
    const half = describeCapacity({ disk, spool: { ...spool, bytes: 1.5 * gibibyte }, isShared: false })
    assert.equal(half.state, 'low')
    assert.match(
      half.warning ?? '',
      /^The spool is filling up: 1.5 GB of at most 2 GB are waiting for the trace store/,
    )
    const all = describeCapacity({ disk, spool: { ...spool, bytes: 2 * gibibyte }, isShared: false })
    assert.equal(all.state, 'full')
  })

  it('reports both if both are short, with the worse state', () => {
    const { state, warning } = describeCapacity({
      disk: diskOf(0),
      spool: { ...spool, bytes: 1.5 * gibibyte },
      isShared: false,
    })
    assert.equal(state, 'full')
    assert.match(warning ?? '', /^Recording has stopped.*The spool is filling up/)
  })

  it('has no reserve if the spool is in PostgreSQL: the disk then does not stop recording', () => {
    const { state, disk } = describeCapacity({ disk: diskOf(0), spool, isShared: true })
    assert.deepEqual([state, disk?.reserveBytes], ['enough', 0])
  })

  it('leaves the disk out while it does not respond', () => {
    assert.deepEqual(describeCapacity({ disk: undefined, spool, isShared: false }), { state: 'enough' })
  })
})
