/** How the reference presents each resource: its title, the group it stands in, and what its operations share. */
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
      'The logs of a trace that has many: in pages without their inputs and outputs, and each one whole.',
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
      'Deletion of recorded traces. [Deletion and retention](deletion.md) describes what goes when.',
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
      'Links by which somebody without an account reads one trace, masked. [Sharing](sharing.md) describes what they show.',
  },
  comments: {
    title: 'Comments',
    group: 'Record and observe',
    introduction:
      'What the people of a workspace say of traces, prompts and experiments, and whom they mention.',
  },
  dashboards: {
    title: 'Dashboards',
    group: 'Record and observe',
    introduction:
      'Charts of metrics that people arrange for everyone in the workspace. [Dashboards](dashboards.md) describes how to keep them as files.',
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
      'A rollout serves a new version of a prompt to a percentage of users and compares it with the current one.',
  },
  datasets: {
    title: 'Datasets',
    group: 'Prompts and datasets',
    introduction:
      'Tables of cases. A row keeps every value that a request sends; a value without a column shows once that column exists.',
  },
  datasetVersions: {
    title: 'Dataset versions',
    group: 'Prompts and datasets',
    introduction:
      'What a dataset was stays readable when its rows change. [Datasets](datasets.md#versions) describes when one is made.',
  },
  files: {
    title: 'Files',
    group: 'Prompts and datasets',
    introduction: 'Files and images that rows of datasets refer to.',
  },
  experiments: {
    title: 'Experiments',
    group: 'Evaluate',
    introduction: 'Sets of traces to compare. [Experiments](experiments.md) describes how.',
  },
  experimentRuns: {
    title: 'Experiment runs',
    group: 'Evaluate',
    introduction:
      'A prompt version or an endpoint over the rows of a dataset. [Experiments](experiments.md) describes how.',
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
    introduction: 'The queue of judgements, and what became of each.',
  },
  annotationQueues: {
    title: 'Annotation queues',
    group: 'Evaluate',
    introduction: 'Traces and logs that people judge. [Annotation](annotation.md) describes how.',
  },
  alerts: {
    title: 'Alerts',
    group: 'Alerts',
    introduction: 'Limits on measures of traces. [Alerts](alerts.md) describes when they fire.',
  },
  channels: {
    title: 'Channels',
    group: 'Alerts',
    introduction: 'Where alerts send their messages.',
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
    introduction: 'Links by which people join a workspace.',
  },
  accounts: {
    title: 'Accounts',
    group: 'Workspace and access',
    introduction:
      'The user accounts of the installation. Operators manage them: the owners of its first workspace.',
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
      'Protected tags, and moves of them that somebody else approves. [Prompts](prompts.md#protected-tags) describes who may do what.',
  },
  replays: {
    title: 'Replays',
    group: 'Prompts and datasets',
    introduction:
      'Recorded calls of a prompt, run on another version before it is published. [Prompts](prompts.md#replay) describes what is run and judged.',
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
      'What models cost. Prices of the workspace take precedence over the price list, which operators update without a release. [Accuracy](accuracy.md) describes how costs are made.',
  },
  recomputations: {
    title: 'Recomputations',
    group: 'Workspace and access',
    introduction: 'Costs of recorded traces by another price list: compared first, then applied.',
  },
  masking: {
    title: 'Masking',
    group: 'Workspace and access',
    introduction:
      'Rules that mask personal data before it is stored. [Masking](masking.md) describes what they apply to.',
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
      'Who changed what, who exported data, and who was refused. [The audit log](audit.md) describes what an entry has and how long it is kept.',
  },
  erasures: {
    title: 'Erasures',
    group: 'Workspace and access',
    introduction:
      'Erasure of what the workspace has of one end user or organization. [Deletion and retention](deletion.md) describes what goes when.',
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
      'Work that the service does beside requests. A job that fails is retried with growing pauses, and becomes a dead letter after its last attempt.',
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
      'The free space of a node. [Operations](operations.md#capacity) describes what stops when, and what helps.',
  },
  exchange: {
    title: 'Exchange',
    group: 'Workspace and access',
    introduction:
      'Export and import of whole workspaces. [Import and export](import-export.md) describes the bundle.',
  },
}
