/** Erasure of all data of one end user or organization in a workspace (GDPR, Article 17). */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'
import { DeletedRows, deletionFields } from './deletions.ts'

export const subjectTypes = ['user', 'organization'] as const
export type SubjectType = (typeof subjectTypes)[number]

export const Erasure = NamedObject(
  'Erasure',
  'An erasure and its report. It does not name the erased subject; `requestHash` proves who it was.',
  {
    ...deletionFields,
    subjectType: Type.Enum([...subjectTypes]),
    requestHash: Type.String({
      description:
        'SHA-256, in hexadecimal, of the JSON array of the workspace id, `subjectType`, the id of the user or organization, and `requestedAt`, without spaces.',
    }),
    found: Nullable(
      DeletedRows(
        'Rows of the subject that a search after the erasure found, by place; 0 is expected everywhere. `mentions` counts traces of others whose texts contain the id; they stay. `oldParts` counts files of the trace store that the engine has replaced but had not removed after 20 minutes. Null until the search.',
      ),
    ),
  },
)
export type Erasure = Static<typeof Erasure>

const SubjectId = (description: string) =>
  Absentable(Type.String({ minLength: 1, maxLength: 1024, description }))

const subject = {
  userId: SubjectId('Id of the end user, as in `user.id`. Send either this or `organizationId`.'),
  organizationId: SubjectId('Id of the organization, as in `organization.id`.'),
}

export const preview = operation({
  name: 'erasures.preview',
  method: 'POST',
  path: '/erasures/preview',
  summary: 'Counts what an erasure would delete, without deleting anything.',
  scope: 'manage',
  role: 'admin',
  audit: 'nothing lasting',
  input: Type.Object(subject),
  success: 200,
  output: Type.Object({
    found: DeletedRows('Rows of the subject, by place.'),
    mentions: Type.Integer({
      description: 'Number of traces of others whose texts contain the id. An erasure keeps them.',
    }),
  }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'erasures.create',
  method: 'POST',
  path: '/erasures',
  summary:
    'Erases all data of an end user or an organization in the workspace: traces, logs, scores, spans, evaluations, items in annotation queues, dataset rows made from the traces and their files, results of experiments, responses kept for retries, samples of rejected records, and saved views, dashboards, alerts, feeds and filters of earlier deletions that name the subject. A job does this, and continues after a restart.',
  notes: [
    'It erases data that arrived before the request, including records that are still in the spool. Data that arrives later is not erased, so stop sending it first.',
    'Afterwards, it searches for the subject and reports what it found. `GET /erasures/{id}` returns the report.',
    'Backups made earlier still contain the data.',
  ],
  scope: 'manage',
  role: 'admin',
  input: Type.Object(subject),
  success: 201,
  output: Type.Object({ erasure: Erasure }),
  errors: ['invalid_request'],
})

export const list = operation({
  name: 'erasures.list',
  method: 'GET',
  path: '/erasures',
  summary: 'Lists erasures with their reports, latest first.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ limit: Limit('Page size; 50 by default.'), cursor: Cursor }),
  success: 200,
  output: Type.Object({ erasures: Type.Array(Erasure), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'erasures.get',
  method: 'GET',
  path: '/erasures/{id}',
  summary: 'Returns the report of one erasure, with its progress.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Type.String({ description: 'Id of the erasure.' }) }),
  success: 200,
  output: Type.Object({ erasure: Erasure }),
  errors: ['deletion_not_found'],
})
