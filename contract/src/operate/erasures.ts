/** Erasure of what a workspace has of one end user or one organization (GDPR, Article 17). */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'
import { DeletedRows, deletionFields } from './deletions.ts'

export const subjectTypes = ['user', 'organization'] as const
export type SubjectType = (typeof subjectTypes)[number]

export const Erasure = NamedObject(
  'Erasure',
  'An erasure and its report. It does not name whom it erased; `requestHash` proves that.',
  {
    ...deletionFields,
    subjectType: Type.Enum([...subjectTypes]),
    requestHash: Type.String({
      description:
        'SHA-256, in hexadecimal, of the JSON array of the id of the workspace, `subjectType`, the id of the user or organization and `requestedAt`, without spaces.',
    }),
    found: Nullable(
      DeletedRows(
        'Rows of the subject that the search afterwards found, by place: 0 everywhere. `mentions` counts traces of others whose texts have the id; they stay. `oldParts` counts files of the trace store that the engine has replaced and was still to remove after 20 minutes. Null until the search.',
      ),
    ),
  },
)
export type Erasure = Static<typeof Erasure>

const SubjectId = (description: string) =>
  Absentable(Type.String({ minLength: 1, maxLength: 1024, description }))

const subject = {
  userId: SubjectId('Id of the end user, as in `user.id`. Give this or `organizationId`.'),
  organizationId: SubjectId('Id of the organization, as in `organization.id`.'),
}

export const preview = operation({
  name: 'erasures.preview',
  method: 'POST',
  path: '/erasures/preview',
  summary: 'Counts what an erasure would delete, and deletes nothing.',
  scope: 'manage',
  role: 'admin',
  audit: 'nothing lasting',
  input: Type.Object(subject),
  success: 200,
  output: Type.Object({
    found: DeletedRows('Rows of the subject, by place.'),
    mentions: Type.Integer({
      description: 'Traces of others whose texts have the id. An erasure leaves them.',
    }),
  }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'erasures.create',
  method: 'POST',
  path: '/erasures',
  summary:
    'Erases what the workspace has of an end user or an organization: traces, logs, scores, spans, evaluations, places in annotation queues, rows of datasets made from the traces and their files, results of experiments, responses kept for retries, samples of rejected records, and saved views, dashboards, alerts, feeds and filters of earlier deletions that name the subject. A job carries it out, also after a restart.',
  notes: [
    'It erases what arrived before the request, also what is still in the spool. What arrives later is new data: stop sending it first.',
    'Afterwards it searches for the subject and reports what it found. `GET /erasures/{id}` is the report.',
    'Backups that were made before still have the data.',
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
  summary: 'Returns the report of one erasure, and how far it is.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Type.String({ description: 'Id of the erasure.' }) }),
  success: 200,
  output: Type.Object({ erasure: Erasure }),
  errors: ['deletion_not_found'],
})
