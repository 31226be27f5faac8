/** Saved views: a named page of the web app with its filters, columns and range. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject } from '../interface/shapes.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Name of the view.' })
const Page = Type.String({
  pattern: '^[a-z][a-z-]{0,63}$',
  description: 'The page that it belongs to, such as `traces`.',
})
const Search = Type.String({
  maxLength: 20_000,
  description: 'The search parameters of its URL, as a JSON object or as the text after the `?`.',
})

export const View = NamedObject('View', 'A named page with its filters, columns and range.', {
  id: Type.String({ format: 'uuid' }),
  name: Name,
  page: Type.String({ description: 'The page that it belongs to, such as `traces`.' }),
  search: Search,
  createdAt: Instant('When it was saved.'),
})
export type View = Static<typeof View>

export const list = operation({
  name: 'views.list',
  method: 'GET',
  path: '/views',
  summary: 'Lists the saved views of the workspace, by name.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ page: Type.Optional(Type.String({ description: 'Only the views of this page.' })) }),
  success: 200,
  output: Type.Object({ views: Type.Array(View) }),
  errors: [],
})

export const create = operation({
  name: 'views.create',
  method: 'POST',
  path: '/views',
  summary: 'Saves a view for everyone in the workspace.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ name: Name, page: Page, search: Search }),
  success: 201,
  output: Type.Object({ view: View }),
  errors: ['invalid_request'],
})

export const update = operation({
  name: 'views.update',
  method: 'PATCH',
  path: '/views/{id}',
  summary: 'Renames a view, or changes what it shows.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Type.String({ description: 'Id of the view.' }),
    name: Absentable(Name),
    search: Absentable(Search),
  }),
  success: 200,
  output: Type.Object({ view: View }),
  errors: ['invalid_request', 'view_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'views.delete',
  method: 'DELETE',
  path: '/views/{id}',
  summary: 'Deletes a saved view.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the view.' }) }),
  success: 204,
  output: null,
  errors: ['view_not_found'],
})

export { remove as delete }
