/** What several kinds of evaluators are told. */
import type { ConfigField } from './config-field.ts'

export const place: readonly ConfigField[] = [
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

export const ignoreCase: ConfigField = {
  name: 'ignoreCase',
  label: 'Upper and lower case are the same',
  type: 'flag',
}

export const containedText: readonly ConfigField[] = [
  ...place,
  { name: 'value', label: 'Text', type: 'text', isRequired: true },
  ignoreCase,
]

export const references: ConfigField = {
  name: 'value',
  label: 'Compared with',
  type: 'references',
  hint: 'Empty: the ideal output of each trace. A JSON list of texts: the nearest of them counts.',
}

export const likeness: readonly ConfigField[] = [
  ...place,
  references,
  {
    name: 'threshold',
    label: 'Passes from',
    type: 'number',
    min: 0,
    max: 1,
    hint: 'From 0 to 1. Empty: the score is the likeness itself.',
  },
]

export const model: readonly ConfigField[] = [
  { name: 'connectionId', label: 'Connection', type: 'connection', isRequired: true },
  { name: 'model', label: 'Model', type: 'model', isRequired: true },
]

export const answerTimeout: ConfigField = {
  name: 'timeoutMs',
  label: 'Waits for an answer, in milliseconds',
  type: 'number',
  min: 100,
  max: 300_000,
  isExtra: true,
  hint: 'Empty: 60000.',
}

export const numeric = { name: 'verdict.type', is: ['numeric'] }

export const verdict: readonly ConfigField[] = [
  {
    name: 'verdict.type',
    label: 'Verdict',
    type: 'choice',
    choices: [
      { value: 'boolean', label: 'Yes or no' },
      { value: 'numeric', label: 'A number' },
      { value: 'categorical', label: 'One of some words' },
    ],
  },
  { name: 'verdict.min', label: 'From', type: 'number', isRequired: true, onlyIf: numeric },
  { name: 'verdict.max', label: 'To', type: 'number', isRequired: true, onlyIf: numeric },
  {
    name: 'verdict.choices',
    label: 'Words',
    type: 'words',
    hint: 'Separated by commas; two at least.',
    isRequired: true,
    onlyIf: { name: 'verdict.type', is: ['categorical'] },
  },
]
