/** Fetching and managing prompts. Their versions are in versions.ts. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  Slug,
  Warning,
} from '../interface/shapes.ts'
import { Model, promptExtras } from './version-content.ts'

/** The tag that the service serves if a request names none. */
export const productionTag = 'production'
/** The tag that the service itself moves to the version created last. */
export const latestTag = 'latest'

export const Prompt = NamedObject('Prompt', 'A prompt with the version to run now.', {
  text: Type.String({ description: 'Prompt text: a Jinja template, as written.' }),
  systemText: Type.String({ description: 'System prompt text; "" if none.' }),
  version: Type.String({ description: 'Prompt version.' }),
  tag: Type.String({ description: 'The tag served; "" if none.' }),
  slug: Type.String({ description: 'Prompt slug.' }),
  model: Model,
  ...promptExtras,
})
export type Prompt = Static<typeof Prompt>

const Folder = Type.String({
  maxLength: 200,
  pattern: '^(?:[^/\\s](?:[^/]*[^/\\s])?(?:/[^/\\s](?:[^/]*[^/\\s])?)*)?$',
  description: 'A path, such as `support/refunds`; "" for none.',
})

export const PromptSummary = NamedObject('PromptSummary', 'A prompt in the list.', {
  slug: Type.String(),
  name: Type.String(),
  status: Type.Enum(['live', 'draft'], {
    description: '`live` when a version carries the tag `production`.',
  }),
  description: Type.String({ description: '"" if none.' }),
  availableVersions: Type.Array(Type.String(), { description: 'Newest first.' }),
  availableTags: Type.Array(Type.String()),
  featureSlug: Type.Optional(Type.String({ description: 'The feature it belongs to.' })),
  folder: Type.Optional(Type.String({ description: 'Its folder, such as `support/refunds`.' })),
  archivedAt: Type.Optional(Instant('When it was archived; absent while it is in use.')),
})
export type PromptSummary = Static<typeof PromptSummary>

const TemplateVariable = NamedObject('TemplateVariable', 'A variable that a template uses.', {
  label: Type.String(),
  type: Type.String({ description: 'string, boolean, array or object, inferred from the template.' }),
  description: Type.Optional(Type.String()),
})

const PromptSlug = Slug('Slug of the prompt.')
const which = {
  version: Type.Optional(Type.String({ description: 'Filter by version; it takes precedence over `tag`.' })),
  tag: Type.Optional(Type.String({ description: 'Filter by tag; `production` if neither is given.' })),
}

/** The rollout that decides between two versions. */
export const ServedRollout = NamedObject(
  'ServedRollout',
  'The running rollout of the requested tag. Clients that cache prompts use it to select the version themselves.',
  {
    id: Type.String(),
    share: Type.Number({ description: 'Fraction of targeting keys that get the candidate, 0 to 1.' }),
    candidateVersion: Type.String(),
  },
)
export type ServedRollout = Static<typeof ServedRollout>

export const list = operation({
  name: 'prompts.list',
  method: 'GET',
  path: '/prompts',
  summary: 'Lists prompts; without a `limit`, all of them. Archived prompts are listed only on request.',
  notes: ['The response has an `ETag`. A request with it (or `*`) in `If-None-Match` gets 304.'],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    featureSlug: Type.Optional(Type.String({ description: 'Only the prompts of this feature.' })),
    folder: Type.Optional(
      Type.String({ description: 'Only the prompts in this folder and its subfolders.' }),
    ),
    archived: Type.Optional(Type.Boolean({ description: 'Lists archived prompts instead of active ones.' })),
    limit: Limit('Page size; all by default.'),
    cursor: Cursor,
  }),
  ignoresUnknownQuery: true,
  success: 200,
  output: Type.Object({ prompts: Type.Array(PromptSummary), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'prompts.get',
  method: 'GET',
  path: '/prompts/{slug}',
  summary: 'Returns the version to run now: the requested one, else the one in production.',
  notes: [
    'The response has an `ETag`. A request with it (or `*`) in `If-None-Match` gets 304.',
    'If no version can be served, the response is 404.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    ...which,
    targetingKey: Type.Optional(
      Type.String({
        description:
          'Who the prompt is for, such as a user id. It selects the version while a rollout of the tag runs; without it, the response is the version that carries the tag.',
      }),
    ),
  }),
  ignoresUnknownQuery: true,
  success: 200,
  output: Type.Object({
    prompt: Prompt,
    warning: Warning,
    rollout: Type.Optional(ServedRollout),
  }),
  errors: ['invalid_request', 'prompt_not_found', 'prompt_not_served'],
})

