/** The published vocabularies. Variants (o200k_harmony, p50k_edit, gpt2) differ only in special tokens, which we count as ordinary text. */
export type EncodingName = 'o200k_base' | 'cl100k_base' | 'p50k_base' | 'r50k_base'

const wholeNames: Record<string, EncodingName> = {
  'gpt-4': 'cl100k_base',
  'gpt-3.5': 'cl100k_base',
  'gpt-3.5-turbo': 'cl100k_base',
  'gpt-35-turbo': 'cl100k_base',
  'davinci-002': 'cl100k_base',
  'babbage-002': 'cl100k_base',
  'text-embedding-ada-002': 'cl100k_base',
  'text-davinci-003': 'p50k_base',
  'text-davinci-002': 'p50k_base',
  'text-davinci-001': 'r50k_base',
  'text-curie-001': 'r50k_base',
  'text-babbage-001': 'r50k_base',
  'text-ada-001': 'r50k_base',
  davinci: 'r50k_base',
  curie: 'r50k_base',
  babbage: 'r50k_base',
  ada: 'r50k_base',
  'gpt-2': 'r50k_base',
  gpt2: 'r50k_base',
}

/** Prefixes of model names, longer prefixes before shorter ones that they start with. */
const beginnings: readonly (readonly [string, EncodingName])[] = [
  ['gpt-4o', 'o200k_base'],
  ['gpt-4.1', 'o200k_base'],
  ['gpt-4.5', 'o200k_base'],
  ['gpt-5', 'o200k_base'],
  ['gpt-oss', 'o200k_base'],
  ['chatgpt-4o', 'o200k_base'],
  ['gpt-4-', 'cl100k_base'],
  ['gpt-3.5-turbo-', 'cl100k_base'],
  ['gpt-35-turbo-', 'cl100k_base'],
  ['text-embedding-3-', 'cl100k_base'],
  ['code-davinci-', 'p50k_base'],
  ['code-cushman-', 'p50k_base'],
  ['text-davinci-edit-', 'p50k_base'],
]

const reasoningModel = /^o[1-9](-|$)/

/** The vocabulary of a model; undefined if none is published. */
export function encodingOf(model: string): EncodingName | undefined {
  const name = bareName(model)
  if (Object.hasOwn(wholeNames, name)) return wholeNames[name]
  if (reasoningModel.test(name)) return 'o200k_base'
  return beginnings.find(([prefix]) => name.startsWith(prefix))?.[1]
}

/** The model name without the additions of gateways and fine-tunes: `openai/gpt-4o`, `ft:gpt-4o-mini:acme::id`, `openai.gpt-oss-120b-1:0`. */
function bareName(model: string): string {
  const withoutPath = model.toLowerCase().slice(model.lastIndexOf('/') + 1)
  const tuned = withoutPath.startsWith('ft:') ? (withoutPath.split(':')[1] ?? '') : withoutPath
  return tuned.startsWith('openai.') ? tuned.slice('openai.'.length) : tuned
}
