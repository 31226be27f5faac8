import { defaultFacets, facetFields, invalid, metadataPrefix, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readFilters } from '../../traces/filters.ts'

const names: readonly string[] = [...facetFields, 'score', 'metadata']
const fieldsMax = 20

export const facets: Verb<typeof operations.traces.facets> = async (
  { fields, prefix, limit = 20, ...filters },
  { workspace },
) => {
  const facetQuery = { fields: readFields(fields), prefix, limit }
  return workspace.traces.facets(readFilters(filters), facetQuery)
}

function readFields(list: string | undefined): readonly string[] {
  if (list === undefined) return defaultFacets
  const fields = [...new Set(list.split(',').map((field) => field.trim()))].filter((field) => field !== '')
  for (const field of fields) {
    const isKey = field.startsWith(metadataPrefix) && field.length > metadataPrefix.length
    if (!isKey && !names.includes(field))
      throw invalid('fields', `"${field}" is none of ${names.join(', ')}, metadata.KEY`)
  }
  if (fields.length === 0 || fields.length > fieldsMax)
    throw invalid('fields', `must name 1 to ${fieldsMax} fields`)
  return fields
}
