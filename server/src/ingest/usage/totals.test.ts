import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type LogUsage, totalsOf } from './totals.ts'

const none = { inputTokens: null, outputTokens: null, cost: null, costEstimate: null }

function log(id: string, parentId: string | null, usage?: Partial<NonNullable<LogUsage['usage']>>): LogUsage {
  return { id, parentId, hasError: false, model: null, ...(usage && { usage: { ...none, ...usage } }) }
}

describe('totalsOf', () => {
  it('sums tokens and cost, counts errors and names each model once', () => {
    const logs: LogUsage[] = [
      log('a', null),
      { ...log('b', 'a', { inputTokens: 10, outputTokens: 5, cost: 0.5 }), model: 'gpt-4o', hasError: true },
      { ...log('c', 'a', { inputTokens: 1.5, outputTokens: 2, cost: 0.25 }), model: 'gpt-4o' },
    ]
    assert.deepEqual(totalsOf(logs), {
      totals: { inputTokens: 11.5, outputTokens: 7, cost: 0.75, errors: 1, models: ['gpt-4o'] },
      countsInTotals: [false, true, true],
      costsInTotals: [null, 0.5, 0.25],
    })
  })

  it('counts a usage once, in the innermost log that carries it', () => {
    const usage = { inputTokens: 100, outputTokens: 10, cost: 1 }
    const { totals, countsInTotals } = totalsOf([
      log('call', 'chain', usage),
      log('agent', null, usage),
      log('chain', 'agent'),
    ])
    assert.deepEqual([totals.inputTokens, totals.outputTokens, totals.cost], [100, 10, 1])
    assert.deepEqual(countsInTotals, [true, false, false])
  })

  it('does not treat zeros as usage', () => {
    const { totals } = totalsOf([
      log('agent', null, { inputTokens: 100 }),
      log('call', 'agent', { inputTokens: 0, cost: 0 }),
    ])
    assert.equal(totals.inputTokens, 100)
  })

  it('uses the estimate if the cost is absent or 0, else the reported cost', () => {
    const costs = (cost: number | null, costEstimate: number | null) =>
      totalsOf([
        log('a', null, {
          inputTokens: 1,
          ...(cost !== null && { cost }),
          ...(costEstimate !== null && { costEstimate }),
        }),
      ]).totals.cost
    assert.equal(costs(0, 2), 2)
    assert.equal(costs(null, 2), 2)
    assert.equal(costs(3, 2), 3)
    assert.equal(costs(0, null), 0)
    assert.equal(costs(null, null), null)
  })

  it('has no cost when no log has one', () => {
    assert.equal(totalsOf([]).totals.cost, null)
    assert.equal(totalsOf([log('a', null), log('b', 'a', { inputTokens: 5 })]).totals.cost, null)
  })

  it('treats logs with unknown parents, parents in a cycle, and a log that is its own parent as roots', () => {
    const usage = { inputTokens: 1 }
    assert.equal(totalsOf([log('a', 'gone', usage)]).totals.inputTokens, 1)
    assert.equal(totalsOf([log('a', 'a', usage)]).totals.inputTokens, 1)
    assert.equal(
      totalsOf([log('a', 'b', usage), log('b', 'a', usage), log('c', 'b', usage)]).totals.inputTokens,
      2,
    )
  })

  it('handles a chain of 10,000 logs, the innermost first', () => {
    const usage = { inputTokens: 7 }
    const chain = Array.from({ length: 10_000 }, (_, index) => log(`${index}`, `${index + 1}`, usage))
    assert.equal(totalsOf(chain).totals.inputTokens, 7)
  })

  it('counts at most one usage on every path from a root to a leaf, and omits none that nothing repeats', () => {
    const tree = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 40 }).chain((nodes) => {
      const logs = nodes.map(([parent, carries], index) =>
        log(
          `${index}`,
          index === 0 || parent % 4 === 0 ? null : `${parent % index}`,
          carries ? { inputTokens: 1 } : undefined,
        ),
      )
      return fc.shuffledSubarray(logs, { minLength: logs.length })
    })
    fc.assert(
      fc.property(tree, (logs) => {
        const byId = new Map(logs.map((each) => [each.id, each]))
        const addParent = (each: LogUsage): LogUsage[] => {
          const parent = byId.get(each.parentId ?? '')
          return parent ? [parent, ...addParent(parent)] : []
        }
        const carriers = logs.filter((each) => each.usage)
        const repeated = new Set(carriers.flatMap(addParent))
        const { totals, countsInTotals } = totalsOf(logs)
        assert.equal(totals.inputTokens, carriers.filter((each) => !repeated.has(each)).length)
        assert.deepEqual(
          countsInTotals,
          logs.map((each) => !repeated.has(each)),
        )
      }),
    )
  })

  it('let a report give way only to reports, and an estimate to every report around it', () => {
    const estimate = { inputTokens: 7, isEstimated: true }
    const countsOf = (...logs: readonly LogUsage[]) => totalsOf(logs).countsInTotals
    // An agent that reports, around a call that is estimated.
    assert.deepEqual(countsOf(log('agent', null, { inputTokens: 10 }), log('call', 'agent', estimate)), [
      true,
      false,
    ])
    assert.deepEqual(countsOf(log('agent', null, estimate), log('call', 'agent', { inputTokens: 10 })), [
      false,
      true,
    ])
    assert.deepEqual(countsOf(log('agent', null, estimate), log('call', 'agent', estimate)), [false, true])
  })

  it('let a reported cost give way only to a reported cost, and an estimate to a report around or below it', () => {
    const tokens = { inputTokens: 1000, outputTokens: 100 }
    const costsOf = (...logs: readonly LogUsage[]) => {
      const { totals, costsInTotals, countsInTotals } = totalsOf(logs)
      return [totals.cost, totals.inputTokens, costsInTotals, countsInTotals]
    }
    const agent = log('agent', null, { cost: 0.5, isEstimated: true })
    // A call of an unknown model, one of a known model, and one that reports its cost.
    assert.deepEqual(costsOf(agent, log('call', 'agent', tokens)), [0.5, 1000, [0.5, 0], [false, true]])
    assert.deepEqual(costsOf(agent, log('call', 'agent', { ...tokens, costEstimate: 0.0035 })), [
      0.5,
      1000,
      [0.5, 0],
      [false, true],
    ])
    assert.deepEqual(costsOf(agent, log('call', 'agent', { ...tokens, cost: 0.2 })), [
      0.2,
      1000,
      [null, 0.2],
      [false, true],
    ])
    // The reverse: the agent has the tokens, and the call within it the cost.
    assert.deepEqual(
      costsOf(
        log('agent', null, { ...tokens, costEstimate: 0.0035 }),
        log('call', 'agent', { inputTokens: 7, cost: 0.2, isEstimated: true }),
      ),
      [0.2, 1000, [0, 0.2], [true, false]],
    )
    // The report of one call does not affect the estimate of another beside it.
    assert.deepEqual(
      costsOf(
        log('agent', null, { cost: 1, isEstimated: true }),
        log('one', 'agent', { ...tokens, cost: 0.25 }),
        log('two', 'agent', { ...tokens, costEstimate: 0.5 }),
      ),
      [0.75, 2000, [null, 0.25, 0.5], [false, true, true]],
    )
    // 0 is what clients without prices send.
    assert.deepEqual(
      costsOf(agent, log('call', 'agent', { ...tokens, cost: 0, costEstimate: 0.0035 }))[0],
      0.5,
    )
  })

  it('leave out a log whose call another log reports', () => {
    const { totals, countsInTotals } = totalsOf([
      log('one', null, { inputTokens: 10 }),
      log('again', null, { inputTokens: 10, isRepeated: true }),
    ])
    assert.deepEqual([totals.inputTokens, countsInTotals], [10, [true, false]])
  })
})

describe('numbers that no call has (numbers, finding 11)', () => {
  it('are in no sum, and do not exclude a log around them from the sums', () => {
    const impossible = [
      { inputTokens: -5, outputTokens: 10 },
      { inputTokens: 1e18, outputTokens: 10, costEstimate: 2.5e12 },
      { inputTokens: 10, outputTokens: 10, cost: -1 },
    ]
    for (const usage of impossible) {
      const { totals, countsInTotals } = totalsOf([
        { id: 'a', parentId: null, hasError: false, model: null, usage: { ...none, ...usage } },
        {
          id: 'b',
          parentId: null,
          hasError: false,
          model: null,
          usage: { ...none, inputTokens: 3, cost: 1 },
        },
      ])
      assert.deepEqual([totals.inputTokens, totals.outputTokens, totals.cost], [3, 0, 1])
      assert.deepEqual(countsInTotals, [false, true])
    }
  })
})
