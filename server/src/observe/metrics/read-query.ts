/** Reads a metrics query: its measures, dimensions and filters, each by its name. */
import {
  dimensions as allDimensions,
  measures as allMeasures,
  type Dimension,
  type InputOf,
  invalid,
  type Measure,
  MetricsFilters,
  metadataFilterPrefix,
  type operations,
} from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'
import { makeObjectCheck } from '../../requests/validate.ts'
import { readFilters } from '../../traces/filters.ts'

type Filters = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor' | 'q'>

const checkFilters = makeObjectCheck<Filters>(MetricsFilters, 'filters')

/** The filters of a JSON object that is sent as text. */
export function readFilterText(text: string | undefined): TraceFilters {
  if (text === undefined) return readFilters({})
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw Object.assign(invalid('filters', 'must be a JSON object'), { cause: error })
  }
  return readFilters(checkFilters(value))
}

/** Throws `invalid_request` if metrics do not accept these filters. */
export function assertFilters(filters: object): void {
  readFilters(checkFilters(filters))
}

export const readMeasures = (list: string): Measure[] => {
  const names = namesIn(list, 'measures', isMeasure, allMeasures)
  if (names.length === 0) throw invalid('measures', `must name at least one of ${allMeasures.join(', ')}`)
  return names
}

export const readDimensions = (list: string | undefined): Dimension[] =>
  namesIn(list ?? '', 'dimensions', isDimension, allDimensions)

/** The dimension of this name; throws `invalid_request` at `path` if there is none. */
export function readDimension(name: string, path: string): Dimension {
  if (!isDimension(name)) throw unknownName(name, path, allDimensions)
  return name
}

function namesIn<Name extends string>(
  list: string,
  path: string,
  isName: (name: string) => name is Name,
  allowedNames: readonly string[],
): Name[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.map((name) => {
    if (!isName(name)) throw unknownName(name, path, allowedNames)
    return name
  })
}

const unknownName = (name: string, path: string, allowedNames: readonly string[]) =>
  invalid(path, `"${name}" is none of ${allowedNames.join(', ')}`)

const isMeasure = (name: string): name is Measure => allMeasures.some((candidate) => candidate === name)

const isDimension = (name: string): name is Dimension =>
  allDimensions.some((candidate) => candidate === name) ||
  (name.startsWith(metadataFilterPrefix) && name.length > metadataFilterPrefix.length)
