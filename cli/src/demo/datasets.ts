/** The datasets of the workspace, whose rows are generated from the same material as the traces. */
import type { Column, DatasetRow } from '@plumbline/sdk'
import hostileQuestions from '../../../fixtures/demo/hostile-questions.json' with { type: 'json' }
import { makeInvoice, printInvoice } from './features/invoices.ts'
import { articles, questions } from './material/articles.ts'
import { fill } from './material/fill.ts'
import { suppliers } from './material/invoices.ts'
import { carriers, cities, conversations, products } from './material/support.ts'
import { productTexts } from './material/translations.ts'
import { makeRandom, type Random } from './random.ts'

export interface DemoDataset {
  readonly slug: string
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly DatasetRow[]
}

const text = (name: string): Column => ({ name, type: 'text' })
const json = (name: string): Column => ({ name, type: 'json' })

/** The same rows for the same seed. */
export function makeDatasets(seed: number): DemoDataset[] {
  const random = makeRandom(seed, 2)
  return [
    {
      slug: 'support-golden',
      name: 'Support: agreed answers',
      columns: [text('question'), text('language'), json('history'), json('customer')],
      rows: supportRows(random),
    },
    {
      slug: 'docs-questions',
      name: 'Help centre: questions',
      columns: [text('question'), json('documents')],
      rows: questions.flatMap(({ phrasings, articleIds, answer, language }) =>
        phrasings.map((question) => ({
          values: { question, documents: articles.filter(({ id }) => articleIds.includes(id)) },
          idealOutput: answer,
          metadata: { language, expectedSources: articleIds },
        })),
      ),
    },
    {
      slug: 'invoices-golden',
      name: 'Invoices: checked by accounting',
      columns: [text('document'), text('supplier_hint'), json('fields')],
      rows: Array.from({ length: 180 }, (_, index) => invoiceRow(random, index)),
    },
    {
      slug: 'translations-agreed',
      name: 'Translations: agreed with the merchants',
      columns: [text('text'), text('target_language'), json('glossary')],
      rows: productTexts.flatMap(({ sku, source, to, glossary }) =>
        Object.entries(to).map(([language, translation]) => ({
          name: `${sku} ${language}`,
          values: { text: source, target_language: language, glossary: glossary ?? [] },
          idealOutput: translation,
          metadata: { sku },
        })),
      ),
    },
    {
      slug: 'hostile-questions',
      name: 'Support: hostile and odd questions',
      columns: [text('question')],
      rows: hostileQuestions.map(({ question, idealOutput }, index) => ({
        name: `hostile-${String(index + 1).padStart(2, '0')}`,
        values: { question },
        idealOutput,
      })),
    },
  ]
}

function supportRows(random: Random): DatasetRow[] {
  return conversations.flatMap((conversation) => {
    const product = random.pick(products)
    const slots = {
      order: `#${random.int(10_000, 99_999)}`,
      product: product.title,
      sku: product.sku,
      carrier: random.pick(carriers),
      city: random.pick(cities),
      tracking: `00${random.hex(10).toUpperCase()}`,
      date: '2026-03-02',
      amount: '24.90',
      plan: 'team',
    }
    const history: { role: string; content: string }[] = []
    return conversation.turns.flatMap((turn, index) => {
      const earlierTurns = [...history]
      const answer = fill(turn.answer, slots)
      history.push(
        { role: 'user', content: fill(turn.user[0] ?? '', slots) },
        { role: 'assistant', content: answer },
      )
      return turn.user.map((question) => ({
        values: {
          question: fill(question, slots),
          language: conversation.language,
          history: earlierTurns,
          customer: { plan: 'team', order: slots.order },
        },
        idealOutput: answer,
        metadata: {
          topic: conversation.topic,
          turn: index + 1,
          reviewedBy: random.pick(['Tessa', 'Hassan', 'Anke']),
        },
      }))
    })
  })
}

function invoiceRow(random: Random, index: number): DatasetRow {
  const supplier = random.pick(suppliers)
  const invoice = makeInvoice(random, supplier, Date.UTC(2026, 0, 5) + index * 86_400_000)
  return {
    name: `invoice-${String(index + 1).padStart(3, '0')}`,
    values: { document: printInvoice(invoice, supplier), supplier_hint: supplier.name, fields: invoice },
    idealOutput: JSON.stringify(invoice),
    metadata: {
      currency: invoice.currency,
      lines: invoice.lines.length,
      difficult: invoice.lines.length > 6,
    },
  }
}
