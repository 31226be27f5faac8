/** The run form: its request and its estimated cost. Pure. */
import type { Input } from '../../app/api.ts'
import type { InputProblem } from '../../ui/form/check-input.ts'

export interface RunDraft {
  datasetSlug: string | undefined
  /** Only these rows of it; undefined for all. */
  rowIds: readonly string[] | undefined
  /** A dataset version; undefined for the rows at the start of the run. */
  datasetVersion: number | undefined
  /** Only rows in this split; undefined for all. */
  split: string | undefined
  /** Only rows with this label; undefined for all. */
  label: string | undefined
  kind: 'prompt' | 'endpoint'
  promptSlug: string | undefined
  version: string | undefined
  connectionId: string | undefined
  /** Empty for the version's own. */
  model: string
  url: string
  /** One header per line, as `Name: value`. */
  headers: string
  evaluatorSlugs: readonly string[]
  /** Undefined for the service's default. */
  repetitions: number | undefined
  concurrency: number | undefined
  /** Undefined for no limit. */
  spendMax: number | undefined
  name: string
  featureSlug: string | undefined
}

export const newRunDraft = (values: Partial<RunDraft>): RunDraft => ({
  datasetSlug: undefined,
  rowIds: undefined,
  datasetVersion: undefined,
  split: undefined,
  label: undefined,
  kind: 'prompt',
  promptSlug: undefined,
  version: undefined,
  connectionId: undefined,
  model: '',
  url: '',
  headers: '',
  evaluatorSlugs: [],
  repetitions: 1,
  concurrency: 8,
  spendMax: undefined,
  name: '',
  featureSlug: undefined,
  ...values,
})

/** The form field of each part of the input. */
export const fieldsOfRun = {
  'target.slug': 'promptSlug',
  'target.version': 'version',
  'target.connectionId': 'connectionId',
  'target.model': 'model',
  'target.url': 'url',
  'target.headers': 'headers',
} as const

type RunInput = Input<'experimentRuns.create'>
type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }
type Target =
  | Optional<Extract<RunInput['target'], { type: 'prompt' }>>
  | Optional<Extract<RunInput['target'], { type: 'endpoint' }>>

/** The request; values not chosen yet are undefined. */
export interface PlannedRun extends Optional<Omit<RunInput, 'target'>> {
  readonly target: Target
}

export const toRunInput = (draft: RunDraft): PlannedRun => ({
  datasetSlug: draft.datasetSlug,
  rowIds: draft.rowIds && [...draft.rowIds],
  datasetVersion: draft.datasetVersion,
  split: draft.split,
  label: draft.label,
  target: toTarget(draft),
  evaluatorSlugs: [...draft.evaluatorSlugs],
  repetitions: draft.repetitions,
  concurrency: draft.concurrency,
  spendMax: draft.spendMax ?? null,
  name: draft.name.trim() || undefined,
  featureSlug: draft.featureSlug,
})

function toTarget({ kind, promptSlug, version, connectionId, model, url, headers }: RunDraft): Target {
  if (kind === 'prompt')
    return { type: 'prompt', slug: promptSlug, version, connectionId, model: model.trim() || undefined }
  const read = readHeaders(headers) ?? {}
  return {
    type: 'endpoint',
    url: url.trim() || undefined,
    headers: Object.keys(read).length > 0 ? read : undefined,
  }
}

/** Missing choices, and problems that the service cannot report by field. */
export function checkRun(draft: RunDraft): readonly InputProblem[] {
  const { kind, datasetSlug, promptSlug, version, connectionId, url, featureSlug, headers } = draft
  const requireValue = (path: string, value: unknown, problem: string): readonly InputProblem[] =>
    value === undefined ? [{ path, problem }] : []
  const dataset = requireValue('datasetSlug', datasetSlug, 'choose a dataset')
  if (kind === 'prompt')
    return [
      ...dataset,
      ...requireValue('promptSlug', promptSlug, 'choose a prompt'),
      ...requireValue('version', version, 'choose a version'),
      ...requireValue('connectionId', connectionId, 'choose a connection'),
    ]
  const isUrl = /^https?:\/\/./.test(url.trim()) && URL.canParse(url.trim())
  return [
    ...dataset,
    ...(isUrl
      ? []
      : [{ path: 'url', problem: 'enter the URL of the endpoint, such as https://example.com/run' }]),
    ...requireValue('headers', readHeaders(headers), 'write each header as "Authorization: Bearer …"'),
    ...requireValue('featureSlug', featureSlug, 'choose a feature'),
  ]
}

/** Undefined if a line is not a header. */
export function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line) => /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (read.some((match) => match === null)) return undefined
  return Object.fromEntries(read.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
}

type MetricsRow = Readonly<Record<string, string | number | null>>

export interface RunEstimate {
  readonly cases: number
  /** LLM evaluations, which cost extra. */
  readonly judgements: number
  /** The cost of the calls that produce outputs; undefined without a basis. */
  readonly costUsd: number | undefined
  /** The basis of the estimate: the same version, or another one of the prompt. */
  readonly basis: 'version' | 'prompt' | undefined
}

/** `usage` has a row for each version of the prompt, with `logs` and `cost`. */
export function estimateOf(
  draft: Pick<RunDraft, 'repetitions' | 'version' | 'kind'>,
  rows: number,
  modelJudges: number,
  usage: readonly MetricsRow[],
): RunEstimate {
  const { repetitions = 1 } = draft
  const cases = rows * (Number.isInteger(repetitions) && repetitions > 0 ? repetitions : 1)
  const ofVersion = costPerCall(usage.filter(({ promptVersion }) => promptVersion === draft.version))
  const ofPrompt = costPerCall(usage)
  const perCall = draft.kind === 'endpoint' ? undefined : (ofVersion ?? ofPrompt)
  return {
    cases,
    judgements: cases * modelJudges,
    costUsd: perCall === undefined ? undefined : perCall * cases,
    basis: perCall === undefined ? undefined : ofVersion === undefined ? 'prompt' : 'version',
  }
}

function costPerCall(usage: readonly MetricsRow[]): number | undefined {
  const calls = usage.reduce((sum, row) => sum + Number(row.logs ?? 0), 0)
  const cost = usage.reduce((sum, row) => sum + Number(row.cost ?? 0), 0)
  return calls === 0 || cost === 0 ? undefined : cost / calls
}
