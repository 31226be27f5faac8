import { childrenOf, filterName, type Node } from './jinja.ts'
import { parseTemplate } from './parse-template.ts'
import { replaceParts } from './prompt-parts.ts'
import { filters } from './text-filters.ts'
import { negatedPrefix, testPrefix } from './tokenize.ts'
import { tests } from './value-tests.ts'

/**
 * Why a template can never be rendered, as a sentence, or undefined. Parts of other prompts count as text. What depends
 * on the variables is not known before there are some: such a template has no problem here.
 */
export function templateProblem(text: string): string | undefined {
  const template = parseTemplate(replaceParts(text, () => ''))
  if (template.type === 'failed') return template.reason
  if (template.type === 'plain') return undefined
  const open: Node[] = [template.program]
  for (let node = open.pop(); node; node = open.pop()) {
    const problem = problemOf(node)
    if (problem !== undefined) return problem
    for (const child of childrenOf(node)) open.push(child)
  }
  return undefined
}

function problemOf(node: Node): string | undefined {
  if (node.type === 'TestExpression') return missingTest(String((node.test as Node).value))
  if (node.type !== 'FilterExpression' && node.type !== 'FilterStatement') return undefined
  const name = filterName(node)
  if (name.startsWith(negatedPrefix)) return missingTest(name.slice(negatedPrefix.length))
  if (name.startsWith(testPrefix)) return missingTest(name.slice(testPrefix.length))
  return filters.has(name) ? undefined : `There is no filter \`${name}\`; there are ${list(filters.keys())}.`
}

function missingTest(name: string): string | undefined {
  if (tests.has(name) || name === 'filter' || name === 'test') return undefined
  return `There is no test \`${name}\`; there are ${list([...tests.keys()].filter((each) => /\w/.test(each)))}.`
}

const list = (names: Iterable<string>) => [...names].toSorted().join(', ')
