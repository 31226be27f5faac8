/** Collects the report of an import: counts, skipped records and sample traces. */
import type { FoundRow, FoundTrace, FoundVersion, JsonRecord, SortedRecord } from '@plumbline/sdk/import'

import { chooseSlugs } from './choose-slugs.ts'

const samplesMax = 3

/** A dataset, inferred from its rows. */
export interface SurveyedDataset {
  readonly name: string
  /** The slug of its name, which another dataset may share. */
  readonly slug: string
  rows: number
  /** Whether every value so far was text, by column. */
  readonly columns: Map<string, boolean>
}

export class Survey {
  readonly #records = new Map<string, number>()
  readonly #logs = new Map<string, number>()
  readonly #ignored = new Map<string, number>()
  readonly #warnings = new Map<string, number>()
  readonly #metadataFields = new Map<string, number>()
  readonly #prompts = new Map<string, number>()
  readonly #samples: object[] = []
  readonly #promptSlugs = new Map<string, string>()
  /** Datasets by name. */
  readonly datasets = new Map<string, SurveyedDataset>()
  #traces = 0
  #scores = 0
  #spans = 0

  record(source: string): void {
    add(this.#records, source)
  }

  ignore({ what, why }: Extract<SortedRecord, { type: 'ignored' }>, count = 1): void {
    if (count > 0) add(this.#ignored, `${what}: ${why}`, count)
  }

  version({ name, slug, warnings }: FoundVersion): void {
    add(this.#prompts, name)
    this.#promptSlugs.set(name, slug)
    for (const warning of warnings) add(this.#warnings, `prompt ${slug}: ${warning}`)
  }

  row({ slug, datasetName, values }: FoundRow): void {
    const dataset = this.datasets.get(datasetName) ?? { name: datasetName, slug, rows: 0, columns: new Map() }
    this.datasets.set(datasetName, dataset)
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
      this.#countMetadataFields(source, 'log', log.metadata)
    }
    this.#countMetadataFields(source, 'trace', trace.metadata)
    for (const warning of warnings) add(this.#warnings, warning)
    if (this.#samples.length < samplesMax) this.#samples.push({ ...trace, scores })
  }

  #countMetadataFields(source: string, level: string, metadata: JsonRecord | null | undefined): void {
    const fields = metadata?.[source]
    if (typeof fields !== 'object' || fields === null) return
    for (const field of Object.keys(fields)) add(this.#metadataFields, `${level}.${field}`)
  }

  /** The slugs of the prompts by their names, consistent with those in the service. */
  choosePromptSlugs(existingNames: ReadonlyMap<string, string>): Map<string, string> {
    return chooseSlugs(this.#promptSlugs, existingNames)
  }

  /** The slugs of the datasets by their names, consistent with those in the service. */
  chooseDatasetSlugs(existingNames: ReadonlyMap<string, string>): Map<string, string> {
    const slugs = new Map(Array.from(this.datasets.values(), ({ name, slug }) => [name, slug]))
    return chooseSlugs(slugs, existingNames)
  }

  get traceCount(): number {
    return this.#traces
  }

  /** The full report as data. */
  get report() {
    const promptSlugs = this.choosePromptSlugs(new Map())
    const datasetSlugs = this.chooseDatasetSlugs(new Map())
    return {
      records: Object.fromEntries(this.#records),
      traces: this.#traces,
      logs: Object.fromEntries(this.#logs),
      scores: this.#scores,
      spans: this.#spans,
      prompts: Object.fromEntries(
        Array.from(this.#prompts, ([name, count]) => [promptSlugs.get(name)!, count]),
      ),
      datasets: Object.fromEntries(
        Array.from(this.datasets.values(), ({ name, rows, columns }) => [
          datasetSlugs.get(name)!,
          { name, rows, columns: columnsOf(columns) },
        ]),
      ),
      keptInMetadata: Object.fromEntries(this.#metadataFields),
      noPlace: Object.fromEntries(this.#ignored),
      warnings: Object.fromEntries(this.#warnings),
      samples: this.#samples,
    }
  }

  /** Skipped records, as sentences. */
  get skipped(): string[] {
    return [...this.#ignored].map(([what, count]) => `Skipped ${count} × ${what}.`)
  }

  /** The report as text. */
  get summary(): string {
    const { report } = this
    const formatCounts = (counts: object): string =>
      Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')
    const lines = [
      `Read: ${formatCounts(report.records) || 'nothing'} records.`,
      ...(report.traces > 0
        ? [
            `Traces: ${report.traces}, with ${formatCounts(report.logs) || 'no logs'}; ${report.scores} scores.`,
          ]
        : []),
      ...(report.spans > 0 ? [`OpenTelemetry: ${report.spans} spans, mapped by the service.`] : []),
      ...(this.#prompts.size > 0 ? [`Prompt versions: ${formatCounts(report.prompts)}.`] : []),
      ...Object.entries(report.datasets).map(
        ([slug, { rows, columns }]) =>
          `Dataset ${slug}: ${rows} rows; ${columns.map(({ name, type }) => `${name}:${type}`).join(' ')}.`,
      ),
      ...(this.#metadataFields.size > 0
        ? [`Kept in metadata (no matching field): ${formatCounts(report.keptInMetadata)}.`]
        : []),
      ...this.skipped,
      ...[...this.#warnings].map(([warning, count]) => `${count} × ${warning}`),
      ...this.#samples.map((sample) => `Sample: ${JSON.stringify(sample).slice(0, 400)}`),
    ]
    return lines.join('\n')
  }
}

/** Columns that hold only text have the type text; all others are JSON. */
export const columnsOf = (columns: ReadonlyMap<string, boolean>) =>
  [...columns].map(([name, isText]) => ({ name, type: isText ? ('text' as const) : ('json' as const) }))

/** Counts the spans of an OpenTelemetry export request. */
export function spansIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + spansIn(each), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [field, inner]) => {
    if (field === 'spans' && Array.isArray(inner)) return sum + inner.length
    return field === 'resourceSpans' || field === 'scopeSpans' ? sum + spansIn(inner) : sum
  }, 0)
}

const add = (counts: Map<string, number>, what: string, count = 1): void => {
  counts.set(what, (counts.get(what) ?? 0) + count)
}
