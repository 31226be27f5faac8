/** Channels: the targets of alert notifications. */
import { type Static, Type } from 'typebox'
import { emailPattern } from '../accounts/invitations.ts'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject, Nullable } from '../interface/shapes.ts'

export const channelTypes = ['webhook', 'slack', 'email'] as const
export type ChannelType = (typeof channelTypes)[number]

const Id = Type.String({ description: 'Id of the channel.' })
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, unique in the workspace.' })
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'URL of a webhook, or of an incoming webhook of Slack, Mattermost or Discord (`…/slack`). It is stored encrypted and never returned.',
})
const To = Type.Array(Type.String({ pattern: emailPattern, maxLength: 320 }), {
  minItems: 1,
  maxItems: 20,
  description: 'E-mail addresses.',
})
const Secret = Type.String({
  description:
    'The secret with which a receiver verifies the signature of messages, following the Standard Webhooks specification (`whsec_…`). It is returned only in this response.',
})

/** The events that a channel can subscribe to, besides the alerts that name it. */
const channelEvents = ['prompt.published'] as const

const Events = Type.Array(Type.Enum([...channelEvents]), {
  uniqueItems: true,
  description:
    'Events that it is notified of, in addition to alerts. `prompt.published`: a prompt tag other than `latest` moved to another version.',
})

export const Channel = NamedObject('Channel', 'A target for messages about alerts and events.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  type: Type.Enum([...channelTypes], { description: '`webhook` messages are signed.' }),
  target: Type.String({
    description: 'Its target: the e-mail addresses, or the host and the end of the URL.',
  }),
  isEnabled: Type.Boolean({ description: 'Whether messages are sent.' }),
  problem: Nullable(Type.String({ description: 'Why the service disabled it; null if it did not.' })),
  alerts: Type.Integer({ description: 'Number of alerts that use it.' }),
  events: Events,
  createdAt: Instant('When it was created.'),
})
export type Channel = Static<typeof Channel>

export const list = operation({
  name: 'channels.list',
  method: 'GET',
  path: '/channels',
  summary: 'Lists the channels of the workspace, by name, without their addresses and secrets.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({
    channels: Type.Array(Channel),
    sendsEmail: Type.Boolean({ description: 'Whether the operator has configured an e-mail server.' }),
  }),
  errors: [],
})

export const create = operation({
  name: 'channels.create',
  method: 'POST',
  path: '/channels',
  summary: 'Creates a channel.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    name: Name,
    type: Type.Enum([...channelTypes], { description: 'How its messages are sent.' }),
    url: Absentable(Url),
    to: Absentable(To),
    events: Absentable(Events),
  }),
  success: 201,
  secretOutput: true,
  output: Type.Object({ channel: Channel, secret: Nullable(Secret) }),
  errors: ['invalid_request', 'already_exists'],
})

export const update = operation({
  name: 'channels.update',
  method: 'PATCH',
  path: '/channels/{id}',
  summary: 'Renames a channel, changes its target, or stops and resumes its messages.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    id: Id,
    name: Absentable(Name),
    url: Absentable(Url),
    to: Absentable(To),
    isEnabled: Absentable(Type.Boolean({ description: 'Whether messages are sent.' })),
    events: Absentable(Events),
  }),
  success: 200,
  output: Type.Object({ channel: Channel }),
  errors: ['invalid_request', 'channel_not_found', 'already_exists'],
})

export const rotate = operation({
  name: 'channels.rotate',
  method: 'POST',
  path: '/channels/{id}/rotate',
  summary:
    'Replaces the secret of a webhook. For one day, messages are also signed with the old secret, so that receivers can switch.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Id }),
  success: 200,
  secretOutput: true,
  output: Type.Object({ channel: Channel, secret: Secret }),
  errors: ['invalid_request', 'channel_locked', 'channel_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'channels.delete',
  method: 'DELETE',
  path: '/channels/{id}',
  summary: 'Deletes a channel. Alerts stop using it, and its pending messages are dropped.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Id }),
  success: 204,
  output: null,
  errors: ['channel_not_found'],
})

export { remove as delete }

export const test = operation({
  name: 'channels.test',
  method: 'POST',
  path: '/channels/{id}/test',
  summary: 'Sends a test message now, and returns the response of the receiver.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Id }),
  success: 200,
  output: Type.Object({
    works: Type.Boolean(),
    durationMs: Type.Number(),
    answer: Nullable(Type.String({ description: 'The response of the receiver; null if there was none.' })),
    problem: Nullable(Type.String({ description: 'What went wrong; null if nothing did.' })),
  }),
  errors: ['channel_locked', 'channel_not_found'],
})