export const describe = operation({
  name: 'prompts.describe',
  method: 'GET',
  path: '/prompts/{slug}/describe',
  summary:
    'Returns the summary of a prompt, with the variables of the version that `prompts.get` would return.',
  notes: ['If no version can be served, the response is 200 with "" as the version and without variables.'],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: Type.String({ description: 'Slug of the prompt.' }), ...which }),
  success: 200,
  output: Type.Object({
    prompt: Type.Object({
      ...PromptSummary.properties,
      version: Type.String({ description: 'The version described; "" if none can be served.' }),
      tag: Type.String({ description: 'The tag served; "" if none.' }),
      variables: Type.Array(TemplateVariable),
    }),
    warning: Warning,
  }),
  errors: ['invalid_request', 'prompt_not_found'],
})

export const create = operation({
  name: 'prompts.create',
  method: 'POST',
  path: '/prompts',
  summary: 'Creates a prompt without versions.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: PromptSlug,
    name: Type.String({ minLength: 1, description: 'Name of the prompt.' }),
    description: Absentable(Type.String({ description: 'What the prompt is for.' })),
    featureSlug: Absentable(Type.String({ description: 'The feature it belongs to.' })),
    folder: Absentable(Folder),
  }),
  success: 201,
  output: Type.Object({ prompt: PromptSummary }),
  errors: ['invalid_request', 'feature_not_found', 'already_exists'],
})

export const archive = operation({
  name: 'prompts.archive',
  method: 'POST',
  path: '/prompts/{slug}/archive',
  summary: 'Archives a prompt: it is no longer listed, but applications can still fetch it.',
  notes: ['The prompt keeps its slug.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: Type.String({ description: 'Slug of the prompt.' }) }),
  success: 200,
  output: Type.Object({ prompt: PromptSummary }),
  errors: ['prompt_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'prompts.delete',
  method: 'DELETE',
  path: '/prompts/{slug}',
  summary:
    'Deletes an archived prompt with its versions, tags, rollouts and fetch counts. Applications that fetch it get 404. Its traces stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: Type.String({ description: 'Slug of the prompt.' }) }),
  success: 204,
  output: null,
  errors: ['prompt_not_found', 'prompt_in_use'],
})

export { remove as delete }

const DeploymentTag = NamedObject('DeploymentTag', 'A tag and the version that carries it.', {
  id: Type.String(),
  label: Type.String({ description: 'The tag.' }),
})

export const update = operation({
  name: 'prompts.update',
  method: 'PATCH',
  path: '/prompts/{slug}',
  summary:
    'Changes the name, the description, the feature or the folder of a prompt. Its versions stay as they are.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    name: Absentable(Type.String({ minLength: 1, description: 'Its new name.' })),
    description: Absentable(Type.String({ description: 'What the prompt is for.' })),
    featureSlug: Absentable(Type.String({ description: 'Its new feature; "" for none.' })),
    folder: Absentable(Folder),
  }),
  success: 200,
  output: Type.Object({ prompt: PromptSummary }),
  errors: ['invalid_request', 'prompt_not_found', 'feature_not_found'],
})

export const restore = operation({
  name: 'prompts.restore',
  method: 'POST',
  path: '/prompts/{slug}/restore',
  summary: 'Returns an archived prompt to the list. Restoring twice changes nothing.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: Type.String({ description: 'Slug of the prompt.' }) }),
  success: 200,
  output: Type.Object({ prompt: PromptSummary }),
  errors: ['prompt_not_found'],
})

export const publish = operation({
  name: 'prompts.publish',
  method: 'POST',
  path: '/prompts/{slug}/publish',
  summary: 'Moves a tag to a version, selected by its name or by a tag that it already carries.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    newTag: Type.String({ minLength: 1, maxLength: 128, description: 'The tag to move; never `latest`.' }),
    version: Absentable(
      Type.String({ description: 'The version that gets the tag; it takes precedence over `tag`.' }),
    ),
    tag: Absentable(Type.String({ description: 'Selects the version that carries this tag.' })),
  }),
  success: 201,
  output: Type.Object({ deploymentTag: DeploymentTag }),
  errors: ['invalid_request', 'prompt_not_found', 'version_not_found', 'tag_protected'],
})

