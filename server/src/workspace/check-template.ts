import { invalid } from '@plumbline/contract'
import { templateProblem } from '@plumbline/contract/templates/problem'

/** Rejects a text that no variables make a message of, so that it is told to its writer and not to those who call it. */
export function checkTemplate(template: string, path: string): void {
  const problem = templateProblem(template)
  if (problem !== undefined) throw invalid(path, `must be a template. ${problem}`)
}
