import { childrenOf, filterName, type Node } from './jinja.ts'
import { parseTemplate } from './parse-template.ts'
import { replaceParts } from './prompt-parts.ts'
import { filters } from './text-filters.ts'
import { negatedPrefix, normalizeLines, testPrefix, tokenize } from './tokenize.ts'
import { tests } from './value-tests.ts'

/**
 * Why a template can never be rendered, as a sentence, or undefined. Included parts count as text. Problems that depend on
 * the variables are not detected.
 */
export function templateProblem(text: string): string | undefined {
  const source = replaceParts(text, () => '', true)
  const template = parseTemplate(source)
  if (template.type === 'failed') return template.reason
  if (template.type === 'plain') return undefined
  const open: Node[] = [template.program]
  for (let node = open.pop(); node; node = open.pop()) {
    const missing = missingIn(node)
    if (missing !== undefined) return sentenceOf(missing, source)
    for (const child of childrenOf(node)) open.push(child)
  }
  return undefined
}

interface Missing {
  readonly kind: 'filter' | 'test'
  readonly name: string
}

function missingIn(node: Node): Missing | undefined {
  if (node.type === 'TestExpression') return missingTest(String((node.test as Node).value))
  if (node.type !== 'FilterExpression' && node.type !== 'FilterStatement') return undefined
  const name = filterName(node)
  if (name.startsWith(negatedPrefix)) return missingTest(name.slice(negatedPrefix.length))
  if (name.startsWith(testPrefix)) return missingTest(name.slice(testPrefix.length))
  return filters.has(name) ? undefined : { kind: 'filter', name }
}

function missingTest(name: string): Missing | undefined {
  return tests.has(name) || name === 'filter' || name === 'test' ? undefined : { kind: 'test', name }
}

function sentenceOf({ kind, name }: Missing, source: string): string {
  const names = kind === 'filter' ? filters.keys() : [...tests.keys()].filter((each) => /\w/.test(each))
  return `There is no ${kind} \`${name}\`${lineOf({ kind, name }, source)}; there are ${list(names)}.`
}

/** The first line that uses the name, found in the tokens because syntax trees have no line numbers. */
function lineOf({ kind, name }: Missing, source: string): string {
  const text = normalizeLines(source)
  const signs = kind === 'filter' ? ['|', 'filter'] : ['is', 'not', '|']
  const values = new Set(kind === 'filter' ? [name] : [name, testPrefix + name, negatedPrefix + name])
  const tokens = tokenize(text)
  const token = tokens.find(
    ({ value }, index) => values.has(value) && signs.includes(tokens[index - 1]?.value ?? ''),
  )
  return token ? ` (line ${text.slice(0, token.index).split('\n').length})` : ''
}

const list = (names: Iterable<string>) => [...names].toSorted().join(', ')
