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
import { compileObjectCheck } from '../../requests/validate.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFilters, readInstant } from '../../traces/filters.ts'

type Filters = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor' | 'q'>

const checkFilters = compileObjectCheck<Filters>(MetricsFilters, 'filters')

export const query: Verb<typeof operations.metrics.query> = async (input, { workspace }) => {
  const { fromUs, toUs, ...filters } = readFilters(
    input.filters === undefined ? {} : checkFilters(parse(input.filters)),
  )
  const rows = await workspace.traces.measure({
    measures: namesIn(input.measures, 'measures', isMeasure, allMeasures),
    dimensions: namesIn(input.dimensions ?? '', 'dimensions', isDimension, allDimensions),
    granularity: input.granularity,
    filters,
    fromUs: readInstant(input.from, 'from') ?? fromUs,
    toUs: readInstant(input.to, 'to') ?? toUs,
  })
  return { rows }
}

function parse(filters: string): unknown {
  try {
    return JSON.parse(filters)
  } catch (error) {
    throw Object.assign(invalid('filters', 'must be a JSON object'), { cause: error })
  }
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
  if (path === 'measures' && names.length === 0)
    throw invalid(path, `must name at least one of ${allowedNames.join(', ')}`)
  return names.map((name) => {
    if (!isName(name)) throw invalid(path, `"${name}" is none of ${allowedNames.join(', ')}`)
    return name
  })
}

const isMeasure = (name: string): name is Measure => allMeasures.some((candidate) => candidate === name)

const isDimension = (name: string): name is Dimension =>
  allDimensions.some((candidate) => candidate === name) ||
  (name.startsWith(metadataFilterPrefix) && name.length > metadataFilterPrefix.length)
