/** What an import found, for its report: counts, what has no place, and how the first traces look. */
import type { FoundRow, FoundTrace, FoundVersion, JsonRecord, Sorted } from '@plumbline/sdk/import'

const samplesMax = 3

/** A dataset as its rows show it. */
export interface SurveyedDataset {
  readonly name: string
  rows: number
  /** Whether every value so far was a text, by column. */
  readonly columns: Map<string, boolean>
}

export class Survey {
  readonly #records = new Map<string, number>()
  readonly #logs = new Map<string, number>()
  readonly #ignored = new Map<string, number>()
  readonly #warnings = new Map<string, number>()
  readonly #kept = new Map<string, number>()
  readonly #prompts = new Map<string, number>()
  readonly #samples: object[] = []
  readonly datasets = new Map<string, SurveyedDataset>()
  #traces = 0
  #scores = 0
  #spans = 0

  record(source: string): void {
    add(this.#records, source)
  }

  ignore({ what, why }: Extract<Sorted, { type: 'ignored' }>): void {
    add(this.#ignored, `${what}: ${why}`)
  }

  version({ slug, warnings }: FoundVersion): void {
    add(this.#prompts, slug)
    for (const warning of warnings) add(this.#warnings, `prompt ${slug}: ${warning}`)
  }

  row({ slug, datasetName, values }: FoundRow): void {
    const dataset = this.datasets.get(slug) ?? { name: datasetName, rows: 0, columns: new Map() }
    this.datasets.set(slug, dataset)
    dataset.rows++
    for (const [column, value] of Object.entries(values))
      dataset.columns.set(column, (dataset.columns.get(column) ?? true) && typeof value === 'string')
  }

  request(request: JsonRecord): void {
    this.#spans += spansIn(request)
  }

  trace(source: string, { trace, scores, warnings }: FoundTrace): void {
    this.#traces++
    this.#scores += scores.length
    for (const log of trace.logs ?? []) {
      add(this.#logs, log.type)
      this.#keep(source, 'log', log.metadata)
    }
    this.#keep(source, 'trace', trace.metadata)
    for (const warning of warnings) add(this.#warnings, warning)
    if (this.#samples.length < samplesMax) this.#samples.push({ ...trace, scores })
  }

  #keep(source: string, of: string, metadata: JsonRecord | null | undefined): void {
    const kept = metadata?.[source]
    if (typeof kept !== 'object' || kept === null) return
    for (const field of Object.keys(kept)) add(this.#kept, `${of}.${field}`)
  }

  get traceCount(): number {
    return this.#traces
  }

  /** The whole report, for machines. */
  get report() {
    return {
      records: Object.fromEntries(this.#records),
      traces: this.#traces,
      logs: Object.fromEntries(this.#logs),
      scores: this.#scores,
      spans: this.#spans,
      prompts: Object.fromEntries(this.#prompts),
      datasets: Object.fromEntries(
        [...this.datasets].map(([slug, { name, rows, columns }]) => [
          slug,
          { name, rows, columns: columnsOf(columns) },
        ]),
      ),
      keptInMetadata: Object.fromEntries(this.#kept),
      noPlace: Object.fromEntries(this.#ignored),
      warnings: Object.fromEntries(this.#warnings),
      samples: this.#samples,
    }
  }

  /** The same in words. */
  get words(): string {
    const { report } = this
    const listed = (counts: object): string =>
      Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')
    const lines = [
      `Read: ${listed(report.records) || 'nothing'} records.`,
      ...(report.traces > 0
        ? [`Traces: ${report.traces}, with ${listed(report.logs) || 'no logs'}; ${report.scores} scores.`]
        : []),
      ...(report.spans > 0 ? [`OpenTelemetry: ${report.spans} spans, which the service maps itself.`] : []),
      ...(this.#prompts.size > 0 ? [`Prompts, by versions: ${listed(report.prompts)}.`] : []),
      ...[...this.datasets].map(
        ([slug, { rows, columns }]) =>
          `Dataset ${slug}: ${rows} rows; ${columnsOf(columns)
            .map(({ name, type }) => `${name}:${type}`)
            .join(' ')}.`,
      ),
      ...(this.#kept.size > 0
        ? [`Kept in metadata, for want of a field: ${listed(report.keptInMetadata)}.`]
        : []),
      ...[...this.#ignored].map(([what, count]) => `No place for ${count} × ${what}.`),
      ...[...this.#warnings].map(([warning, count]) => `${count} × ${warning}`),
      ...this.#samples.map((sample) => `Sample: ${JSON.stringify(sample).slice(0, 400)}`),
    ]
    return lines.join('\n')
  }
}

/** Columns with nothing but texts are texts; the rest holds JSON. */
export const columnsOf = (columns: ReadonlyMap<string, boolean>) =>
  [...columns].map(([name, isText]) => ({ name, type: isText ? ('text' as const) : ('json' as const) }))

/** How many spans an export request of OpenTelemetry has. */
export function spansIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + spansIn(each), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [field, inner]) => {
    if (field === 'spans' && Array.isArray(inner)) return sum + inner.length
    return /^(?:resource|scope|instrumentationLibrary)_?Spans$/i.test(field) ? sum + spansIn(inner) : sum
  }, 0)
}

const add = (counts: Map<string, number>, what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
