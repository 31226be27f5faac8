/** The kinds of evaluators in words, and what each is told: the editor draws its fields from here. Pure. */
import type { Evaluator } from '@plumbline/sdk'
import type { ConfigField } from './config-field.ts'
import {
  answerTimeout,
  containedText,
  ignoreCase,
  likeness,
  model,
  numeric,
  place,
  references,
  verdict,
} from './shared-fields.ts'

export type Kind = Evaluator['kind']

interface KindFacts {
  readonly label: string
  readonly hint: string
  readonly fields: readonly ConfigField[]
}

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
    fields: containedText,
  },
  not_contains: { label: 'Does not contain', hint: 'A text is not in the output.', fields: containedText },
  starts_with: { label: 'Starts with', hint: 'The output begins with a text.', fields: containedText },
  ends_with: { label: 'Ends with', hint: 'The output ends with a text.', fields: containedText },
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
  json_valid: {
    label: 'JSON',
    hint: 'The output is JSON that can be read.',
    fields: [
      ...place,
      {
        name: 'type',
        label: 'Form',
        type: 'choice',
        choices: [
          { value: 'any', label: 'Any' },
          { value: 'object', label: 'An object' },
          { value: 'array', label: 'A list' },
        ],
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
  length: {
    label: 'Length',
    hint: 'The output is as long as it should be.',
    fields: [
      ...place,
      {
        name: 'unit',
        label: 'Counts',
        type: 'choice',
        choices: [
          { value: 'characters', label: 'Characters' },
          { value: 'words', label: 'Words' },
          { value: 'lines', label: 'Lines' },
        ],
      },
      { name: 'min', label: 'At least', type: 'number', min: 0 },
      { name: 'max', label: 'At most', type: 'number', min: 0 },
    ],
  },
  latency: {
    label: 'Latency',
    hint: 'It took at most so long.',
    fields: [{ name: 'maxMs', label: 'At most, in milliseconds', type: 'number', min: 0, isRequired: true }],
  },
  cost: {
    label: 'Cost',
    hint: 'It cost at most so much.',
    fields: [{ name: 'maxUsd', label: 'At most, in US dollars', type: 'number', min: 0, isRequired: true }],
  },
  similarity: {
    label: 'Similarity',
    hint: 'How alike the output is to what was wanted, letter by letter.',
    fields: likeness,
  },
  rouge_l: {
    label: 'ROUGE-L',
    hint: 'How many words the output has in common with what was wanted, in the same order.',
    fields: likeness,
  },
  bleu: {
    label: 'BLEU',
    hint: 'How many runs of words the output has in common with what was wanted.',
    fields: likeness,
  },
  embedding_similarity: {
    label: 'Likeness of meaning',
    hint: 'How near the output comes in meaning to what was wanted, by the vectors of a model.',
    fields: [
      ...model,
      ...place,
      references,
      {
        name: 'threshold',
        label: 'Passes from',
        type: 'number',
        min: -1,
        max: 1,
        hint: 'From -1 to 1. Empty: the score is the likeness itself.',
      },
      answerTimeout,
    ],
  },
  language: {
    label: 'Language',
    hint: 'The output is in a language.',
    fields: [
      ...place,
      {
        name: 'language',
        label: 'Languages',
        type: 'words',
        isRequired: true,
        hint: 'Codes such as en, separated by commas.',
      },
    ],
  },
  pii: {
    label: 'Personal data',
    hint: 'No e-mail address, phone number, IBAN, card or social security number is in the output.',
    fields: [
      ...place,
      {
        name: 'types',
        label: 'Looks for',
        type: 'words',
        hint: 'email, phone, iban, credit_card, ssn. Empty: all.',
      },
    ],
  },
  secrets: {
    label: 'Secrets',
    hint: 'No API key, token or private key is in the output.',
    fields: [
      ...place,
      {
        name: 'types',
        label: 'Looks for',
        type: 'words',
        hint: 'openai, anthropic, aws, github, google, slack, stripe, private_key, jwt. Empty: all.',
      },
    ],
  },
  tool_calls: {
    label: 'Tool calls',
    hint: 'The tools that were called are those expected.',
    fields: [
      {
        name: 'expected',
        label: 'Expected',
        type: 'json',
        hint: 'Names, or objects with name and arguments. Empty: the ideal output of each trace.',
      },
      { name: 'ordered', label: 'In this order', type: 'flag' },
      { name: 'allowOthers', label: 'Others may be called too', type: 'flag' },
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
        hint: 'What the model is asked, in Jinja: {{ input }}, {{ output }}, {{ idealOutput }}, {{ variables }}, {{ metadata }}, {{ context }}.',
      },
      ...model,
      ...verdict,
      {
        name: 'systemTemplate',
        label: 'System message',
        type: 'template',
        isExtra: true,
        hint: 'Jinja over the same values; none when empty.',
      },
      {
        name: 'temperature',
        label: 'Temperature',
        type: 'number',
        min: 0,
        max: 2,
        isExtra: true,
        hint: 'Empty: the default of the provider.',
      },
      {
        name: 'seed',
        label: 'Seed',
        type: 'number',
        isExtra: true,
        hint: 'For providers that take one: the same seed, the same answer, mostly.',
      },
      {
        name: 'maxOutputTokens',
        label: 'Output tokens, at most',
        type: 'number',
        min: 1,
        max: 100_000,
        isExtra: true,
        hint: 'Of reasoning and answer. Empty: 4096.',
      },
      answerTimeout,
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
      {
        name: 'timeoutMs',
        label: 'May take, in milliseconds',
        type: 'number',
        min: 1,
        max: 10_000,
        isExtra: true,
        hint: 'Empty: 1000.',
      },
    ],
  },
  human: {
    label: 'Person',
    hint: 'People judge, in an annotation queue.',
    fields: [
      {
        name: 'rubric',
        label: 'Rubric',
        type: 'markdown',
        hint: 'What to judge by, in Markdown; it stands beside each item.',
      },
      ...verdict,
      {
        name: 'verdict.step',
        label: 'In steps of',
        type: 'number',
        hint: '1 when empty.',
        onlyIf: numeric,
      },
      {
        name: 'verdict.points',
        label: 'What some numbers mean',
        type: 'points',
        hint: 'One on a line, such as 5: could not be better.',
        onlyIf: numeric,
      },
    ],
  },
}

/** The kinds in the order they are offered. */
export const kindNames = Object.keys(kinds) as Kind[]

/** Whether a word, of the address for example, names a kind. */
export const isKind = (word: string | undefined): word is Kind => kindNames.some((kind) => kind === word)

/** Whether it asks a model, which is paid for it. */
export const asksModel = (kind: Kind): boolean => kinds[kind].fields.some(({ type }) => type === 'model')
