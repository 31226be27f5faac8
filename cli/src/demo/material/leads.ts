/** Companies that the sales agent researches: what it finds, and the mail that it writes. */
import salesData from '../../../../fixtures/demo/sales.json' with { type: 'json' }

export interface Lead {
  readonly company: string
  readonly contact: string
  readonly role?: string
  readonly industry: string
  readonly website: string
  readonly language: string
  readonly notes?: string
  readonly pages: readonly { readonly title: string; readonly url: string; readonly text: string }[]
  readonly facts: readonly string[]
  readonly mail: string
}

export const leads: readonly Lead[] = salesData.leads
export const crmNotes: readonly string[] = salesData.crmNotes
