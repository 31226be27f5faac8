/** The content of a prompt version besides its texts: a model, and messages. */
import { type Static, Type } from 'typebox'
import { Absentable, AnyJson, FreeObject, NamedObject } from '../interface/shapes.ts'

const optionalParameters = {
  frequencyPenalty: Type.Optional(Type.Number()),
  presencePenalty: Type.Optional(Type.Number()),
  topK: Type.Optional(Type.Number()),
  jsonObject: Type.Optional(AnyJson('The JSON schema of a `json_schema` response format.')),
  tools: Type.Optional(AnyJson('Tools the model may call.')),
  toolChoice: Type.Optional(AnyJson('Which tool the model must call.')),
  reasoningEffort: Type.Optional(Type.String()),
  verbosity: Type.Optional(Type.String()),
}

const ModelParameters = NamedObject('ModelParameters', 'Parameters of a model call.', {
  temperature: Type.Number({ description: 'Default 1.' }),
  topP: Type.Number({ description: 'Default 1.' }),
  maxLength: Type.Number({ description: 'Maximum number of output tokens; default 4096.' }),
  responseFormat: Type.String({ description: '`text` (the default), `json_object` or `json_schema`.' }),
  ...optionalParameters,
})

export const Model = NamedObject('Model', 'Model configuration of a prompt version.', {
  provider: Type.String({
    description:
      'Provider that serves the model, such as open-ai, anthropic, hugging-face, mistral, gemini, azure, bedrock, xai or deepseek; "" if none.',
  }),
  client: Type.String({ description: 'Client library that calls it; "" if none.' }),
  model: Type.String({ description: 'Model name; "" if none.' }),
  version: Type.String({ description: 'Model version; "" if none.' }),
  parameters: ModelParameters,
})
export type Model = Static<typeof Model>

/** A model configuration in requests: fields with a default may be left out. */
export const ModelInput = NamedObject('ModelInput', 'Model configuration of a new prompt version.', {
  provider: Absentable(Type.String()),
  client: Absentable(Type.String()),
  model: Absentable(Type.String()),
  version: Absentable(Type.String()),
  parameters: Absentable(
    Type.Object({
      temperature: Absentable(Type.Number()),
      topP: Absentable(Type.Number()),
      maxLength: Absentable(Type.Number()),
      responseFormat: Absentable(Type.Enum(['text', 'json_object', 'json_schema'])),
      frequencyPenalty: Absentable(Type.Number()),
      presencePenalty: Absentable(Type.Number()),
      topK: Absentable(Type.Number()),
      jsonObject: Type.Optional(AnyJson('The JSON schema of a `json_schema` response format.')),
      tools: Type.Optional(AnyJson('Tools the model may call.')),
      toolChoice: Type.Optional(AnyJson('Which tool the model must call.')),
      reasoningEffort: Absentable(Type.String()),
      verbosity: Absentable(Type.String()),
    }),
  ),
})
export type ModelInput = Static<typeof ModelInput>

export const PromptMessage = NamedObject(
  'PromptMessage',
  'A message of a prompt: a role and a template, or a placeholder where the caller inserts messages.',
  {
    role: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Role, such as `system`, `user` or `assistant`.',
      }),
    ),
    content: Type.Optional(Type.String({ description: 'Its text: a Jinja template.' })),
    placeholder: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Label of the variable with the messages to insert.',
      }),
    ),
  },
)
export type PromptMessage = Static<typeof PromptMessage>

/** The optional fields of a version besides its texts. */
export const promptExtras = {
  messages: Type.Optional(
    Type.Array(PromptMessage, {
      description:
        'The messages, if the version was created from messages. `text` and `systemText` are then empty, unless the messages are one user text with at most one system text before it.',
    }),
  ),
  config: Type.Optional(FreeObject('Settings of your application, as sent.')),
}
