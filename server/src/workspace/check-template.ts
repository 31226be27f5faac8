import { invalid } from '@plumbline/contract'
import { templateProblem } from '@plumbline/contract/templates/problem'

/** Rejects a text that no variables can render, so that its author sees the error and not the applications that use it. */
export function checkTemplate(template: string, path: string): void {
  const problem = templateProblem(template)
  if (problem !== undefined) throw invalid(path, `must be a template. ${problem}`)
}
