/** Features, evaluators, experiments, keys and the price that the demo's workspace has. */
import type { InputOf, operations } from '@plumbline/sdk'

export const features: readonly InputOf<typeof operations.features.create>[] = [
  {
    slug: 'support-chat',
    name: 'Support chat',
    description: 'Answers merchants in the admin page; looks orders up and hands over to people.',
  },
  {
    slug: 'docs-search',
    name: 'Help centre search',
    description: 'Finds articles and answers from them, with sources.',
  },
  {
    slug: 'invoice-extraction',
    name: 'Invoice reader',
    description: 'Reads supplier invoices, scans too, into fields.',
  },
  {
    slug: 'translation',
    name: 'Product translation',
    description: 'Translates product texts into the languages of a shop.',
  },
  {
    slug: 'code-review',
    name: 'Code review',
    description: 'Reads our own pull requests. Internal.',
  },
  {
    slug: 'sales-agent',
    name: 'Sales agent',
    description: 'Researches a lead and drafts the first mail. Internal.',
  },
]

export const evaluators: readonly InputOf<typeof operations.evaluators.create>[] = [
  {
    slug: 'support-helpful',
    name: 'Does it help?',
    kind: 'llm',
    sampleRate: 0.2,
    config: {
      model: 'gpt-4o-mini',
      template:
        'A merchant asked:\n{{ input }}\n\nThe support answered:\n{{ output }}\n\nWould the merchant know what to do next? Answer yes or no, then one sentence why.',
      verdict: { type: 'boolean' },
    },
  },
  {
    slug: 'cites-sources',
    name: 'Names its sources',
    kind: 'regex',
    sampleRate: 1,
    config: { pattern: '\\[kb-\\d{3}\\]' },
  },
  {
    slug: 'valid-invoice',
    name: 'Is a whole invoice',
    kind: 'json_schema',
    sampleRate: 1,
    config: {
      schema: { type: 'object', required: ['supplier', 'number', 'date', 'currency', 'lines', 'total'] },
    },
  },
  {
    slug: 'no-promises',
    name: 'Promises no date',
    kind: 'code',
    sampleRate: 0.5,
    config: {
      source: 'export default ({ output }) => !/\\b(will arrive|guarantee|promise)\\b/i.test(String(output))',
    },
  },
  {
    slug: 'mail-length',
    name: 'Mail is short',
    kind: 'range',
    sampleRate: 1,
    config: { measure: 'length', min: 150, max: 900 },
  },
  {
    slug: 'translation-close',
    name: 'Close to the agreed translation',
    kind: 'similarity',
    config: { threshold: 0.85 },
  },
  {
    slug: 'human-tone',
    name: 'Tone, by the support team',
    kind: 'human',
    sampleRate: 0.05,
    config: {
      rubric:
        'How does the answer **sound** to the person who wrote?\n\n- *friendly*: one would like to write again\n- *neutral*: it says what is needed\n- *curt*: it could be read as annoyed',
      verdict: { type: 'categorical', choices: ['friendly', 'neutral', 'curt'] },
    },
  },
]

export interface DemoExperiment {
  readonly name: string
  readonly featureSlug: string
  readonly dataset: string
  readonly prompt: string
  readonly version: string
  /** When it ran, as a share of the calendar. */
  readonly ranAt: number
  /** Share of rows that came out right. */
  readonly quality: number
}

const support = { featureSlug: 'support-chat', dataset: 'support-golden', prompt: 'support-answer' }
const docs = { featureSlug: 'docs-search', dataset: 'docs-questions', prompt: 'docs-answer' }
const invoices = { featureSlug: 'invoice-extraction', dataset: 'invoices-golden', prompt: 'invoice-extract' }

export const experiments: readonly DemoExperiment[] = [
  { ...support, name: 'Support answers: 2.0.0 on GPT-4o', version: '2.0.0', ranAt: 0.18, quality: 0.82 },
  { ...support, name: 'Support answers: 2.2.0, action first', version: '2.2.0', ranAt: 0.37, quality: 0.9 },
  { ...support, name: 'Support answers: 3.0.0 on GPT-5 mini', version: '3.0.0', ranAt: 0.58, quality: 0.91 },
  {
    ...support,
    dataset: 'hostile-questions',
    name: 'Hostile questions: 3.0.0',
    version: '3.0.0',
    ranAt: 0.59,
    quality: 0.7,
  },
  { ...docs, name: 'Help centre: 1.1.0 on Sonnet', version: '1.1.0', ranAt: 0.69, quality: 0.93 },
  { ...docs, name: 'Help centre: 1.2.0 on Haiku', version: '1.2.0', ranAt: 0.71, quality: 0.92 },
  { ...invoices, name: 'Invoices: 2.0.0 on Gemini Pro', version: '2.0.0', ranAt: 0.52, quality: 0.95 },
  { ...invoices, name: 'Invoices: 2.1.0 on Gemini Flash', version: '2.1.0', ranAt: 0.54, quality: 0.94 },
  {
    featureSlug: 'translation',
    dataset: 'translations-agreed',
    prompt: 'translate-product',
    name: 'Translations: 1.2.0 with glossary',
    version: '1.2.0',
    ranAt: 0.41,
    quality: 0.88,
  },
]

export interface DemoKey {
  readonly name: string
  readonly scopes: InputOf<typeof operations.keys.create>['scopes']
  readonly expiresInDays?: number
  readonly isRevoked?: boolean
}

export const keys: readonly DemoKey[] = [
  { name: 'Admin page, production', scopes: ['ingest', 'read'] },
  { name: 'Invoice worker', scopes: ['ingest'] },
  { name: 'Deployment pipeline', scopes: ['manage'] },
  { name: 'Dashboard on the office wall', scopes: ['read'] },
  { name: 'Contractor, until the audit', scopes: ['read'], expiresInDays: 3 },
  { name: 'Laptop of a former colleague', scopes: ['ingest', 'read', 'manage'], isRevoked: true },
]

/** What a run of the company's own model costs in power and machines. */
export const price: InputOf<typeof operations.prices.create> = {
  provider: 'self-hosted',
  model: 'fernhill-reviewer-*',
  inputPerMillion: 0.35,
  outputPerMillion: 1.4,
}
