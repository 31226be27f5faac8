import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { renderPrompt } from '@plumbline/contract/templates'
import { makeValidator } from '../../../../server/src/requests/validate.ts'
import { makeDatasets } from '../datasets.ts'
import { articles, questions } from './articles.ts'
import { suppliers } from './invoices.ts'
import { models } from './models.ts'
import { names, organizations } from './organizations.ts'
import { prompts, servedVersion, taggedVersion, versionOf } from './prompts.ts'
import { conversations } from './support.ts'
import { productTexts } from './translations.ts'
import { evaluators, experiments, features, keys, price } from './workspace.ts'

test('every version of every prompt is a template that renders', () => {
  for (const { slug, versions } of prompts) {
    for (const { version, text, systemText = '', model } of versions) {
      assert.ok(models[model] !== undefined, `${slug} ${version} names the model ${model}`)
      const { type } = renderPrompt({ text, systemText }, [])
      assert.equal(type, 'rendered', `${slug} ${version}`)
    }
  }
})

test('every tag points to an existing version, and one prompt is a draft', () => {
  for (const { slug, live, tags = [] } of prompts) {
    for (const [from] of live) assert.ok(servedVersion(slug, from).text)
    for (const [tag] of tags) assert.ok(taggedVersion(slug, tag).text)
  }
  assert.equal(prompts.filter(({ live }) => live.length === 0).length, 1)
})

test('features, evaluators, the price and the dataset rows are valid', () => {
  const check = (operation: Parameters<typeof makeValidator>[0], body: object) =>
    makeValidator(operation)({ params: {}, query: {}, body })
  for (const feature of features) check(operations.features.create, feature)
  for (const evaluator of evaluators) check(operations.evaluators.create, evaluator)
  check(operations.prices.create, price)
  const validateRow = makeValidator(operations.datasets.add)
  for (const { slug, columns, rows } of makeDatasets(1)) {
    assert.ok(rows.length >= 20 && rows.length <= 200, `${slug} has ${rows.length} rows`)
    for (const row of rows) {
      validateRow({ params: { slug }, query: {}, body: row })
      assert.deepEqual(
        Object.keys(row.values),
        columns.map(({ name }) => name),
      )
    }
  }
})

test('the data matches its types', () => {
  const languages = new Set(Object.keys(names))
  for (const { language } of [...questions, ...conversations, ...organizations])
    assert.ok(languages.has(language), language)
  const articleIds = new Set(articles.map(({ id }) => id))
  for (const id of questions.flatMap((question) => question.articleIds)) assert.ok(articleIds.has(id), id)
  for (const { usage } of Object.values(models)) assert.match(usage, /^(?:open-ai|anthropic|gemini)$/)
  for (const [description, unitPrice, ...rest] of suppliers.flatMap(({ goods }) => goods))
    assert.deepEqual([typeof description, typeof unitPrice, rest], ['string', 'number', []])
  for (const translated of productTexts.flatMap(({ to }) => Object.values(to)))
    assert.equal(typeof translated, 'string')
  for (const { name, scopes } of keys) {
    const body = { name, scopes }
    assert.doesNotThrow(() => makeValidator(operations.keys.create)({ params: {}, query: {}, body }))
  }
})

test('every experiment refers to an existing feature, dataset and version', () => {
  const datasets = new Set(makeDatasets(1).map(({ slug }) => slug))
  for (const { featureSlug, dataset, prompt, version } of experiments) {
    assert.ok(features.some(({ slug }) => slug === featureSlug))
    assert.ok(datasets.has(dataset))
    assert.ok(versionOf(prompt, version))
  }
})
