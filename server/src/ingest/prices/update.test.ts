// A process of its own: a price list applies to all services of a process.
// One control plane is enough: prices and recomputations have tests of their own on both.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordGeneration, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { shippedPrices } from '../usage/price-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'prices.json')
const { prices } = operations

const listOf = (version: string, inputPerMillion: number) => ({
  name: 'ours',
  version,
  sources: [],
  providers: [
    {
      id: 'openai',
      models: [
        {
          id: 'gpt-4o',
          match: { equals: 'gpt-4o' },
          prices: {
            // Tiers may begin at any number of tokens.
            input_mtok: { base: inputPerMillion, tiers: [{ start: 2_000_000, price: 2 * inputPerMillion }] },
            output_mtok: 0,
          },
        },
      ],
    },
  ],
})
// The list of the release, which the service need not install.
writeFileSync(file, JSON.stringify(listOf(shippedPrices().source().version, 1)))
const { newWorkspace } = await startTestApp({ settings: { PLUMBLINE_PRICES: file } })

const costOf = async (workspace: TestWorkspace): Promise<number | null | undefined> => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0 }
  const { log } = await recordGeneration(workspace, { ...usage, metadata: { model: 'gpt-4o' } })
  return log.cost
}

describe('prices.update', () => {
  it('200: an installed list with a later version applies at once; one older than that of the release does not', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    assert.equal(await costOf(workspace), 2.5)
    const { priceList: early } = await workspace.ok(
      prices.update,
      { list: listOf('2020-01-01', 77) },
      operator,
    )
    assert.equal(early.isInUse, false)
    assert.equal(await costOf(workspace), 2.5)

    const { priceList } = await workspace.ok(prices.update, { list: listOf('2098-01-01', 3) }, operator)
    assert.deepEqual([priceList.version, priceList.models, priceList.isInUse], ['2098-01-01', 1, true])
    assert.equal(await costOf(workspace), 3)
    const { price } = await workspace.ok(prices.find, { model: 'gpt-4o' })
    assert.deepEqual([price?.inputPerMillion, price?.list], [3, '2098-01-01'])
    const { priceLists } = await workspace.ok(prices.lists, {})
    assert.deepEqual(
      priceLists.map(({ version, isInUse }) => [version, isInUse]),
      [
        ['2098-01-01', true],
        [shippedPrices().source().version, false],
        ['2020-01-01', false],
      ],
    )
    // The same version again replaces the first.
    await workspace.ok(prices.update, { list: listOf('2098-01-01', 4) }, operator)
    assert.equal(await costOf(workspace), 4)
  })

  it('200: without a list, reads the one that PLUMBLINE_PRICES names', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    writeFileSync(file, JSON.stringify(listOf('2099-01-01', 5)))
    const { priceList } = await workspace.ok(prices.update, {}, operator)
    assert.deepEqual([priceList.version, priceList.source], ['2099-01-01', file])
    assert.equal(await costOf(workspace), 5)
  })

  it('400: for an invalid list, naming the place of the error', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    const refusalOf = (list: object) => workspace.refused(prices.update, { list }, 400, operator)
    const list = listOf('2097-01-01', 1)
    assert.match(await refusalOf({ ...list, version: 'newest' }), /^list\.version: must be a date/)
    assert.match(await refusalOf({ ...list, providers: 7 }), /^list\.providers: must be an array/)
    const withModel = (model: object) => ({ ...list, providers: [{ id: 'a', models: [model] }] })
    for (const input_mtok of [-1, 1e300])
      assert.match(
        await refusalOf(withModel({ id: 'm', match: { equals: 'm' }, prices: { input_mtok } })),
        /^list\.providers\[0\]\.models\[0\]\.prices\[0\]\.prices\.input_mtok: must be/,
      )
    assert.match(
      await refusalOf(withModel({ id: 'm', match: { regex: '(' }, prices: {} })),
      /match\.regex: is not a regular expression/,
    )
    writeFileSync(file, 'no JSON')
    assert.match(await workspace.refused(prices.update, {}, 400, operator), /^list: could not be read/)
  })

  it('403: for a key of any workspace but the first', async () => {
    const workspace = await newWorkspace()
    assert.match(
      await workspace.refused(prices.update, { list: listOf('2097-01-01', 1) }, 403),
      /Only API keys of the first workspace/,
    )
  })
})
