/**
 * Writes the bundled price list of the service from two public ones:
 *   node scripts/prices.ts GENAI_PRICES.json GENAI_VERSION LITELLM.json LITELLM_VERSION
 * The first is `prices/new_data/v2/data.json` of github.com/pydantic/genai-prices, or the output of
 * `scripts/prices/export_genai_prices.py` for its PyPI package; the second is
 * `model_prices_and_context_window_backup.json` of the PyPI package litellm. Both are under the MIT licence.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ListedProvider, PriceListFile } from '../server/src/ingest/usage/price-list-file.ts'
import { type LitellmModel, mergeLists } from './prices/merge.ts'

const [firstPath, firstVersion, secondPath, secondVersion] = process.argv.slice(2)
if (
  firstPath === undefined ||
  firstVersion === undefined ||
  secondPath === undefined ||
  secondVersion === undefined
)
  throw new Error('Usage: node scripts/prices.ts GENAI_PRICES.json VERSION LITELLM.json VERSION')

const first = JSON.parse(readFileSync(firstPath, 'utf8')) as
  | ListedProvider[]
  | { readonly providers: ListedProvider[] }
const second = JSON.parse(readFileSync(secondPath, 'utf8')) as Record<string, LitellmModel>
const version = new Date().toISOString().slice(0, 10)
// Noon, since some prices are lower at night.
const noon = new Date(`${version}T12:00:00Z`)
const { providers, disagreements } = mergeLists('providers' in first ? first.providers : first, second, noon)
const list: PriceListFile = {
  name: 'plumbline-prices',
  version,
  sources: [
    { name: 'genai-prices', version: firstVersion, license: 'MIT' },
    { name: 'litellm', version: secondVersion, license: 'MIT' },
  ],
  providers,
}
writeFileSync(new URL('../server/prices/prices.json', import.meta.url), writeList(list))
const models = providers.reduce((sum, provider) => sum + provider.models.length, 0)
console.log(
  `${providers.length} providers, ${models} models, ${disagreements.length} on which the lists disagree.`,
)
for (const { model, listName } of disagreements) console.log(`  ${model}: ${listName}`)

/** One line per model, so that a price change is a one-line diff. */
function writeList({ providers: providerEntries, ...rest }: PriceListFile): string {
  const lines = providerEntries.map(({ models: listedModels, ...provider }) => {
    const head = JSON.stringify(provider).slice(0, -1)
    return `${head},"models":[\n${listedModels.map((model) => JSON.stringify(model)).join(',\n')}\n]}`
  })
  return `${JSON.stringify(rest).slice(0, -1)},"providers":[\n${lines.join(',\n')}\n]}\n`
}
