/** Suppliers and their goods, for invoices that look like paper. */
import invoiceData from '../../../../fixtures/demo/invoices.json' with { type: 'json' }

export interface Supplier {
  readonly name: string
  readonly address: string
  readonly taxId: string
  readonly currency: string
  readonly vatPercent: number
  readonly words: {
    readonly invoice: string
    readonly date: string
    readonly vat: string
    readonly total: string
  }
  readonly decimal: string
  /** The last entry is the delivery. */
  readonly goods: readonly (readonly [description: string, unitPrice: number])[]
}

// Safe: a test checks the pairs.
export const suppliers = invoiceData.suppliers as readonly unknown[] as readonly Supplier[]

/** Explanations of the model for totals that do not match their lines. */
export const checks: readonly string[] = invoiceData.checks
