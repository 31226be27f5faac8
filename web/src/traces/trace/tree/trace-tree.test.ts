import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredLog, StoredTrace } from '@plumbline/sdk'
import { readTrace } from '../read-trace.ts'
import { axisOf, barOf, overrunOf, ticksOf } from './time-axis.ts'
import { selfMs, treeOf } from './trace-tree.ts'
import { foundRows, searcher, type TreeRow, treeRows } from './tree-rows.ts'

const log = (id: string, parentId: string | null, fields: Partial<StoredLog> = {}): StoredLog => ({
  id,
  parentId,
  type: 'span',
  name: id,
  startTime: null,
  endTime: null,
  metadata: null,
  input: null,
  output: null,
  idealOutput: null,
  evaluators: null,
  ...fields,
})

const timeAt = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
const start = Date.UTC(2026, 0, 1)
const timedLog = (id: string, parentId: string | null, start: number, end?: number): StoredLog =>
  log(id, parentId, { startTime: timeAt(start), endTime: end === undefined ? null : timeAt(end) })

describe('the tree of a trace', () => {
  it('has siblings in the order they were sent, even if a parent arrives after its children', () => {
    const nodes = treeOf([log('b', 'a'), log('a', null), log('c', 'a'), log('d', 'b')])
    assert.deepEqual(
      nodes.map(({ log: { id }, depth }) => [id, depth]),
      [
        ['a', 0],
        ['b', 1],
        ['d', 2],
        ['c', 1],
      ],
    )
  })

  it('puts a log whose parent was not sent at the top', () => {
    assert.deepEqual(
      treeOf([log('a', 'gone'), log('b', 'b')]).map(({ depth }) => depth),
      [0, 0],
    )
  })

  it('marks logs with tokens counted by the service, in themselves or below', () => {
    const counted = { inputTokens: 3, tokensEstimated: true }
    const nodes = treeOf([
      log('a', null),
      log('b', 'a', counted),
      log('c', null),
      log('d', 'c', { ...counted, countsInTotals: false }),
    ])
    assert.deepEqual(
      nodes.map(({ sums }) => sums.tokensEstimated),
      [true, true, false, false],
    )
  })

  it('holds 10,000 logs, each below the one before', () => {
    const logs = Array.from({ length: 10_000 }, (_, index) =>
      log(`${index}`, index === 0 ? null : `${index - 1}`),
    )
    const nodes = treeOf(logs)
    assert.equal(nodes.at(-1)?.depth, 9999)
    assert.equal(nodes[0]?.end, 10_000)
    assert.equal(nodes[0]?.sums.logs, 9999)
  })

  it('sums cost, tokens and failures of all descendants', () => {
    const nodes = treeOf([
      log('a', null),
      log('b', 'a', { costInTotals: 0.5, inputTokens: 10, outputTokens: 1 }),
      log('c', 'b', { costInTotals: 0.25, inputTokens: 5, metadata: { error: 'down' } }),
      log('d', 'a', { metadata: { error: null } }),
    ])
    const tokens = { inputTokens: 15, outputTokens: 1, tokensEstimated: false }
    assert.deepEqual(nodes[0]?.sums, { cost: 0.75, ...tokens, errors: 1, logs: 3 })
    assert.deepEqual(
      nodes.map(({ isFailed }) => isFailed),
      [false, false, true, false],
    )
  })

  it('counts usage once if a log repeats that of its descendants', () => {
    const nodes = treeOf([
      log('agent', null, { cost: 1, inputTokens: 100, countsInTotals: false, costInTotals: null }),
      log('call', 'agent', { cost: 1, inputTokens: 100, costInTotals: 1 }),
    ])
    assert.equal(nodes[0]?.sums.cost, 1)
    assert.equal(nodes[0]?.sums.inputTokens, 100)
  })

  it('uses the cost of the log that reports it, and the tokens of the log that has them', () => {
    const nodes = treeOf([
      log('agent', null, { cost: 0.5, countsInTotals: false, costInTotals: 0.5 }),
      log('call', 'agent', { cost: 0.003, inputTokens: 100, costInTotals: 0 }),
    ])
    assert.deepEqual([nodes[0]?.sums.cost, nodes[0]?.sums.inputTokens, nodes[1]?.sums.cost], [0.5, 100, null])
  })

  it('knows that a call cost nothing', () => {
    assert.equal(treeOf([log('free', null, { cost: 0, costInTotals: 0 })])[0]?.sums.cost, 0)
  })

  it('has no cost if no log has one', () => {
    assert.equal(treeOf([log('a', null), log('b', 'a')])[0]?.sums.cost, null)
  })

  it('computes the self time of a log with overlapping children', () => {
    const nodes = treeOf([
      timedLog('a', null, 0, 100),
      timedLog('b', 'a', 10, 40),
      timedLog('c', 'a', 30, 60),
      timedLog('d', 'b', 10, 40),
    ])
    assert.equal(selfMs(nodes, nodes[0] as (typeof nodes)[0]), 50)
  })

  it('keeps microseconds', () => {
    const nodes = treeOf([
      log('a', null, { startTime: '2026-01-01T00:00:00.000250Z', endTime: '2026-01-01T00:00:00.001Z' }),
    ])
    assert.equal(nodes[0]?.endMs && nodes[0].endMs - (nodes[0].startMs ?? 0), 0.75)
  })
})

