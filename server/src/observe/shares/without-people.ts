/** What a shared trace says about people: nothing that names its user, its organization or its session. */
import type { StoredTrace } from '@plumbline/contract'
import type { TraceRow } from '@plumbline/storage/traces'

type PersonFields = Pick<
  TraceRow,
  'userId' | 'userName' | 'organizationId' | 'organizationName' | 'sessionId'
>

/** In metadata, keys and attributes that the conventions of OpenTelemetry's libraries name people and sessions by. */
const namesPeople =
  /(?:^|\.)(?:(?:end\.?)?user(?:\.?(?:id|name|email))?|session(?:\.?id)?|(?:conversation|thread)\.?id|(?:organi[sz]ation|org|tenant)(?:\.?(?:id|name))?)$/

/** `userId`, `user_id` and `user.id` are one; `userid` has no mark between its words. */
const normalize = (key: string): string =>
  key
    .replaceAll(/([a-z])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '.')

const placeholder = '[removed]'

export function withoutPeople(trace: StoredTrace, row: PersonFields): StoredTrace {
  const names = new Set(
    [row.userId, row.userName, row.organizationId, row.organizationName, row.sessionId].filter(
      (name) => name !== null && name !== '',
    ),
  )
  const cover = (value: unknown, isMetadata: boolean): unknown => {
    if (typeof value === 'string') return names.has(value) ? placeholder : value
    if (typeof value === 'number') return names.has(String(value)) ? null : value
    if (Array.isArray(value)) return value.map((each) => cover(each, isMetadata))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !isMetadata || !namesPeople.test(normalize(key)))
        .map(([key, each]) => [names.has(key) ? placeholder : key, cover(each, isMetadata)]),
    )
  }
  const coverContent = <Of extends object>(content: Of): Of =>
    // Safe: texts stay texts and containers containers, and numbers of content may be null.
    Object.fromEntries(
      Object.entries(content).map(([field, value]) => [
        field,
        contentFields.has(field) ? cover(value, field === 'metadata') : value,
      ]),
    ) as Of
  return {
    ...coverContent(trace),
    logs: trace.logs.map(coverContent),
    user: null,
    organization: null,
    sessionId: null,
  }
}

/** What applications choose the words of; ids and times are none of it. */
const contentFields: ReadonlySet<string> = new Set([
  ...[
    'name',
    'featureSlug',
    'chainSlug',
    'environment',
    'release',
    'input',
    'output',
    'idealOutput',
    'metadata',
    'variables',
    'tags',
    'warning',
  ],
])
