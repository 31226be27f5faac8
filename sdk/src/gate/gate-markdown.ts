/** A gate's verdict as Markdown, for pull requests and summaries of CI. Pure. */
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
  /** Where the comparison is shown, if it is. */
  url?: string,
): string {
  const nameOf = (id: string): string =>
    cell(comparison.experiments.find((each) => each.id === id)?.name ?? id)
  const measures = comparison.measures.flatMap(({ name, experiments }) => {
    const of = (id: string) => experiments.find((each) => each.id === id)
    const [before, after] = [of(comparison.baselineId), of(candidateId)]
    if (before?.mean == null && after?.mean == null) return []
    const interval =
      after?.low == null || after.high == null ? '' : ` (${signed(after.low)} to ${signed(after.high)})`
    const delta = after?.meanDelta == null ? '' : `${signed(after.meanDelta)}${interval}`
    const sides = after?.pairs ? `${after.better ?? 0} / ${after.worse ?? 0}` : ''
    const p = after?.pValue === undefined || !after.pairs ? '' : numberOf(after.pValue)
    return [[cell(name), meanOf(before), meanOf(after), delta, sides, p]]
  })
  return [
    `### ${marks[verdict]} ${titles[verdict]}`,
    '',
    `**${nameOf(candidateId)}** against **${nameOf(comparison.baselineId)}**, ${comparison.caseCount} cases${url === undefined ? '' : ` · [compare](${url})`}`,
    '',
    ...tableOf(
      ['', 'Rule', 'Why'],
      rules.map((of) => [marks[of.verdict], `\`${cell(of.rule)}\``, cell(of.reason)]),
    ),
    '',
    ...tableOf(
      ['Measure', 'Baseline', 'Candidate', 'Difference (95 % interval)', 'Better / worse', 'p'],
      measures,
    ),
    '',
  ].join('\n')
}

const tableOf = (titlesOf: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [titlesOf, titlesOf.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const cell = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll('|', '\\|')
const meanOf = (of: { readonly mean: number | null } | undefined): string =>
  of?.mean == null ? '–' : numberOf(of.mean)
const numberOf = (value: number): string => String(Number(value.toPrecision(3)))
const signed = (value: number): string => (value > 0 ? `+${numberOf(value)}` : numberOf(value))
