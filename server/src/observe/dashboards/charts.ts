/** Checks the charts of a dashboard beyond their schema, and fills in the defaults of a request. */
import { type DashboardChart, type DashboardChartInput, invalid, ServiceError } from '@plumbline/contract'
import { assertFilters, readDimension } from '../metrics/read-query.ts'

export const toCharts = (charts: readonly DashboardChartInput[]): DashboardChart[] => charts.map(toChart)

function toChart(input: DashboardChartInput, index: number): DashboardChart {
  const { title, measure, chart, dimension = null, filters = {}, width = 1 } = input
  const path = `charts[${index}]`
  if (dimension !== null) readDimension(dimension, `${path}.dimension`)
  if (chart === 'ranking' && dimension === null)
    throw invalid(`${path}.dimension`, 'a ranking needs a dimension, such as "feature"')
  if (chart === 'total' && dimension !== null)
    throw invalid(`${path}.dimension`, 'a total has no dimension; use a ranking')
  try {
    assertFilters(filters)
  } catch (error) {
    throw error instanceof ServiceError ? invalid(path, error.message) : error
  }
  const comparesWithPrevious = input.comparesWithPrevious ?? false
  return { title, measure, chart, dimension, filters, width, comparesWithPrevious }
}