describe('the rows of a tree', () => {
  const nodes = treeOf([
    log('a', null),
    log('b', 'a', { type: 'tool', output: { city: 'Lyon' } }),
    log('c', 'b'),
    log('d', 'a'),
  ])

  it('omit the descendants of a collapsed log', () => {
    const rows = treeRows(nodes, new Set(['b']))
    assert.deepEqual(
      rows.map(({ node, isOpen }) => [node.log.id, isOpen]),
      [
        ['a', true],
        ['b', false],
        ['d', undefined],
      ],
    )
  })

  it('are the search matches by name, type and content, with their ancestors', () => {
    const fits = searcher(nodes)
    const search = (text: string) =>
      foundRows(nodes, fits(text)).map(({ node, isPath }) => [node.log.id, isPath])
    assert.deepEqual(search('lyon TYPE:tool'), [
      ['a', true],
      ['b', false],
    ])
    assert.deepEqual(search('nothing of it'), [])
  })
})

describe('the rows of an OpenTelemetry trace', () => {
  const otel = { spanId: 'a' }
  const logs = [log('a', null, { metadata: { otel }, output: 'of the root' }), log('b', 'a'), log('c', 'b')]
  // Safe: nothing else of a trace is read here.
  const readLogs = (trace: object) =>
    readTrace({ name: 'a', startTime: timeAt(0), endTime: null, logs, ...trace } as StoredTrace)
  const placesOf = (rows: readonly TreeRow[]) => rows.map(({ node, depth }) => [node.log.id, depth])

  it('have the root once: the row of the trace represents it', () => {
    const { nodes, root } = readLogs({})
    assert.equal(root?.log.id, 'a')
    assert.deepEqual(placesOf(treeRows(nodes, new Set(), root)), [
      ['b', 0],
      ['c', 1],
    ])
    const fits = searcher(nodes)
    assert.deepEqual(placesOf(foundRows(nodes, fits('c'), root)), [
      ['b', 0],
      ['c', 1],
    ])
    assert.deepEqual(placesOf(foundRows(nodes, fits('root'), root)), [['a', 0]])
  })

  it('keep a root that differs from the trace, and logs of a REST client', () => {
    assert.equal(readLogs({ name: 'Refund question' }).root, undefined)
    assert.equal(readLogs({ logs: [...logs, log('d', null)] }).root, undefined)
    assert.equal(readLogs({ logs: [log('a', null), log('b', 'a')] }).root, undefined)
    assert.equal(readLogs({ logs: [] }).root, undefined)
  })
})

describe('the time axis', () => {
  const trace = { startMs: start, endMs: start + 100 }

  it('extends to the last end of a log, even beyond the end of the trace', () => {
    const axis = axisOf(treeOf([timedLog('a', null, 50, 400)]), trace)
    assert.equal(axis.toMs - axis.fromMs, 400)
  })

  it('reports how much later than its parent or the trace a log ended', () => {
    const logs = [
      timedLog('late', null, 50, 400),
      timedLog('in time', 'late', 60, 400),
      timedLog('later', 'late', 70, 1700),
      timedLog('running', 'late', 80),
    ]
    const nodes = treeOf(logs)
    const overruns = nodes.map((node) => [node.log.id, overrunOf(node, nodes, trace.endMs)])
    assert.deepEqual(overruns, [
      ['late', 300],
      ['in time', 0],
      ['later', 1300],
      ['running', 0],
    ])
    assert.equal(nodes[0] && overrunOf(nodes[0], nodes, undefined), 0)
  })

  it('has a bar to its end for running logs, and none for logs without times', () => {
    const [running, timeless] = treeOf([timedLog('a', null, 25), log('b', null)])
    const axis = axisOf([], trace)
    assert.deepEqual(running && barOf(running, axis), { left: 0.25, width: 0.75, isRunning: true })
    assert.equal(timeless && barOf(timeless, axis), undefined)
  })

  it('has a length even if nothing has a duration', () => {
    const axis = axisOf([], { startMs: start, endMs: undefined })
    assert.equal(axis.toMs - axis.fromMs, 1)
    assert.ok(ticksOf(axis, 4).length <= 5)
  })

  it('has round ticks', () => {
    assert.deepEqual(ticksOf({ fromMs: 0, toMs: 5290 }, 4), [0, 2000, 4000])
    const minute = 60_000
    assert.deepEqual(ticksOf({ fromMs: 0, toMs: 10 * minute }, 4), [0, 5 * minute])
    assert.deepEqual(ticksOf({ fromMs: 0, toMs: 100_000 }, 4), [0, 30_000, 60_000, 90_000])
    const day = 24 * 60 * minute
    assert.deepEqual(ticksOf({ fromMs: 0, toMs: 90 * day }, 4), [0, 50 * day])
  })
})
