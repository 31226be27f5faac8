/** The tools of an agent: operations of the interface, named and described for a model that chooses among them. */
import { type Operation, operations } from '@plumbline/contract'
import { shapeTrace } from './shape-trace.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  /** For the model: when to use it, and what it returns. */
  readonly description: string
  readonly operation: Operation
  /** Fields of the operation that an agent does not need, or must not set. */
  readonly hiddenFields?: readonly string[]
  /** Values for fields that the agent does not send. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Selects the part of the response that the model sees; all of it if absent. */
  readonly shape?: (answer: unknown) => unknown
}

export const tools: readonly Tool[] = [
  {
    name: 'search_traces',
    title: 'Search traces',
    description:
      'Lists runs of the application, newest first, by any filters together: full text (q), feature, user, model, errors, cost, duration, time, metadata. Gives a summary of each with the beginning of its input and output; open_trace shows the rest.',
    operation: operations.traces.list,
    defaults: { limit: 20 },
  },
  {
    name: 'open_trace',
    title: 'Open a trace',
    description:
      'One run with its logs (model calls, tools, retrievals ...), their nesting by parentId, tokens, cost, errors and scores. Of many logs the values are left out: find_logs searches them, open_log shows one.',
    operation: operations.traces.outline,
    shape: shapeTrace,
  },
  {
    name: 'find_logs',
    title: 'Find logs in a trace',
    description:
      'The logs of one run in pages, without their values: all of them, or those with all words of q in their name, type, model, error, input or output.',
    operation: operations.logs.list,
    hiddenFields: ['costDetail'],
    defaults: { limit: 50 },
  },
  {
    name: 'open_log',
    title: 'Open a log',
    description: 'One log of a run with all its values.',
    operation: operations.logs.get,
  },
  {
    name: 'list_conversations',
    title: 'List conversations',
    description:
      'Sessions of users with the application, the latest first, by the filters of search_traces: turns, errors, cost, and how each began and ended.',
    operation: operations.conversations.list,
    defaults: { limit: 20 },
  },
  {
    name: 'open_conversation',
    title: 'Open a conversation',
    description:
      'What was said in one session, turn by turn, with errors, costs and scores; the id of a turn opens it with open_trace.',
    operation: operations.conversations.get,
    defaults: { limit: 20 },
  },
  {
    name: 'count_values',
    title: 'Count values of a field',
    description:
      'Which features, models, users, names ... runs have, with counts, to find out which values can be used in filters.',
    operation: operations.traces.facets,
  },
  {
    name: 'query_metrics',
    title: 'Query metrics',
    description:
      'Counts, costs, tokens, latency percentiles, error rates and mean scores of runs, by dimensions and over time. Hours, days, weeks and months are in UTC unless timeZone names another zone.',
    operation: operations.metrics.query,
  },
  {
    name: 'explain_change',
    title: 'Explain a change',
    description:
      'Why a cost, a count, a latency or an error rate of a period differs from the period before: which features, models, users, prompt versions ... account for it, and for how much.',
    operation: operations.metrics.explain,
  },
  {
    name: 'list_prompts',
    title: 'List prompts',
    description: 'The prompts, with their versions and tags.',
    operation: operations.prompts.list,
    defaults: { limit: 100 },
  },
  {
    name: 'get_prompt',
    title: 'Get a prompt',
    description:
      'The text, system text, model and parameters of a prompt: of the given version or tag, by default of the version in production.',
    operation: operations.prompts.get,
  },
  {
    name: 'list_prompt_versions',
    title: 'List versions of a prompt',
    description: 'The versions of a prompt, newest first, with their texts, models and tags.',
    operation: operations.versions.list,
    defaults: { limit: 20 },
  },
  {
    name: 'compare_prompt_versions',
    title: 'Compare two versions of a prompt',
    description:
      'What changed between two versions or tags of a prompt: text, system text and model, by line.',
    operation: operations.prompts.diff,
  },
  {
    name: 'get_prompt_history',
    title: 'Get the history of a prompt',
    description: 'Which tag was moved to which version of a prompt, when and by whom.',
    operation: operations.prompts.history,
  },
  {
    name: 'list_datasets',
    title: 'List datasets',
    description: 'The datasets: cases with inputs and ideal outputs, to test the application with.',
    operation: operations.datasets.list,
  },
  {
    name: 'read_dataset',
    title: 'Read a dataset',
    description:
      'The rows of a dataset, in pages: values by column, and the ideal output where there is one.',
    operation: operations.datasets.rows,
    defaults: { limit: 50 },
  },
  {
    name: 'list_experiments',
    title: 'List experiments',
    description: 'The experiments: sets of runs to compare, by feature.',
    operation: operations.experiments.list,
    defaults: { limit: 50 },
  },
  {
    name: 'compare_experiments',
    title: 'Compare experiments',
    description:
      'Scores, cost and latency of two or more experiments against a baseline: means with confidence intervals, then case by case, regressions first.',
    operation: operations.experiments.compare,
    defaults: { limit: 10 },
  },
  {
    name: 'list_scores',
    title: 'List scores',
    description: 'The scores of runs, with their reasons, newest first.',
    operation: operations.scores.list,
    defaults: { limit: 50 },
  },
  {
    name: 'list_evaluators',
    title: 'List evaluators',
    description: 'The evaluators that judge outputs, and how they do it.',
    operation: operations.evaluators.list,
  },
  {
    name: 'list_features',
    title: 'List features',
    description: 'The features of the application that runs belong to.',
    operation: operations.features.list,
  },
  {
    name: 'score_trace',
    title: 'Score a trace',
    description: 'Gives a run, or one of its logs, a score with a reason.',
    operation: operations.scores.create,
    hiddenFields: ['userId', 'createdAt'],
  },
  {
    name: 'add_dataset_row',
    title: 'Add a row to a dataset',
    description:
      'Adds a case to a dataset, such as the input of a run that went wrong with the output that was expected. read_dataset shows the columns.',
    operation: operations.datasets.add,
  },
  {
    name: 'propose_prompt_version',
    title: 'Propose a version of a prompt',
    description:
      'Adds a version to a prompt for people to review. It carries only the tag latest, so the version served in production does not change. Say in message why it is better.',
    operation: operations.versions.create,
    hiddenFields: ['tags', 'version'],
  },
]
