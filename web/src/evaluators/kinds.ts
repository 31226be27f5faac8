/** The kinds of evaluators in words, and what each is told: the editor draws its fields from here. Pure. */
import type { Evaluator } from '@plumbline/sdk'
import type { Choice } from '../ui/select.tsx'

export type Kind = Evaluator['kind']

interface FieldBase {
  /** Its name in the configuration. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired?: boolean
  /** Shown only while another field has one of these values. */
  readonly onlyIf?: { readonly name: string; readonly is: readonly string[] }
}

/** One thing that an evaluator is told. */
export type ConfigField = FieldBase &
  (
    | {
        readonly type: 'text' | 'long' | 'flag' | 'json' | 'javascript' | 'template' | 'words' | 'connection'
      }
    | { readonly type: 'number'; readonly min?: number; readonly max?: number }
    | { readonly type: 'choice'; readonly choices: readonly Choice[] }
  )

interface KindFacts {
  readonly label: string
  readonly hint: string
  readonly fields: readonly ConfigField[]
}

const place: readonly ConfigField[] = [
  {
    name: 'of',
    label: 'Looks at',
    type: 'choice',
    choices: [
      { value: 'output', label: 'The output' },
      { value: 'input', label: 'The input' },
      { value: 'idealOutput', label: 'The ideal output' },
      { value: 'metadata', label: 'The metadata' },
    ],
  },
  {
    name: 'path',
    label: 'At',
    type: 'text',
    hint: 'A path into it, such as choices.0.text. Empty: all of it.',
  },
]

const ignoreCase: ConfigField = {
  name: 'ignoreCase',
  label: 'Upper and lower case are the same',
  type: 'flag',
}

const verdict: readonly ConfigField[] = [
  {
    name: 'verdict',
    label: 'Verdict',
    type: 'choice',
    choices: [
      { value: 'boolean', label: 'Yes or no' },
      { value: 'number', label: 'A number' },
      { value: 'category', label: 'One of some words' },
    ],
  },
  { name: 'min', label: 'From', type: 'number', onlyIf: { name: 'verdict', is: ['number'] } },
  { name: 'max', label: 'To', type: 'number', onlyIf: { name: 'verdict', is: ['number'] } },
  {
    name: 'categories',
    label: 'Words',
    type: 'words',
    hint: 'Separated by commas.',
    isRequired: true,
    onlyIf: { name: 'verdict', is: ['category'] },
  },
]

export const kinds: Readonly<Record<Kind, KindFacts>> = {
  equals: {
    label: 'Equals',
    hint: 'The output is exactly what was wanted.',
    fields: [
      ...place,
      { name: 'value', label: 'Wanted', type: 'long', hint: 'Empty: the ideal output of each trace.' },
      ignoreCase,
    ],
  },
  contains: {
    label: 'Contains',
    hint: 'A text is in the output.',
    fields: [...place, { name: 'value', label: 'Text', type: 'text', isRequired: true }, ignoreCase],
  },
  regex: {
    label: 'Regular expression',
    hint: 'The output matches a pattern.',
    fields: [
      ...place,
      {
        name: 'pattern',
        label: 'Pattern',
        type: 'text',
        isRequired: true,
        hint: 'As JavaScript has it: ^\\d+$',
      },
      {
        name: 'flags',
        label: 'Flags',
        type: 'text',
        hint: 'i: any case, m: by line, s: dots match line ends.',
      },
    ],
  },
  json_schema: {
    label: 'JSON Schema',
    hint: 'The output is JSON of a form.',
    fields: [...place, { name: 'schema', label: 'Schema', type: 'json', isRequired: true }],
  },
  range: {
    label: 'Range',
    hint: 'A number, a length, a time or a cost is within bounds.',
    fields: [
      {
        name: 'measure',
        label: 'Measures',
        type: 'choice',
        choices: [
          { value: 'value', label: 'The number itself' },
          { value: 'length', label: 'Characters' },
          { value: 'durationMs', label: 'Duration, in milliseconds' },
          { value: 'cost', label: 'Cost, in US dollars' },
          { value: 'inputTokens', label: 'Input tokens' },
          { value: 'outputTokens', label: 'Output tokens' },
          { value: 'totalTokens', label: 'Tokens in all' },
        ],
      },
      { name: 'min', label: 'At least', type: 'number' },
      { name: 'max', label: 'At most', type: 'number' },
      ...place.map((field) => ({ ...field, onlyIf: { name: 'measure', is: ['value', 'length'] } })),
    ],
  },
  similarity: {
    label: 'Similarity',
    hint: 'How alike the output is to what was wanted, letter by letter.',
    fields: [
      ...place,
      { name: 'value', label: 'Compared with', type: 'long', hint: 'Empty: the ideal output of each trace.' },
      {
        name: 'threshold',
        label: 'Passes from',
        type: 'number',
        min: 0,
        max: 1,
        hint: 'From 0 to 1. Empty: the score is the similarity itself.',
      },
    ],
  },
  llm: {
    label: 'Model as judge',
    hint: 'A model reads a trace and says what it thinks of it, by a rubric.',
    fields: [
      {
        name: 'template',
        label: 'Rubric',
        type: 'template',
        isRequired: true,
        hint: 'What the model is asked, in Jinja: {{ input }}, {{ output }}, {{ idealOutput }}, {{ metadata }}.',
      },
      { name: 'connectionId', label: 'Connection', type: 'connection' },
      { name: 'model', label: 'Model', type: 'text', isRequired: true },
      ...verdict,
    ],
  },
  code: {
    label: 'Code',
    hint: 'A function of yours, in JavaScript.',
    fields: [
      {
        name: 'source',
        label: 'Function',
        type: 'javascript',
        isRequired: true,
        hint: 'Gets the trace; answers true, false, a number, or { value, comment }.',
      },
    ],
  },
  human: {
    label: 'Person',
    hint: 'People judge what is drawn for them.',
    fields: [
      { name: 'instructions', label: 'Instructions', type: 'long', hint: 'What they should look at.' },
      ...verdict,
    ],
  },
}

/** The kinds in the order they are offered. */
export const kindNames = Object.keys(kinds) as Kind[]

/** Rules can be tried at once; the others need a runner. */
export const isRule = (kind: Kind): boolean => kind !== 'llm' && kind !== 'code' && kind !== 'human'
