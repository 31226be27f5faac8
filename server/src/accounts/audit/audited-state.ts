/** The settings in an audit entry, as JSON. The contract defines which fields these are. */
import { hash } from 'node:crypto'
import { type AuditedSettings, auditedSettings, type Operation } from '@plumbline/contract'

const textMax = 500
const stateMax = 20_000

/** The settings in an operation's output or in a resource that was read; undefined if it has none. */
export function auditedState({ name }: Pick<Operation, 'name'>, value: unknown): string | undefined {
  const settings = auditedSettings[name.slice(0, name.indexOf('.'))]
  if (settings === undefined || !isRecord(value)) return undefined
  const visibleFields = pick(settings, inner(value, settings.field) ?? value)
  if (Object.keys(visibleFields).length === 0) return undefined
  const text = JSON.stringify(visibleFields, (_key, each: unknown) =>
    typeof each === 'string' ? shorten(each) : each,
  )
  return text.length <= stateMax
    ? text
    : JSON.stringify({ tooLong: `${text.length} characters, SHA-256 ${hash('sha256', text)}` })
}

/** What the entry is about, if the URL does not name it: the slug or id in an output. */
export function idOf({ name }: Pick<Operation, 'name'>, output: unknown): string | undefined {
  if (!isRecord(output)) return undefined
  const field = auditedSettings[name.slice(0, name.indexOf('.'))]?.field ?? ''
  const candidates = [inner(output, field), output, ...Object.values(output).filter(isRecord)]
  for (const candidate of candidates) {
    const id = candidate?.slug ?? candidate?.id
    if (typeof id === 'string') return id
  }
  return undefined
}

const pick = ({ shownFields, hiddenParts = {} }: AuditedSettings, value: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    shownFields
      .filter((field) => value[field] !== undefined)
      .map((field) => [field, withoutParts(value[field], hiddenParts[field])]),
  )

const withoutParts = (value: unknown, parts: readonly string[] = []): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !parts.includes(name)))
    : value

const shorten = (text: string): string =>
  text.length <= textMax
    ? text
    : `${text.slice(0, textMax)}… (${text.length} characters, SHA-256 ${hash('sha256', text)})`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function inner(value: Readonly<Record<string, unknown>>, field: string) {
  const nested = value[field]
  return isRecord(nested) ? nested : undefined
}
