/** The kinds of evaluators: labels, hints and the fields of their configurations, from which the form is made. Pure. */
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
    hint: 'The output equals the expected text.',
    fields: [
      ...place,
      {
        name: 'value',
        label: 'Expected',
        type: 'long',
        hint: 'Leave empty to use the trace’s ideal output.',
      },
      ignoreCase,
    ],
  },
  contains: {
    label: 'Contains',
    hint: 'The output contains a text.',
    fields: containedText,
  },
  not_contains: {
    label: 'Does not contain',
    hint: 'The output does not contain a text.',
    fields: containedText,
  },
  starts_with: { label: 'Starts with', hint: 'The output starts with a text.', fields: containedText },
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
        hint: 'JavaScript syntax, such as ^\\d+$',
      },
      {
        name: 'flags',
        label: 'Flags',
        type: 'text',
        hint: 'i: ignore case, m: multiline, s: dot matches newlines.',
      },
    ],
  },
  json_valid: {
    label: 'JSON',
    hint: 'The output is valid JSON.',
    fields: [
      ...place,
      {
        name: 'type',
        label: 'Type',
        type: 'choice',
        choices: [
          { value: 'any', label: 'Any' },
          { value: 'object', label: 'Object' },
          { value: 'array', label: 'A list' },
        ],
      },
    ],
  },
  json_schema: {
    label: 'JSON Schema',
    hint: 'The output is JSON that matches a schema.',
    fields: [...place, { name: 'schema', label: 'Schema', type: 'json', isRequired: true }],
  },
  range: {
    label: 'Range',
    hint: 'A number, length, duration or cost is within bounds.',
    fields: [
      {
        name: 'measure',
        label: 'Measure',
        type: 'choice',
        choices: [
          { value: 'value', label: 'The number in the output' },
          { value: 'length', label: 'Characters' },
          { value: 'durationMs', label: 'Duration (ms)' },
          { value: 'cost', label: 'Cost (US dollars)' },
          { value: 'inputTokens', label: 'Input tokens' },
          { value: 'outputTokens', label: 'Output tokens' },
          { value: 'totalTokens', label: 'Total tokens' },
        ],
      },
      { name: 'min', label: 'At least', type: 'number' },
      { name: 'max', label: 'At most', type: 'number' },
      ...place.map((field) => ({ ...field, onlyIf: { name: 'measure', is: ['value', 'length'] } })),
    ],
  },
  length: {
    label: 'Length',
    hint: 'The length of the output is within bounds.',
    fields: [
      ...place,
      {
        name: 'unit',
        label: 'Unit',
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
    hint: 'The duration is below a limit.',
    fields: [{ name: 'maxMs', label: 'Maximum (ms)', type: 'number', min: 0, isRequired: true }],
  },
  cost: {
    label: 'Cost',
    hint: 'The cost is below a limit.',
    fields: [{ name: 'maxUsd', label: 'Maximum (US dollars)', type: 'number', min: 0, isRequired: true }],
  },
  similarity: {
    label: 'Similarity',
    hint: 'Edit distance between the output and the expected text.',
    fields: likeness,
  },
  rouge_l: {
    label: 'ROUGE-L',
    hint: 'Words shared with the expected text, in the same order.',
    fields: likeness,
  },
  bleu: {
    label: 'BLEU',
    hint: 'Word sequences shared with the expected text.',
    fields: likeness,
  },
  embedding_similarity: {
    label: 'Semantic similarity',
    hint: 'Embedding similarity between the output and the expected text.',
    fields: [
      ...model,
      ...place,
      references,
      {
        name: 'threshold',
        label: 'Passes at',
        type: 'number',
        min: -1,
        max: 1,
        hint: 'From -1 to 1. Leave empty to score the similarity itself.',
      },
      answerTimeout,
    ],
  },
  language: {
    label: 'Language',
    hint: 'The output is written in a given language.',
    fields: [
      ...place,
      {
        name: 'language',
        label: 'Languages',
        type: 'words',
        isRequired: true,
        hint: 'Language codes such as en, separated by commas.',
      },
    ],
  },
  pii: {
    label: 'Personal data',
    hint: 'The output contains no e-mail address, phone number, IBAN, card or social security number.',
    fields: [
      ...place,
      {
        name: 'types',
        label: 'Detects',
        type: 'words',
        hint: 'email, phone, iban, credit_card, ssn. Leave empty for all.',
      },
    ],
  },
  secrets: {
    label: 'Secrets',
    hint: 'The output contains no API key, token or private key.',
    fields: [
      ...place,
      {
        name: 'types',
        label: 'Detects',
        type: 'words',
        hint: 'openai, anthropic, aws, github, google, slack, stripe, private_key, jwt. Leave empty for all.',
      },
    ],
  },
  tool_calls: {
    label: 'Tool calls',
    hint: 'The expected tools were called.',
    fields: [
      {
        name: 'expected',
        label: 'Expected',
        type: 'json',
        hint: 'Names, or objects with name and arguments. Leave empty to use the trace’s ideal output.',
      },
      { name: 'ordered', label: 'In order', type: 'flag' },
      { name: 'allowOthers', label: 'Allow other calls', type: 'flag' },
    ],
  },
  llm: {
    label: 'LLM judge',
    hint: 'A model scores the trace against a rubric.',
    fields: [
      {
        name: 'template',
        label: 'Rubric',
        type: 'template',
        isRequired: true,
        hint: 'The prompt for the judge, in Jinja: {{ input }}, {{ output }}, {{ idealOutput }}, {{ variables }}, {{ metadata }}, {{ context }}.',
      },
      ...model,
      ...verdict,
      {
        name: 'systemTemplate',
        label: 'System message',
        type: 'template',
        isExtra: true,
        hint: 'Optional. Jinja with the same values.',
      },
      {
        name: 'temperature',
        label: 'Temperature',
        type: 'number',
        min: 0,
        max: 2,
        isExtra: true,
        hint: 'Leave empty for the provider’s default.',
      },
      {
        name: 'seed',
        label: 'Seed',
        type: 'number',
        isExtra: true,
        hint: 'For providers that support it: makes answers mostly repeatable.',
      },
      {
        name: 'maxOutputTokens',
        label: 'Maximum output tokens',
        type: 'number',
        min: 1,
        max: 100_000,
        isExtra: true,
        hint: 'Includes reasoning. Default: 4096.',
      },
      answerTimeout,
    ],
  },
  code: {
    label: 'Code',
    hint: 'Your own JavaScript function.',
    fields: [
      {
        name: 'source',
        label: 'Function',
        type: 'javascript',
        isRequired: true,
        hint: 'Receives the trace; returns true, false, a number, or { value, comment }.',
      },
      {
        name: 'timeoutMs',
        label: 'Timeout (ms)',
        type: 'number',
        min: 1,
        max: 10_000,
        isExtra: true,
        hint: 'Default: 1000.',
      },
    ],
  },
  human: {
    label: 'Human',
    hint: 'People score traces in an annotation queue.',
    fields: [
      {
        name: 'rubric',
        label: 'Rubric',
        type: 'markdown',
        hint: 'Guidance shown next to each item. Supports Markdown.',
      },
      ...verdict,
      {
        name: 'verdict.step',
        label: 'Step',
        type: 'number',
        hint: 'Default: 1.',
        onlyIf: numeric,
      },
      {
        name: 'verdict.points',
        label: 'Meaning of numbers',
        type: 'points',
        hint: 'One per line, such as 5: could not be better.',
        onlyIf: numeric,
      },
    ],
  },
}

/** The kinds in display order. */
export const kindNames = Object.keys(kinds) as Kind[]

/** Whether a word, such as a URL parameter, is a kind. */
export const isKind = (word: string | undefined): word is Kind => kindNames.some((kind) => kind === word)

/** Whether it calls a model, which costs money. */
export const callsModel = (kind: Kind): boolean => kinds[kind].fields.some(({ type }) => type === 'model')
