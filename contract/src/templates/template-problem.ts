import { childrenOf, Environment, filterName, type Node } from './jinja.ts'
import { parseTemplate } from './parse-template.ts'
import { replaceParts } from './prompt-parts.ts'

/**
 * Why a template can never be rendered, as a sentence, or undefined. Parts of other prompts count as text. What depends
 * on the variables is not known before there are some: such a template has no problem here.
 */
export function templateProblem(text: string): string | undefined {
  const template = parseTemplate(replaceParts(text, () => ''))
  if (template.type === 'failed') return template.reason
  if (template.type === 'plain') return undefined
  const { tests } = new Environment()
  const open: Node[] = [template.program]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'TestExpression') {
      const name = String((node.test as Node).value)
      if (!tests.has(name)) return `There is no test \`${name}\`; there are ${list(tests.keys())}.`
    }
    if (node.type === 'FilterExpression' || node.type === 'FilterStatement') {
      const name = filterName(node)
      if (!filters.has(name)) return `There is no filter \`${name}\`; there are ${list(filters)}.`
    }
    for (const child of childrenOf(node)) open.push(child)
  }
  return undefined
}

const list = (names: Iterable<string>) => [...names].toSorted().join(', ')

/** Those of the library, which has no list of them: a test runs each. */
export const filters: ReadonlySet<string> = new Set([
  ...['default', 'safe', 'tojson', 'string', 'length', 'int', 'float', 'bool', 'abs'],
  ...['upper', 'lower', 'title', 'capitalize', 'trim', 'indent', 'replace', 'join'],
  ...['list', 'first', 'last', 'reverse', 'sort', 'unique', 'map', 'selectattr', 'rejectattr'],
  ...['items', 'keys', 'values', 'get', 'dictsort'],
])
