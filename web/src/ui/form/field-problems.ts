/** Maps problems that the service or a schema reports by path to form fields. */
import type { InputProblem } from './check-input.ts'

/** `columns[0].name` as the name of a field: `columns.0.name`. */
const nameOf = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1')

/** The field at a path, or the nearest enclosing one; undefined if the form has none. */
export function fieldAt(
  path: string,
  fieldOf: Readonly<Record<string, string>>,
  fields: readonly string[],
): string | undefined {
  const parts = nameOf(path).split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.')
    const field = fieldOf[name] ?? name
    if (fields.includes(field)) return field
  }
  return undefined
}

/** The service's `name: must not be empty` as path and problem; undefined for any other sentence. */
export function problemOfRejection(message: string): InputProblem | undefined {
  const [, path, problem] = /^([A-Za-z_][\w.[\]-]*): (.+)$/s.exec(message) ?? []
  return path === undefined || problem === undefined ? undefined : { path, problem }
}

/** `must not be empty` as shown below a field: `Must not be empty.`, and `Required.` */
export function sentence(problem: string): string {
  const words = problem.replace(/^is required$/, 'required')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
}
