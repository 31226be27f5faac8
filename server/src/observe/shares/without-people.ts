/** Removes personal data from a shared trace: everything that names its user, its organization or its session. */
import type { StoredTrace } from '@plumbline/contract'
import type { TraceRow } from '@plumbline/storage/traces'

type PersonFields = Pick<
  TraceRow,
  'userId' | 'userName' | 'organizationId' | 'organizationName' | 'sessionId'
>

/** Matches keys in metadata and attributes that name people and sessions in the conventions of OpenTelemetry libraries. */
const namesPeople =
  /(?:^|\.)(?:(?:end\.?)?user(?:\.?(?:id|name|email))?|session(?:\.?id)?|(?:conversation|thread)\.?id|(?:organi[sz]ation|org|tenant)(?:\.?(?:id|name))?)$/

/** Treats `userId`, `user_id` and `user.id` alike; `userid` has no separator between its words. */
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
    // Safe: texts stay texts and containers stay containers, and numbers in content may become null.
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

/** Fields with content of the application, unlike ids and times. */
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
