import {
  type ExperimentTarget,
  experimentCasesMax,
  type InputOf,
  invalid,
  type operations,
  ServiceError,
} from '@plumbline/contract'
import type { RunInput } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { findDataset } from '../../datasets/datasets/find-dataset.ts'
import { refusalOf } from '../../network/guarded-fetch.ts'
import type { HostPolicy } from '../../network/host-policy.ts'
import { findPrompt } from '../../prompts/playground/draft.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Context, Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { deadlineMs } from '../evaluations/retry-policy.ts'
import { viewRun } from './shown-run.ts'

type RunRequest = InputOf<typeof operations.experimentRuns.create>

interface CreateParts {
  readonly keyring: Keyring
  readonly endpointPolicy: HostPolicy
  /** Tells the poller that cases are due. */
  readonly notify: () => void
}

const concurrencyDefault = 8

/** Checks everything that can be checked before the first case runs. */
export const makeCreate =
  ({ keyring, endpointPolicy, notify }: CreateParts): Verb<typeof operations.experimentRuns.create> =>
  async (input, { workspace, caller, now }) => {
    const { datasetSlug, repetitions } = input
    const target = await checkTarget(input.target, workspace, endpointPolicy)
    const evaluatorSlugs = [...new Set(input.evaluatorSlugs ?? [])]
    await checkEvaluators(evaluatorSlugs, workspace)
    const featureSlug = input.featureSlug ?? target.featureSlug
    if (featureSlug === undefined)
      throw invalid('featureSlug', 'is required, since the prompt has no feature')
    const datasetVersion = await findVersion(input, workspace, { caller, now })
    const rows = await pinRows(input, datasetVersion, workspace)
    const count = rows.length * (repetitions ?? 1)
    if (count > experimentCasesMax)
      throw invalid(
        'repetitions',
        `makes it ${count} cases, but a run may have at most ${experimentCasesMax}`,
      )
    const times = { now, deadlineAt: new Date(now.getTime() + deadlineMs) }
    const run = {
      datasetSlug,
      datasetVersion,
      split: input.split ?? undefined,
      label: input.label ?? undefined,
      target: JSON.stringify(target.visibleTarget),
      sealedHeaders: target.headers === undefined ? undefined : keyring.seal(target.headers, workspace.id),
      connectionId: target.connectionId,
      evaluatorSlugs,
      repetitions: repetitions ?? 1,
      concurrency: input.concurrency ?? concurrencyDefault,
      spendMax: input.spendMax ?? undefined,
      createdBy: caller.id,
      experiment: { name: input.name ?? `${target.name} on ${datasetSlug}`, featureSlug },
      rows,
    }
    const id = await mapStorageErrors(workspace.experimentRuns.create(run, times))
    notify()
    return { run: await viewRun(workspace, id, now) }
  }

interface CheckedTarget {
  readonly visibleTarget: ExperimentTarget
  readonly name: string
  readonly connectionId: string | undefined
  readonly featureSlug: string | undefined
  /** JSON text. */
  readonly headers: string | undefined
}

async function checkTarget(
  target: ExperimentTarget,
  workspace: Workspace,
  endpointPolicy: HostPolicy,
): Promise<CheckedTarget> {
  if (target.type === 'endpoint') {
    const refusal = refusalOf(target.url, endpointPolicy)
    if (refusal !== undefined) throw invalid('target.url', refusal)
    const { headers, ...publicTarget } = target
    const emptyHeaders = Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name, '']))
    return {
      visibleTarget: headers == null ? publicTarget : { ...publicTarget, headers: emptyHeaders },
      name: new URL(target.url).host,
      connectionId: undefined,
      featureSlug: undefined,
      headers: headers == null ? undefined : JSON.stringify(headers),
    }
  }
  const { slug, version, connectionId } = target
  const prompt = await workspace.cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  if (!prompt.versions.some((each) => each.version === version))
    throw new ServiceError('version_not_found', { slug, selector: `version "${version}"` })
  if ((await workspace.connections.find(connectionId)) === undefined)
    throw new ServiceError('connection_not_found', { id: connectionId })
  const promptVersion = await findPrompt({ slug, version }, workspace)
  const model = target.model ?? (promptVersion.model.model || undefined)
  if (model === undefined) throw invalid('target.model', 'is required, since the version names none')
  return {
    visibleTarget: { ...target, model },
    name: `${slug} ${version}`,
    connectionId,
    featureSlug: prompt.featureSlug ?? undefined,
    headers: undefined,
  }
}

async function checkEvaluators(slugs: readonly string[], { cache }: Workspace): Promise<void> {
  for (const slug of slugs)
    if ((await cache.evaluator(slug)) === undefined) throw new ServiceError('evaluator_not_found', { slug })
}

/** The dataset version to run on: if the request names none, a version is made of the current dataset. */
async function findVersion(
  { datasetSlug, datasetVersion }: RunRequest,
  workspace: Workspace,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
): Promise<number> {
  await findDataset(workspace, datasetSlug, datasetVersion)
  if (datasetVersion != null) return datasetVersion
  const newVersion = { note: '', createdBy: caller.id, now }
  return (await mapStorageErrors(workspace.datasetVersions.ensure(datasetSlug, newVersion))).version
}

/** Copies the rows that the request selects, with their positions in the version, so that a case has the same one in every run. */
async function pinRows(
  { datasetSlug, rowIds, split, label }: RunRequest,
  version: number,
  workspace: Workspace,
): Promise<RunInput[]> {
  const dataset = await findDataset(workspace, datasetSlug, version)
  const columns = new Set(dataset.columns.map(({ name }) => name))
  const remainingIds = rowIds == null ? undefined : new Set(rowIds)
  const rows: RunInput[] = []
  let position = -1
  const storedRows = workspace.datasetRows.stream(datasetSlug, { version })
  for await (const { id, name, values, idealOutput, metadata, ...row } of storedRows) {
    position += 1
    if (split != null && row.split !== split) continue
    if (label != null && !row.labels.includes(label)) continue
    if (remainingIds !== undefined && !remainingIds.delete(id)) continue
    if (rows.length === experimentCasesMax)
      throw invalid('datasetSlug', `has more than ${experimentCasesMax} rows; choose some of them by rowIds`)
    // Safe: values are stored as a JSON object.
    const entries = Object.entries(parseJsonText(values) as object).filter(([column]) => columns.has(column))
    const caseText = JSON.stringify(Object.fromEntries(entries))
    rows.push({ id, position, name, values: caseText, idealOutput, metadata })
  }
  const [missing] = remainingIds ?? []
  if (missing !== undefined) throw new ServiceError('row_not_found', { slug: datasetSlug, id: missing })
  if (rows.length > 0) return rows
  if (split != null) throw invalid('split', `selects no rows: "${split}"`)
  if (label != null) throw invalid('label', `selects no rows: "${label}"`)
  throw invalid('datasetSlug', 'has no rows')
}
