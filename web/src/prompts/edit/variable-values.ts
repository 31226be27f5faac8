/** Variable values as form texts by label, and as template input. Pure. */
import type { StoredLog } from '@plumbline/sdk'
import type { TemplateVariable } from '@plumbline/sdk/render'

export type VariableTexts = Readonly<Record<string, string>>

/** The values: JSON if the template accesses fields of a variable or loops over it, otherwise text. */
export function readValues(
  texts: VariableTexts,
  variables: readonly Pick<TemplateVariable, 'label' | 'type'>[],
): { readonly values: Record<string, unknown>; readonly problems: Readonly<Record<string, string>> } {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const { label, type } of variables) {
    const text = texts[label] ?? ''
    if (text === '') continue
    if (type === 'boolean') values[label] = readBoolean(text)
    else if (type === 'array' || type === 'object') {
      try {
        values[label] = JSON.parse(text)
      } catch {
        problems[label] = `Enter JSON: the template uses it as an ${type}.`
      }
    } else values[label] = text
  }
  return { values, problems }
}

const readBoolean = (text: string): boolean | string =>
  text === 'true' ? true : text === 'false' ? false : text

/** A value as the form shows it. */
export const textOfValue = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** Values as texts by label. */
const textsOf = (values: Readonly<Record<string, unknown>>): VariableTexts =>
  Object.fromEntries(Object.entries(values).map(([label, value]) => [label, textOfValue(value)]))

/** The variables of the first log that recorded any for a prompt, as texts; undefined if none did. */
export function textsInLogs(
  logs: readonly Pick<StoredLog, 'prompt' | 'variables'>[],
  slug: string,
): VariableTexts | undefined {
  const log = logs.find(({ prompt, variables }) => prompt?.slug === slug && (variables?.length ?? 0) > 0)
  return log && textsOf(Object.fromEntries((log.variables ?? []).map(({ label, value }) => [label, value])))
}
