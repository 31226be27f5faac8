/** Settings shared by several kinds of evaluators. */
import type { ConfigField } from './config-field.ts'

export const place: readonly ConfigField[] = [
  {
    name: 'of',
    label: 'Field',
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
    label: 'Path',
    type: 'text',
    hint: 'Path within the field, such as choices.0.text. Leave empty for the whole field.',
  },
]

export const ignoreCase: ConfigField = {
  name: 'ignoreCase',
  label: 'Ignore case',
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
  hint: 'Leave empty to use the trace’s ideal output. With a JSON list of texts, the closest one counts.',
}

export const likeness: readonly ConfigField[] = [
  ...place,
  references,
  {
    name: 'threshold',
    label: 'Passes at',
    type: 'number',
    min: 0,
    max: 1,
    hint: 'From 0 to 1. Leave empty to score the similarity itself.',
  },
]

export const model: readonly ConfigField[] = [
  { name: 'connectionId', label: 'Connection', type: 'connection', isRequired: true },
  { name: 'model', label: 'Model', type: 'model', isRequired: true },
]

export const answerTimeout: ConfigField = {
  name: 'timeoutMs',
  label: 'Timeout (ms)',
  type: 'number',
  min: 100,
  max: 300_000,
  isExtra: true,
  hint: 'Default: 60000.',
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
      { value: 'categorical', label: 'One of several words' },
    ],
  },
  { name: 'verdict.min', label: 'From', type: 'number', isRequired: true, onlyIf: numeric },
  { name: 'verdict.max', label: 'To', type: 'number', isRequired: true, onlyIf: numeric },
  {
    name: 'verdict.choices',
    label: 'Words',
    type: 'words',
    hint: 'At least two, separated by commas.',
    isRequired: true,
    onlyIf: { name: 'verdict.type', is: ['categorical'] },
  },
]
