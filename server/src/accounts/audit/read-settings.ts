/**
 * The state of a resource before and after an operation, in the form of the interface: one reader for each resource, so that
 * no operation can omit it.
 */
import type { Operation } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import { toSummary as toDataset } from '../../datasets/datasets/summary.ts'
import { findQueue } from '../../evaluate/annotation-queues/view.ts'
import { toEvaluator } from '../../evaluate/evaluators/view.ts'
import { toExperiment } from '../../evaluate/experiments/view.ts'
import { toPriceOverride } from '../../ingest/prices/view.ts'
import { toAlert } from '../../observe/alerts/view.ts'
import { toChannel } from '../../observe/channels/view.ts'
import { toDashboard } from '../../observe/dashboards/view.ts'
import { toView } from '../../observe/views/view.ts'
import { get as getRetention } from '../../operate/retention/get.ts'
import { toConnection } from '../../outbound/connections/view.ts'
import { toApproval } from '../../prompts/approvals/view.ts'
import { toSummary as toPrompt } from '../../prompts/prompts/summary.ts'
import { toRollouts } from '../../prompts/rollouts/view.ts'
import type { Context } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { toAccount } from '../accounts/view.ts'
import { toInvitation } from '../invitations/view.ts'
import { toApiKey } from '../keys/view.ts'
import { toMember } from '../members/view.ts'
import { readAuditSettings } from './read-audit-settings.ts'

/** The path parameters. */
export type PathFields = Readonly<Record<'id' | 'slug', string>>

type Reader = (workspace: Workspace, path: PathFields, now: Date) => Promise<object | undefined>

const readBy =
  <Stored, View extends object>(
    find: (workspace: Workspace, path: PathFields, now: Date) => Promise<Stored | undefined>,
    view: (row: Stored) => View,
  ): Reader =>
  async (workspace, path, now) => {
    const settings = await find(workspace, path, now)
    return settings === undefined ? undefined : view(settings)
  }

const withId = <Row extends { readonly id: string }>(rows: readonly Row[], { id }: PathFields) =>
  rows.find((row) => row.id === id)

const readers: Readonly<Record<string, Reader>> = {
  alerts: readBy(({ alerts }, { id }) => alerts.find(id), toAlert),
  annotationQueues: (workspace, { id }) => findQueue(id, workspace),
  /** The list of protected tags has no id. */
  async approvals({ approvals }, { id }) {
    if (id === undefined) return { tags: await approvals.tags() }
    const approval = await approvals.find(id)
    return approval && toApproval(approval)
  },
  audit: (workspace) => readAuditSettings(workspace),
  channels: readBy(({ channels }, { id }) => channels.find(id), toChannel),
  connections: readBy(
    async ({ connections }, path, now) => withId(await connections.list(now), path),
    toConnection,
  ),
  dashboards: readBy(({ dashboards }, { slug }) => dashboards.find(slug), toDashboard),
  datasets: readBy(({ datasets }, { slug }) => datasets.find(slug), toDataset),
  evaluators: readBy(async ({ evaluators }, { slug }) => (await evaluators.findMany([slug]))[0], toEvaluator),
  experiments: readBy(({ experiments }, { id }) => experiments.find(id), toExperiment),
  invitations: readBy(
    async ({ invitations }, path, now) => withId(await invitations.list(now), path),
    toInvitation,
  ),
  keys: readBy(async ({ apiKeys }, path) => withId(await apiKeys.list(), path), toApiKey),
  members: readBy(({ members }, { id }) => members.find(id), toMember),
  prices: readBy(async ({ prices }, path) => withId(await prices.list(), path), toPriceOverride),
  async prompts({ prompts, promptTags }, { slug }) {
    const prompt = await prompts.find(slug)
    return prompt && { ...toPrompt(prompt), tags: await promptTags.versions(slug) }
  },
  // Safe: it uses only the workspace of the context.
  retention: (workspace) => getRetention({}, { workspace } as Context) as Promise<object>,
  async rollouts(workspace, { id }) {
    const rollout = await workspace.rollouts.find(id)
    return rollout && (await toRollouts([rollout], workspace))[0]
  },
  views: readBy(async ({ views }, path) => withId(await views.list(), path), toView),
  workspaces: async ({ id, workspaceName }) => ({ id, name: await workspaceName.find() }),
}

/** Reads the resource of an operation; undefined if its state is not logged, or if it does not exist. */
export type ReadSettings = (
  operation: Pick<Operation, 'name'>,
  path: PathFields,
  source: { readonly workspace: Workspace | undefined; readonly now: Date },
) => Promise<object | undefined>

export const makeReadSettings =
  ({ accounts }: Pick<PeopleStore, 'accounts'>): ReadSettings =>
  async ({ name }, path, { workspace, now }) => {
    const resource = name.slice(0, name.indexOf('.'))
    if (resource === 'accounts') {
      const account = await accounts.find(path.id)
      return account && toAccount(account)
    }
    return workspace && readers[resource]?.(workspace, path, now)
  }
