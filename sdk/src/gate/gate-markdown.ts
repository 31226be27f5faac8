/** A gate's verdict as Markdown, for pull requests and CI summaries. Pure. */
import type { Comparison, GateVerdict, Verdict } from './judge-gate.ts'

const marks: Readonly<Record<Verdict, string>> = { pass: '✅', fail: '❌', inconclusive: '⚠️' }
const titles: Readonly<Record<Verdict, string>> = {
  pass: 'The gate passes',
  fail: 'The gate fails',
  inconclusive: 'The gate cannot be decided',
}

export function gateMarkdown(
  comparison: Pick<Comparison, 'experiments' | 'measures' | 'baselineId' | 'caseCount'>,
  candidateId: string,
  { verdict, rules }: GateVerdict,
  /** URL of the comparison, if there is one. */
  url?: string,
): string {
  const nameOf = (id: string): string =>
    escapeCell(comparison.experiments.find((each) => each.id === id)?.name ?? id)
  const measures = comparison.measures.flatMap(({ name, experiments }) => {
    const findExperiment = (id: string) => experiments.find((each) => each.id === id)
    const [before, after] = [findExperiment(comparison.baselineId), findExperiment(candidateId)]
    if (before?.mean == null && after?.mean == null) return []
    const interval =
      after?.low == null || after.high == null
        ? ''
        : ` (${formatSigned(after.low)} to ${formatSigned(after.high)})`
    const delta = after?.meanDelta == null ? '' : `${formatSigned(after.meanDelta)}${interval}`
    const sides = after?.pairs ? `${after.better ?? 0} / ${after.worse ?? 0}` : ''
    const p = after?.pValue === undefined || !after.pairs ? '' : formatNumber(after.pValue)
    return [[escapeCell(name), formatMean(before), formatMean(after), delta, sides, p]]
  })
  return [
    `### ${marks[verdict]} ${titles[verdict]}`,
    '',
    `**${nameOf(candidateId)}** against **${nameOf(comparison.baselineId)}**, ${comparison.caseCount} cases${url === undefined ? '' : ` · [compare](${url})`}`,
    '',
    ...formatTable(
      ['', 'Rule', 'Why'],
      rules.map((ruleVerdict) => [
        marks[ruleVerdict.verdict],
        `\`${escapeCell(ruleVerdict.rule)}\``,
        escapeCell(ruleVerdict.reason),
      ]),
    ),
    '',
    ...formatTable(
      ['Measure', 'Baseline', 'Candidate', 'Difference (95 % interval)', 'Better / worse', 'p'],
      measures,
    ),
    '',
  ].join('\n')
}

const formatTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const escapeCell = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll('|', '\\|')
const formatMean = (entry: { readonly mean: number | null } | undefined): string =>
  entry?.mean == null ? '–' : formatNumber(entry.mean)
const formatNumber = (value: number): string => String(Number(value.toPrecision(3)))
const formatSigned = (value: number): string => (value > 0 ? `+${formatNumber(value)}` : formatNumber(value))
