/** How the reference presents each resource: its title, its group, and an introduction to its operations. */
import type { operations } from './operations.ts'

export interface Resource {
  readonly title: string
  readonly group: ResourceGroup
  /** Markdown; links are relative to docs/. */
  readonly introduction: string
}

/** The groups of the table of contents, in its order. */
export const resourceGroups = [
  'Record and observe',
  'Prompts and datasets',
  'Evaluate',
  'Alerts',
  'Workspace and access',
] as const
export type ResourceGroup = (typeof resourceGroups)[number]

/** Every resource, in the order of the reference. */
export const resources: Readonly<Record<keyof typeof operations, Resource>> = {
  monitor: {
    title: 'Monitor',
    group: 'Record and observe',
    introduction:
      'Applications record what they do. [Recording](conventions.md#recording) describes what the service computes and which limits apply.',
  },
  traces: {
    title: 'Traces',
    group: 'Record and observe',
    introduction: 'Recorded traces: lists, searches, counts and exports.',
  },
  logs: {
    title: 'Logs',
    group: 'Record and observe',
    introduction:
      'The logs of a trace that has many: in pages without inputs and outputs, or one at a time in full.',
  },
  conversations: {
    title: 'Conversations',
    group: 'Record and observe',
    introduction: 'Traces with the same `sessionId`: lists of conversations, and each turn of one.',
  },
  users: {
    title: 'Users',
    group: 'Record and observe',
    introduction: 'End users of the traced applications, with their traffic, costs and scores.',
  },
  organizations: {
    title: 'Organizations',
    group: 'Record and observe',
    introduction: 'Organizations of end users, with their traffic, costs and scores.',
  },
  deletions: {
    title: 'Deletions',
    group: 'Record and observe',
    introduction:
      'Deletion of recorded traces. [Deletion and retention](deletion.md) describes what is deleted when.',
  },
  scores: {
    title: 'Scores',
    group: 'Record and observe',
    introduction: 'Scores of traces and logs, by evaluators, people and end users.',
  },
  metrics: {
    title: 'Metrics',
    group: 'Record and observe',
    introduction: 'Measures of traces and logs over time.',
  },
  shares: {
    title: 'Share links',
    group: 'Record and observe',
    introduction:
      'Links with which people without an account can read one trace, masked. [Sharing](sharing.md) describes what they show.',
  },
  comments: {
    title: 'Comments',
    group: 'Record and observe',
    introduction: 'Comments on traces, prompts and experiments by the people of a workspace, with mentions.',
  },
  dashboards: {
    title: 'Dashboards',
    group: 'Record and observe',
    introduction:
      'Charts of metrics, shared by everyone in the workspace. [Dashboards](dashboards.md) describes how to keep them as files.',
  },
  ledger: {
    title: 'Ledger',
    group: 'Record and observe',
    introduction: 'Counts of what the service received and stored.',
  },
  prompts: {
    title: 'Prompts',
    group: 'Prompts and datasets',
    introduction:
      'Prompts have immutable versions and movable tags. [Prompts in the web app](prompts.md) describes how to edit them.',
  },
  versions: {
    title: 'Prompt versions',
    group: 'Prompts and datasets',
    introduction: 'The immutable versions of a prompt.',
  },
  rollouts: {
    title: 'Rollouts',
    group: 'Prompts and datasets',
    introduction:
      'A rollout serves a new prompt version to a percentage of users and compares it with the current one.',
  },
  datasets: {
    title: 'Datasets',
    group: 'Prompts and datasets',
    introduction:
      'Tables of cases. A row keeps every value that a request sends; a value without a column appears once its column exists.',
  },
  datasetVersions: {
    title: 'Dataset versions',
    group: 'Prompts and datasets',
    introduction:
      'Earlier states of a dataset, which stay readable when its rows change. [Datasets](datasets.md#versions) describes when a version is made.',
  },
  files: {
    title: 'Files',
    group: 'Prompts and datasets',
    introduction: 'Files and images that dataset rows refer to.',
  },
  experiments: {
    title: 'Experiments',
    group: 'Evaluate',
    introduction: 'Sets of traces to compare. [Experiments](experiments.md) describes how to compare them.',
  },
  experimentRuns: {
    title: 'Experiment runs',
    group: 'Evaluate',
    introduction:
      'Runs of a prompt version or an endpoint over the rows of a dataset. [Experiments](experiments.md) describes how they work.',
  },
  evaluators: {
    title: 'Evaluators',
    group: 'Evaluate',
    introduction:
      'A model, code, rule or person that judges traces and logs. [Evaluation](evaluation.md) describes each kind.',
  },
  evaluations: {
    title: 'Evaluations',
    group: 'Evaluate',
    introduction: 'The evaluation queue, and the result of each evaluation.',
  },
  annotationQueues: {
    title: 'Annotation queues',
    group: 'Evaluate',
    introduction: 'Queues of traces and logs for people to judge. [Annotation](annotation.md) describes how.',
  },
  alerts: {
    title: 'Alerts',
    group: 'Alerts',
    introduction: 'Thresholds on measures of traces. [Alerts](alerts.md) describes when they fire.',
  },
  channels: {
    title: 'Channels',
    group: 'Alerts',
    introduction: 'Where alerts send their notifications.',
  },
  workspaces: {
    title: 'Workspaces',
    group: 'Workspace and access',
    introduction:
      'A workspace is a tenant. [People](people.md) describes how a request selects its workspace.',
  },
  features: {
    title: 'Features',
    group: 'Workspace and access',
    introduction: 'The parts of a product that traces, prompts and experiments belong to.',
  },
  members: {
    title: 'Members',
    group: 'Workspace and access',
    introduction: 'The people of a workspace and their roles.',
  },
  invitations: {
    title: 'Invitations',
    group: 'Workspace and access',
    introduction: 'Links with which people join a workspace.',
  },
  accounts: {
    title: 'Accounts',
    group: 'Workspace and access',
    introduction:
      'The user accounts of the installation. Operators, the owners of its first workspace, manage them.',
  },
  session: {
    title: 'Current session',
    group: 'Workspace and access',
    introduction: 'Who sends the request.',
  },
  keys: { title: 'API keys', group: 'Workspace and access', introduction: 'Credentials of applications.' },
  connections: {
    title: 'LLM connections',
    group: 'Workspace and access',
    introduction:
      'Keys of model providers. [LLM connections](connections.md) describes how keys are stored and which addresses the service may call.',
  },
  approvals: {
    title: 'Approvals',
    group: 'Prompts and datasets',
    introduction:
      'Protected tags, whose moves someone else has to approve. [Prompts](prompts.md#protected-tags) describes who may do what.',
  },
  replays: {
    title: 'Replays',
    group: 'Prompts and datasets',
    introduction:
      'Recorded calls of a prompt, run again on another version before it is published. [Prompts](prompts.md#replay) describes what is run and judged.',
  },
  playground: {
    title: 'Playground',
    group: 'Workspace and access',
    introduction: 'Runs of prompts, drafts and messages.',
  },
  prices: {
    title: 'Prices',
    group: 'Workspace and access',
    introduction:
      'Prices of models. Prices of the workspace take precedence over the price list, which operators can update without a new release. [Accuracy](accuracy.md) describes how costs are computed.',
  },
  recomputations: {
    title: 'Recomputations',
    group: 'Workspace and access',
    introduction:
      'Recomputation of the costs of recorded traces with another price list: compared first, then applied.',
  },
  masking: {
    title: 'Masking',
    group: 'Workspace and access',
    introduction:
      'Rules that mask personal data before it is stored. [Masking](masking.md) describes where they apply.',
  },
  retention: {
    title: 'Retention',
    group: 'Workspace and access',
    introduction: 'How long the workspace keeps its traces.',
  },
  audit: {
    title: 'Audit log',
    group: 'Workspace and access',
    introduction:
      'Who changed what, who exported data, and who was denied access. [The audit log](audit.md) describes what an entry contains and how long it is kept.',
  },
  erasures: {
    title: 'Erasures',
    group: 'Workspace and access',
    introduction:
      'Erasure of all data of one end user or organization. [Deletion and retention](deletion.md) describes what is deleted when.',
  },
  views: {
    title: 'Saved views',
    group: 'Workspace and access',
    introduction: 'Filters, columns and ranges that the web app saves for everyone in the workspace.',
  },
  jobs: {
    title: 'Jobs',
    group: 'Workspace and access',
    introduction:
      'Background work of the service. A failed job is retried with increasing delays, and becomes a dead letter after its last attempt.',
  },
  addresses: {
    title: 'Addresses',
    group: 'Workspace and access',
    introduction: 'Where applications send their records.',
  },
  capacity: {
    title: 'Capacity',
    group: 'Workspace and access',
    introduction:
      'The free space of a node. [Operations](operations.md#capacity) describes what stops when space runs low, and what helps.',
  },
  exchange: {
    title: 'Exchange',
    group: 'Workspace and access',
    introduction:
      'Export and import of whole workspaces. [Import and export](import-export.md) describes the bundle.',
  },
}
