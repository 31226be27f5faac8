import { invalid, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { explainChange } from './explain-change.ts'
import { readFilterText } from './read-query.ts'

export const explain: Verb<typeof operations.metrics.explain> = async (input, { workspace }) => {
  const { q: _words, fromUs: _from, toUs: _to, ...filters } = readFilterText(input.filters)
  const window = { fromUs: requireInstant(input.from, 'from'), toUs: requireInstant(input.to, 'to') }
  if (window.toUs <= window.fromUs) throw invalid('to', 'must be after `from`')
  const baselineTo = readInstant(input.baselineTo, 'baselineTo') ?? window.fromUs
  const baseline = {
    fromUs: readInstant(input.baselineFrom, 'baselineFrom') ?? baselineTo - (window.toUs - window.fromUs),
    toUs: baselineTo,
  }
  if (baseline.toUs > window.fromUs) throw invalid('baselineTo', 'must not be after `from`')
  if (baseline.toUs <= baseline.fromUs)
    throw invalid('baselineFrom', 'must be before the end of the baseline')
  const sums = await workspace.traces.changeSums(input.measure, { window, baseline }, filters)
  const scale = Number(window.toUs - window.fromUs) / Number(baseline.toUs - baseline.fromUs)
  return {
    ...explainChange(input.measure, sums, scale),
    baseline: { from: toInstant(baseline.fromUs), to: toInstant(baseline.toUs) },
  }
}

function requireInstant(value: Parameters<typeof readInstant>[0], path: string): bigint {
  const us = readInstant(value, path)
  if (us === undefined) throw invalid(path, 'is required')
  return us
}

const toInstant = (us: bigint): string => new Date(Number(us / 1000n)).toISOString()
