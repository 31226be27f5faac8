/**
 * The settings that an audit entry shows before and after a change: fields that the interface returns anyway, so that no
 * secret can be among them. Names and addresses of people, who are identified by their ids, and fields that may hold data
 * of end users are left out. Entries of resources that are not listed have no settings.
 */
import type { TObject } from 'typebox'
import { AnnotationQueue } from '../evaluate/annotation-queues.ts'
import { DatasetSummary } from '../evaluate/datasets.ts'
import { Evaluator } from '../evaluate/evaluators.ts'
import { Experiment } from '../evaluate/experiments.ts'
import { Alert } from '../observe/alerts.ts'
import { Channel } from '../observe/channels.ts'
import { Dashboard } from '../observe/dashboards.ts'
import { View } from '../observe/views.ts'
import { get as retention } from '../operate/retention.ts'
import { Feature } from '../prompts/features.ts'
import { PromptSummary } from '../prompts/prompts.ts'
import { Rollout } from '../prompts/rollouts.ts'
import { PromptVersion } from '../prompts/versions.ts'
import { PriceOverride } from '../traces/prices.ts'
import { Account } from './accounts.ts'
import { AuditLogSettings } from './audit.ts'
import { Connection } from './connections.ts'
import { Invitation } from './invitations.ts'
import { ApiKey } from './keys.ts'
import { Member } from './members.ts'
import { Workspace } from './workspaces.ts'

export interface AuditedSettings {
  /** The field of the output that holds the settings; without this field, the output itself may be the settings. */
  readonly field: string
  /** The fields to show. */
  readonly shownFields: readonly string[]
  /** Nested fields to leave out. */
  readonly hiddenParts?: Readonly<Record<string, readonly string[]>>
}

const settings = (field: string, { properties }: TObject, ...exclusions: string[]): AuditedSettings => ({
  field,
  shownFields: Object.keys(properties).filter((name) => !exclusions.includes(name)),
})

const mayNameEndUsers = ['filters', 'summary', 'feed', 'search']
const alertState = ['state', 'since', 'checkedAt', 'value', 'samples', 'problem', 'recent']

const prompt = settings('prompt', PromptSummary)
/** Includes the version of each tag. */
const promptSettings = { ...prompt, shownFields: [...prompt.shownFields, 'tags'] }

export const auditedSettings: Readonly<Record<string, AuditedSettings>> = {
  approvals: { field: 'approval', shownFields: ['promptSlug', 'tag', 'from', 'version', 'status', 'tags'] },
  accounts: settings('account', Account, 'name', 'email', 'lastUsedAt'),
  alerts: settings('alert', Alert, ...alertState, ...mayNameEndUsers),
  annotationQueues: settings('queue', AnnotationQueue, 'progress', ...mayNameEndUsers),
  audit: settings('settings', AuditLogSettings),
  channels: settings('channel', Channel),
  connections: settings('connection', Connection),
  dashboards: settings('dashboard', Dashboard, 'charts'),
  datasets: settings('dataset', DatasetSummary),
  evaluators: { ...settings('evaluator', Evaluator), hiddenParts: { liveRule: mayNameEndUsers } },
  experiments: settings('experiment', Experiment),
  features: settings('feature', Feature),
  invitations: settings('invitation', Invitation, 'email'),
  keys: settings('apiKey', ApiKey, 'lastUsedAt'),
  members: settings('member', Member, 'name', 'email'),
  prices: settings('priceOverride', PriceOverride),
  prompts: promptSettings,
  retention: settings('', retention.output),
  rollouts: settings('rollout', Rollout, 'changedByName', 'createdByName', 'endedByName', 'shares'),
  versions: settings('version', PromptVersion, 'createdByName'),
  views: settings('view', View, ...mayNameEndUsers),
  workspaces: settings('workspace', Workspace, 'role'),
}
