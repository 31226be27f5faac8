/** The form of a run: its request, and its estimated cost. Pure. */
import type { Input } from '../../app/api.ts'

export interface RunDraft {
  readonly datasetSlug: string | undefined
  /** Only these rows of it; undefined for all. */
  readonly rowIds: readonly string[] | undefined
  /** A version of it; undefined for its rows as they are when the run starts. */
  readonly datasetVersion: number | undefined
  /** Only rows in this split; undefined for all. */
  readonly split: string | undefined
  /** Only rows with this label; undefined for all. */
  readonly label: string | undefined
  readonly kind: 'prompt' | 'endpoint'
  readonly promptSlug: string | undefined
  readonly version: string | undefined
  readonly connectionId: string | undefined
  /** Empty: that of the version. */
  readonly model: string
  readonly url: string
  /** A header a line, `Name: value`. */
  readonly headers: string
  readonly evaluatorSlugs: readonly string[]
  /** As they are typed. */
  readonly repetitions: string
  readonly concurrency: string
  readonly spendMax: string
  readonly name: string
  readonly featureSlug: string | undefined
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
  repetitions: '1',
  concurrency: '8',
  spendMax: '',
  name: '',
  featureSlug: undefined,
  ...values,
})

type Asked = Input<'experimentRuns.create'>

/** The input of the run, or the first problem. */
export function readRunDraft(draft: RunDraft): { readonly input: Asked } | { readonly problem: string } {
  const { datasetSlug, evaluatorSlugs, name, featureSlug } = draft
  if (datasetSlug === undefined) return { problem: 'Choose a dataset.' }
  const target = targetOf(draft)
  if ('problem' in target) return target
  const repetitions = wholeIn(draft.repetitions, 1, 20)
  if (repetitions === undefined) return { problem: 'Enter 1 to 20 runs per row.' }
  const concurrency = wholeIn(draft.concurrency, 1, 64)
  if (concurrency === undefined) return { problem: 'Enter a concurrency from 1 to 64.' }
  const spendMax = draft.spendMax.trim() === '' ? null : Number(draft.spendMax)
  if (spendMax !== null && !(spendMax > 0)) return { problem: 'The limit must be an amount in dollars.' }
  return {
    input: {
      datasetSlug,
      ...(draft.rowIds !== undefined && { rowIds: [...draft.rowIds] }),
      ...(draft.datasetVersion !== undefined && { datasetVersion: draft.datasetVersion }),
      ...(draft.split !== undefined && { split: draft.split }),
      ...(draft.label !== undefined && { label: draft.label }),
      target: target.target,
      evaluatorSlugs: [...evaluatorSlugs],
      repetitions,
      concurrency,
      spendMax,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(featureSlug !== undefined && { featureSlug }),
    },
  }
}

function targetOf(draft: RunDraft): { readonly target: Asked['target'] } | { readonly problem: string } {
  const { kind, promptSlug, version, connectionId, model, url, featureSlug } = draft
  if (kind === 'prompt') {
    if (promptSlug === undefined || version === undefined)
      return { problem: 'Choose a prompt and its version.' }
    if (connectionId === undefined) return { problem: 'Choose a connection.' }
    const modelInput = model.trim() === '' ? {} : { model: model.trim() }
    return { target: { type: 'prompt', slug: promptSlug, version, connectionId, ...modelInput } }
  }
  if (!/^https?:\/\/./.test(url.trim()) || !URL.canParse(url.trim()))
    return { problem: 'Enter the URL of the endpoint, such as https://example.com/run.' }
  if (featureSlug === undefined) return { problem: 'Choose a feature.' }
  const headers = readHeaders(draft.headers)
  if (headers === undefined) return { problem: 'Write each header as "Authorization: Bearer …".' }
  return {
    target: {
      type: 'endpoint',
      url: url.trim(),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
  }
}

/** Undefined where a line is none. */
export function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line) => /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (read.some((match) => match === null)) return undefined
  return Object.fromEntries(read.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
}

function wholeIn(text: string, min: number, max: number): number | undefined {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

type MetricsRow = Readonly<Record<string, string | number | null>>

export interface RunEstimate {
  readonly cases: number
  /** Judgements of models, which cost too. */
  readonly judgements: number
  /** Of the calls that make the outputs; undefined without a basis. */
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
  const cases = rows * (wholeIn(draft.repetitions, 1, 20) ?? 1)
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
