/** The immutable versions of a prompt. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  FreeObject,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
} from '../interface/shapes.ts'
import { Model, ModelInput, PromptMessage, promptExtras } from './version-content.ts'

export const PromptVersion = NamedObject('PromptVersion', 'One immutable text of a prompt.', {
  version: Type.String(),
  text: Type.String(),
  systemText: Type.String({ description: '"" if none.' }),
  model: Model,
  ...promptExtras,
  tags: Type.Array(Type.String(), { description: 'Tags it carries now.' }),
  message: Type.Optional(Type.String({ description: 'Why this version was made.' })),
  createdAt: Instant('When it was created.'),
  createdBy: Type.Optional(Type.String({ description: 'Id of the API key or person that created it.' })),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
})
export type PromptVersion = Static<typeof PromptVersion>

export const list = operation({
  name: 'versions.list',
  method: 'GET',
  path: '/prompts/{slug}/versions',
  summary: 'Lists the versions of a prompt, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ versions: Type.Array(PromptVersion), nextCursor: NextCursor }),
  errors: ['invalid_request', 'prompt_not_found'],
})

export const get = operation({
  name: 'versions.get',
  method: 'GET',
  path: '/prompts/{slug}/versions/{version}',
  summary: 'Returns one version of a prompt.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    version: Type.String({ description: 'The version.' }),
  }),
  success: 200,
  output: Type.Object({ version: PromptVersion }),
  errors: ['prompt_not_found', 'version_not_found'],
})

export const create = operation({
  name: 'versions.create',
  method: 'POST',
  path: '/prompts/{slug}/versions',
  summary:
    'Creates a version of a prompt. The tag `latest` and the tags in the request move to it. Templates that can never be rendered are rejected.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the prompt.' }),
    text: Absentable(
      Type.String({ description: 'Prompt text: a Jinja template. Required without `messages`.' }),
    ),
    systemText: Absentable(Type.String({ description: 'System prompt text.' })),
    messages: Absentable(
      Type.Array(PromptMessage, {
        minItems: 1,
        maxItems: 1000,
        description: 'The prompt as messages, instead of `text` and `systemText`.',
      }),
    ),
    model: Absentable(ModelInput),
    config: Absentable(FreeObject('Settings of your application; the service returns them unchanged.')),
    version: Absentable(
      Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: '^[^\\s\\u0000-\\u001f\\u007f]+$',
        description:
          'Its name, which must not be a tag of the prompt or a protected tag; when absent, the next patch of the newest semantic version.',
      }),
    ),
    tags: Absentable(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        description: 'Tags to move to it; never `latest`.',
      }),
    ),
    message: Absentable(Type.String({ description: 'Why this version was made.' })),
  }),
  success: 201,
  output: Type.Object({ version: PromptVersion }),
  errors: ['invalid_request', 'prompt_not_found', 'already_exists', 'tag_protected'],
})
