import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeQueue, queues } from '../../../testing/annotation-queues.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { wilsonInterval } from '../../statistics/wilson.ts'
import { annotatorAgreement } from './annotator-agreement.ts'

const { app, newWorkspace } = await startTestApp()
const nobody = '01890000-0000-7000-8000-000000000000'

describe('agreement of annotators', () => {
  const pairsOf = (table: readonly [boolean, boolean, count: number][]) =>
    table.flatMap(([left, right, count], row) =>
      Array.from({ length: count }, (_, index) => [
        { itemId: `${row} ${index}`, annotatorId: 'a', value: left },
        { itemId: `${row} ${index}`, annotatorId: 'b', value: right },
      ]).flat(),
    )

  it("is that of Wikipedia's article on Cohen's kappa: 50 proposals, 0.7 agreed, kappa 0.4", () => {
    const agreement = annotatorAgreement(
      pairsOf([
        [true, true, 20],
        [true, false, 5],
        [false, true, 10],
        [false, false, 15],
      ]),
    )
    assert.deepEqual([agreement.items, agreement.agreed.count, agreement.agreed.share], [50, 50, 0.7])
    assert.ok(Math.abs(agreement.kappa! - 0.4) < 1e-12)
    assert.equal(agreement.pairs.length, 1)
    assert.ok(agreement.agreed.low! < 0.7 && agreement.agreed.high! > 0.7)
  })

  it('has the interval for the number of items, not for the number of pairs of annotators', () => {
    const shareOf = (items: readonly (readonly boolean[])[]) =>
      annotatorAgreement(
        items.flatMap((values, item) =>
          values.map((value, person) => ({ itemId: `${item}`, annotatorId: `${person}`, value })),
        ),
      ).agreed
    const assertInterval = (
      { low, high }: { low: number | null; high: number | null },
      share: number,
      count: number,
    ) => {
      const expectation = wilsonInterval(share, count)!
      assert.ok(Math.abs(low! - expectation.low) < 1e-12 && Math.abs(high! - expectation.high) < 1e-12)
    }
    const [same, differs] = [
      [true, true, true],
      [true, true, false],
    ]
    // The sums of items, 3, 1, 3 and 1 of 3 pairs, vary by half more than those of independent pairs: 12 are worth 8.
    const interval = shareOf([same!, differs!, same!, differs!])
    assert.deepEqual([interval.count, interval.share], [12, 8 / 12])
    assertInterval(interval, 16 / 3, 8)
    // If all agree, the correlation of pairs is unknown, and an item counts once.
    assertInterval(shareOf(Array.from({ length: 10 }, () => same!)), 10, 10)
    // With two annotators, an item has one pair.
    assertInterval(
      shareOf([
        [true, true],
        [true, false],
        [true, true],
      ]),
      2,
      3,
    )
  })

  it('weights pairs by the items they share, and ignores items with only one annotator', () => {
    const verdictOf = (itemId: string, annotatorId: string, value: number) => ({ itemId, annotatorId, value })
    const agreement = annotatorAgreement([
      ...['1', '2', '3'].flatMap((item, index) => [verdictOf(item, 'a', index), verdictOf(item, 'b', index)]),
      verdictOf('1', 'c', 2),
      verdictOf('2', 'c', 0),
      verdictOf('4', 'c', 1),
    ])
    assert.equal(agreement.items, 3)
    assert.deepEqual(
      agreement.pairs.map(({ annotatorIds, agreed }) => [annotatorIds.join(), agreed.count, agreed.share]),
      [
        ['a,b', 3, 1],
        ['a,c', 2, 0],
        ['b,c', 2, 0],
      ],
    )
    assert.ok(agreement.kappa! > 0 && agreement.kappa! < 1)
    assert.deepEqual(annotatorAgreement([]), {
      items: 0,
      agreed: { count: 0, share: null, low: null, high: null },
      kappa: null,
      alpha: null,
      pairs: [],
    })
  })
})

describe('annotationQueues.agreement', () => {
  it('200: shows how far annotators agree and where they do not, by name', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 4, { annotatorsPerItem: 2 })
    const people = [await workspace.signIn('editor'), await workspace.signIn('admin')]
    const values = [
      ['warm', 'warm'],
      ['cold', 'cold'],
      ['warm', 'cold'],
      ['cold', 'warm'],
    ]
    const { items } = await workspace.ok(queues.items, { id })
    for (const { id: itemId, traceId } of items)
      for (const [index, person] of people.entries()) {
        const value = values[traceIds.indexOf(traceId)]![index]
        const scores = [{ evaluatorSlug: 'tone', value, comment: `I say ${value}.` }]
        await workspace.ok(queues.submit, { id, itemId, scores }, person)
      }
    await app.flush()
    const { evaluators, disagreements } = await workspace.ok(queues.agreement, { id }, people[0])
    const [tone] = evaluators
    assert.deepEqual([tone?.evaluatorSlug, tone?.items, tone?.agreed.share, tone?.kappa], ['tone', 4, 0.5, 0])
    assert.deepEqual(tone?.pairs[0]?.annotators.map(({ name }) => name).toSorted(), ['admin', 'editor'])
    assert.equal(tone?.pairs[0]?.annotators.filter(({ isYou }) => isYou).length, 1)
    assert.deepEqual(
      disagreements.map(({ traceId }) => traceId).toSorted(),
      [traceIds[2], traceIds[3]].toSorted(),
    )
    for (const { judgements } of disagreements)
      assert.deepEqual(judgements.map(({ value }) => value).toSorted(), ['cold', 'warm'])
    const first = await workspace.ok(queues.agreement, { id, limit: 1 })
    const second = await workspace.ok(queues.agreement, { id, limit: 1, cursor: first.nextCursor! })
    assert.deepEqual(
      [first, second].flatMap((page) => page.disagreements.map(({ itemId }) => itemId)),
      disagreements.map(({ itemId }) => itemId),
    )
    assert.equal(second.nextCursor, undefined)
  })

  it('400 and 404: for a cursor of another list, and for an unknown queue', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 0)
    assert.match(await workspace.refused(queues.agreement, { id, cursor: 'x' }, 400), /^cursor: /)
    await workspace.refused(queues.agreement, { id: nobody }, 404)
  })
})
