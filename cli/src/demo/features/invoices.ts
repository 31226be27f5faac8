/** Extraction of supplier invoices: the text of a page in, JSON out, and a second call if the sums do not match. */
import type { Trace } from '@plumbline/sdk'
import { checks, type Supplier, suppliers } from '../material/invoices.ts'
import { servedVersion } from '../material/prompts.ts'
import type { Random } from '../random.ts'
import { startRun } from '../run.ts'
import { type PlannedRecord, type Scene, traceOf } from '../scene.ts'

export interface Invoice {
  readonly supplier: string
  readonly number: string
  readonly date: string
  readonly currency: string
  readonly lines: readonly { description: string; quantity: number; unitPrice: number; amount: number }[]
  readonly vat: number
  readonly total: number
}

/** An upload of one or several invoices at once. */
export function* invoices(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, calendar, people } = scene
  const person = people.customer(random)
  const batchId = `upload_${random.hex(10)}`
  const inBatch = random.chance(0.3) ? random.int(2, 6) : 1
  let clockMs = startMs
  for (let page = 1; page <= inBatch && clockMs < calendar.endMs; page++) {
    const run = startRun(scene, clockMs)
    const supplier = random.pick(suppliers)
    const invoice = makeInvoice(random, supplier, clockMs)
    const document = printInvoice(invoice, supplier)
    const version = servedVersion('invoice-extract', run.progress)
    const isScan = random.chance(0.3)
    const read = random.chance(0.93)
      ? invoice
      : { ...invoice, total: Number((invoice.total - 0.9).toFixed(2)) }
    let isRead = false
    run.nest('span', 'read-invoice', null, () => {
      run.step('function', isScan ? 'ocr' : 'pdf-text', isScan ? 2400 : 120, {
        input: { file: `s3://fernhill-uploads/${batchId}/${page}.pdf`, pages: 1, dpi: isScan ? 300 : null },
        output: document,
        metadata: isScan
          ? { engine: 'tesseract', confidence: Number((0.82 + random.float() * 0.17).toFixed(2)) }
          : {},
      })
      const generation = {
        name: 'extract',
        prompt: 'invoice-extract',
        messages: 'rendered' as const,
        variables: { document, pages: 1, supplier_hint: supplier.name },
        output: JSON.stringify(read),
        reasoningTokens: version.model === 'gemini-pro' ? random.int(300, 1800) : 0,
      }
      isRead = run.generate(generation) || run.generate(generation)
      if (!isRead)
        return {
          output: null,
          metadata: { error: { type: 'ExtractionFailed', message: 'No answer of the model.' } },
        }
      const doesAddUp = read.total === invoice.total
      run.step('function', 'validate', 6, {
        input: { total: read.total, lines: read.lines.length },
        output: { valid: doesAddUp, ...(doesAddUp ? {} : { difference: 0.9 }) },
      })
      if (!doesAddUp) {
        run.generate({
          name: 'second-look',
          prompt: 'invoice-check',
          variables: {
            sum: invoice.total,
            total: read.total,
            currency: invoice.currency,
            lines: invoice.lines,
          },
          output: random.pick(checks),
        })
      }
      return { output: { ...read } }
    })
    const body: Trace = {
      ...traceOf(scene, run, person, {
        name: 'Read invoice',
        featureSlug: 'invoice-extraction',
        input: { file: `${batchId}/${page}.pdf`, sender: supplier.name },
        output: isRead ? { ...read } : null,
        metadata: { sessionId: batchId, scan: isScan, currency: invoice.currency, pages: 1 },
        evaluators: [{ slug: 'valid-invoice' }],
      }),
      // This application sends Unix milliseconds.
      startTime: Date.parse(run.startTime),
      endTime: Date.parse(run.time()),
    }
    const isChecked = isRead && random.chance(0.15)
    const accuracy = read === invoice ? 1 : Number((random.int(70, 92) / 100).toFixed(2))
    yield { type: 'trace', body, scores: isChecked ? [{ name: 'field-accuracy', value: accuracy }] : [] }
    clockMs += random.around(9000, 0.5)
  }
}

/** An invoice with correct sums. */
export function makeInvoice(random: Random, supplier: Supplier, issuedMs: number): Invoice {
  const goods = supplier.goods.slice(0, -1)
  const count = random.chance(0.1) ? random.int(8, 24) : random.int(1, goods.length)
  const first = random.int(0, goods.length - 1)
  const lines = Array.from({ length: count }, (_, index) => {
    const [description, unitPrice] = goods[(first + index) % goods.length]!
    return makeLine(description, unitPrice > 100 ? random.int(1, 6) : random.int(1, 120), unitPrice)
  })
  const [freight, freightPrice] = supplier.goods.at(-1)!
  if (random.chance(0.6)) lines.push(makeLine(freight, 1, freightPrice))
  const net = lines.reduce((sum, { amount }) => sum + amount, 0)
  const vat = cents((net * supplier.vatPercent) / 100)
  return {
    supplier: supplier.name,
    number: `${random.pick(['R', 'INV-', '2026/', 'F'])}${random.int(1000, 99_999)}`,
    date: new Date(issuedMs - random.int(0, 12) * 86_400_000).toISOString().slice(0, 10),
    currency: supplier.currency,
    lines,
    vat,
    total: cents(net + vat),
  }
}

const makeLine = (description: string, quantity: number, unitPrice: number) => ({
  description,
  quantity,
  unitPrice,
  amount: cents(quantity * unitPrice),
})

const cents = (amount: number): number => Number(amount.toFixed(2))

/** The text of the page, as a PDF reader would extract it. */
export function printInvoice(
  invoice: Invoice,
  { address, taxId, words, vatPercent, decimal }: Supplier,
): string {
  const money = (amount: number): string => amount.toFixed(2).replace('.', decimal)
  const lines = invoice.lines.map(
    ({ description, quantity, unitPrice, amount }, index) =>
      `${String(index + 1).padEnd(3)} ${description.padEnd(44)} ${String(quantity).padStart(5)} × ${money(unitPrice).padStart(9)}  ${money(amount).padStart(11)}`,
  )
  return `${invoice.supplier}\n${address}\n${taxId}\n\n${words.invoice} ${invoice.number}\n${words.date}: ${invoice.date}\n\n${lines.join('\n')}\n\n${words.vat} ${vatPercent} %: ${money(invoice.vat)}\n${words.total}: ${money(invoice.total)} ${invoice.currency}`
}