export const TagMove = NamedObject('TagMove', 'One move of a tag.', {
  tag: Type.String(),
  from: Type.Optional(
    Type.String({ description: 'The version that carried it before; absent the first time.' }),
  ),
  to: Type.String({ description: 'The version that carries it now.' }),
  movedBy: Type.Optional(
    Type.String({ description: 'Id of the API key or person that moved it; absent if the service did.' }),
  ),
  movedByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
  movedAt: Instant('When it moved.'),
})
export type TagMove = Static<typeof TagMove>

export const history = operation({
  name: 'prompts.history',
  method: 'GET',
  path: '/prompts/{slug}/history',
  summary: 'Lists every move of every tag of a prompt, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: Type.String({ description: 'Slug of the prompt.' }) }),
  success: 200,
  output: Type.Object({ moves: Type.Array(TagMove) }),
  errors: ['prompt_not_found'],
})

const DiffLine = NamedObject('DiffLine', 'One line of a comparison.', {
  change: Type.Enum(['same', 'added', 'removed']),
  line: Type.String(),
})

export const diff = operation({
  name: 'prompts.diff',
  method: 'GET',
  path: '/prompts/{slug}/diff',
  summary: 'Compares two versions line by line: text, system text and model.',
  notes: [
    'If a version and a tag have the same name, the version is compared.',
    'If more than about a thousand lines changed, or the comparison would take too long, which can happen from a few hundred changes on, all old lines are `removed` and all new lines `added`.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    from: Type.String({ description: 'The older version, or a tag.' }),
    to: Type.String({ description: 'The newer version, or a tag.' }),
  }),
  success: 200,
  output: Type.Object({
    from: Type.String({ description: 'The older version.' }),
    to: Type.String({ description: 'The newer version.' }),
    text: Type.Array(DiffLine),
    systemText: Type.Array(DiffLine),
    model: Type.Array(DiffLine, { description: 'The model configuration as indented JSON.' }),
  }),
  errors: ['invalid_request', 'prompt_not_found', 'version_not_found'],
})

const Fetches = {
  count: Type.Integer({
    description: 'Number of fetches; clients that cache prompts fetch once a minute.',
  }),
  lastAt: Nullable(Instant('Time of the last fetch.')),
}

export const VersionUsage = NamedObject('VersionUsage', 'Usage of one version of a prompt.', {
  version: Type.String(),
  tags: Type.Array(Type.String(), { description: 'Tags it carries now.' }),
  fetches: Type.Object({
    ...Fetches,
    keys: Type.Array(
      Type.Object({
        apiKeyId: Type.String(),
        apiKeyName: Type.Optional(Type.String({ description: 'Name of the key.' })),
        tag: Type.String({ description: 'The requested tag; "" if the request named a version.' }),
        ...Fetches,
      }),
      { description: 'Fetches by API key and tag, most recent first.' },
    ),
  }),
  traces: Type.Object({
    count: Type.Integer({ description: 'Number of traces that used it.' }),
    lastAt: Nullable(Instant('Start of the latest of them.')),
    keys: Type.Array(
      Type.Object({
        apiKeyId: Type.String(),
        apiKeyName: Type.Optional(Type.String({ description: 'Name of the key.' })),
        count: Type.Integer({ description: 'Traces.' }),
        lastAt: Instant('Start of the latest of them.'),
      }),
      { description: 'Traces by the API key that recorded them, most recent first.' },
    ),
  }),
  firstSeenAt: Nullable(Instant('The first fetch or trace.')),
  lastSeenAt: Nullable(Instant('The last fetch or trace.')),
})
export type VersionUsage = Static<typeof VersionUsage>

export const usage = operation({
  name: 'prompts.usage',
  method: 'GET',
  path: '/prompts/{slug}/usage',
  summary:
    'Returns how each version is used: which API keys fetched it, and which traces used it. Fetches are counted per hour, and the counts are kept for 90 days.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    from: Type.Optional(
      Type.String({ description: 'Start of the range, inclusive; ISO 8601. A week ago by default.' }),
    ),
    to: Type.Optional(Type.String({ description: 'End of the range, exclusive; ISO 8601. Now by default.' })),
  }),
  success: 200,
  output: Type.Object({
    versions: Type.Array(VersionUsage, {
      description: 'Versions that were used or carry a tag, newest first.',
    }),
  }),
  errors: ['invalid_request', 'prompt_not_found'],
})
