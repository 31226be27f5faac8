/**
 * Permissions: every operation of the contract, called by every kind of caller. Expectations follow from the scope and the
 * role that the contract states; an operation without either fails here.
 */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  allOperations,
  inputTravelsInQuery,
  type NeededRole,
  type Operation,
  operations,
  pathFields,
  type Role,
  roles,
  type Scope,
  takesJson,
} from '@plumbline/contract'
import { legalBodies } from '../../testing/fuzz/legal-bodies.ts'
import { type Answer, errorOf, startTestApp, type TestWorkspace } from '../../testing/test-app.ts'
import { type Ids, makeThings, namingOurs, neededInQuery, queryNamingOurs } from '../../testing/things.ts'
import { makeSecret } from '../accounts/keys/secret.ts'

const testApp = await startTestApp()
const { newWorkspace, app } = testApp
const workspace = await newWorkspace()

/** Operations for settings: those with the scope `manage` need at least an admin. */
const settings = /^(?:keys|prices|recomputations|members|invitations|workspaces|connections|retention)\./

/** Safe: the schema is a list of words. */
const scopes = (operations.keys.create.input.properties.scopes as unknown as { items: { enum: Scope[] } })
  .items.enum

/** Repeated here, so that a scope which starts to imply another must change this test. */
const implied: Partial<Record<Scope, readonly Scope[]>> = { manage: ['read'] }

const isForScope = ({ scope, orScope }: Operation, own: Scope): boolean =>
  [own, ...(implied[own] ?? [])].some((each) => each === scope || each === orScope)

const isForRole = ({ role: requiredRole }: Operation, role: Role | undefined): boolean =>
  requiredRole === 'anyone' ||
  (requiredRole !== 'operator' && role !== undefined && roles.indexOf(role) >= roles.indexOf(requiredRole))

/** Who an operation is for, and the error for others in a workspace. */
const describeAdmission = (requiredRole: NeededRole): string =>
  requiredRole === 'anyone'
    ? 'everybody who is signed in'
    : requiredRole === 'operator'
      ? 'operators'
      : `${requiredRole}s and above`
const rejection = (requiredRole: NeededRole, role: Role): string =>
  requiredRole === 'operator'
    ? 'Only an operator of this service may do this: an owner of its first workspace.'
    : `Your role in this workspace is "${role}", and this needs "${requiredRole}".`

/** Valid input for the path that names nothing that exists. */
const inputOf = ({ path }: Operation): object =>
  Object.fromEntries(pathFields(path).map((field) => [field, 'nothing']))

const expired = await workspace.newKey(scopes, { expiresAt: new Date(Date.now() - 1000) })
const revoked = await workspace.newKey(scopes)
await workspace.ok(operations.keys.delete, { id: revoked.id })
const mistyped = workspace.key.secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
const keyOf = Object.fromEntries(
  await Promise.all(scopes.map(async (scope) => [scope, await workspace.newKey([scope])] as const)),
)
const person = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await workspace.signIn(role)] as const)),
)
const nobody = await workspace.signIn()
const removed = await workspace.signIn('owner')
assert.equal((await workspace.call(operations.members.delete, { id: removed.id }, person.owner)).status, 204)

const strangers: Readonly<Record<string, Parameters<TestWorkspace['call']>[2]>> = {
  'no key': { key: null },
  'a malformed header': { key: null, headers: { authorization: `Basic ${workspace.key.secret}` } },
  'a header without a key': { key: null, headers: { authorization: 'Bearer' } },
  'an unknown key': { key: makeSecret() },
  'a mistyped key': { key: mistyped },
  'an expired key': { key: expired.secret },
  'a revoked key': { key: revoked.secret },
  'a forged cookie': { key: null, headers: { cookie: 'plumbline_session=x.y' } },
}

describe('every operation', () => {
  it('states a scope or is for users only, and states a role that fits it', () => {
    for (const { name, role, scope, orScope, audit } of allOperations) {
      assert.ok(scope === null || scopes.includes(scope), name)
      assert.ok(orScope === undefined || scopes.includes(orScope), name)
      if (role === 'anyone' || role === 'operator') continue
      assert.ok(roles.includes(role), name)
      // Viewers change nothing that lasts, and only when signed in.
      if (scope !== 'read')
        assert.ok(role !== 'viewer' || (scope === null && audit === 'nothing lasting'), name)
      if (scope === 'manage' && settings.test(name))
        assert.ok(roles.indexOf(role) >= roles.indexOf('admin'), name)
    }
  })

  for (const operation of allOperations) {
    const { name } = operation
    const call = (options: Parameters<TestWorkspace['call']>[2]): Promise<Answer> =>
      workspace.call(operation, inputOf(operation), options)

    it(`${name} is refused to unauthenticated callers`, async () => {
      for (const [caller, options] of Object.entries(strangers)) {
        const answer = await call(options)
        assert.equal(answer.status, 401, `${caller}: ${answer.text.slice(0, 200)}`)
        assert.equal(answer.headers['www-authenticate'], 'Bearer', caller)
        errorOf(answer)
      }
    })

    it(`${name} is for keys with ${operation.scope === null ? 'no scope' : `the scope ${operation.scope}`}`, async () => {
      for (const scope of scopes) {
        const answer = await call({ key: keyOf[scope]!.secret })
        checkAdmission(answer, isForScope(operation, scope), scope)
        if (answer.status === 403)
          assert.match(errorOf(answer), /^(?:This API key lacks the scope|Only a person who is signed in)/)
      }
    })

    it(`${name} is for ${describeAdmission(operation.role)}`, async () => {
      for (const role of roles) {
        const answer = await call(person[role])
        checkAdmission(answer, isForRole(operation, role), role)
        if (answer.status === 403) assert.equal(errorOf(answer), rejection(operation.role, role))
      }
      // M1: an owner of another workspace has no power over users of the installation.
      if (operation.role === 'operator')
        checkAdmission(await call(await workspace.signInOperator()), true, 'operator')
      for (const [kind, outsider] of Object.entries({ nobody, removed })) {
        const answer = await call(outsider)
        checkAdmission(answer, isForRole(operation, undefined), kind)
        if (answer.status === 403)
          assert.match(errorOf(answer), /^(?:You are not a member of any workspace|Only an operator)/)
      }
    })
  }
})

function checkAdmission(answer: Answer, isAdmitted: boolean, caller: string): void {
  assert.notEqual(answer.status, 401, caller)
  assert.equal(answer.status !== 403, isAdmitted, `${caller}: ${answer.status} ${answer.text.slice(0, 200)}`)
}

/** Paths whose ids this test file cannot create, each with the test that covers it. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'alerts.retry': 'A message that could not be delivered: alerts.test.ts.',
}

/** Workspace operations that name a resource, in the path or elsewhere. Operator operations belong to no workspace. */
const operationsNaming = (ids: Ids): { operation: Operation; input: Record<string, unknown> }[] =>
  allOperations.flatMap((operation) => {
    if (operation.role === 'operator') return []
    const [resource] = operation.name.split('.')
    const inPath = pathFields(operation.path).map((field): [string, string] => {
      const id = ids[`${resource}.${field}`]
      assert.ok(id !== undefined, `things.ts makes no ${resource}.${field} for ${operation.name}`)
      return [field, id]
    })
    const body = legalBodies[operation.name]
    if (takesJson(operation) && body === undefined)
      assert.fail(`legal-bodies.ts has none of ${operation.name}`)
    const otherFields = inputTravelsInQuery(operation.method)
      ? queryNamingOurs(operation, ids)
      : (namingOurs(operation, body ?? {}, ids) as object)
    const input = { ...otherFields, ...Object.fromEntries(inPath) }
    const namesOurs = Object.values(ids).some((id) => JSON.stringify(input).includes(`"${id}"`))
    return namesOurs && testedElsewhere[operation.name] === undefined ? [{ operation, input }] : []
  })

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/
const anyUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const anyTime = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

describe('resources of another workspace', async () => {
  const ours = await newWorkspace()
  const ids = await makeThings(ours, testApp)
  await app.flush()
  /** Each of our ids, and one of the same form that does not exist. */
  const absent = new Map(
    Object.values(ids).map((id) => [
      id,
      isUuid.test(id) ? randomUUID() : id.replace(/^our/, 'not').replace(/^\d/, '9'),
    ]),
  )
  const withAbsentIds = <Value>(value: Value): Value =>
    [...absent].reduce(
      (text, [id, other]) => text.replaceAll(`"${id}"`, `"${other}"`),
      JSON.stringify(value),
    ) as Value

  /** The response without what differs between calls: the ids that were sent, and new ids and times. */
  const formOf = ({ status, text }: Answer): string =>
    `${status} ${[...absent]
      .flat()
      .reduce((form, id) => form.replaceAll(id, '<id>'), text)
      .replaceAll(anyUuid, '<id>')
      .replaceAll(anyTime, '<time>')
      .replaceAll(/pl_\w+|whsec_[\w+/=]+|token=[\w-]+/g, '<secret>')}`

  const calls = operationsNaming(ids)

  it('exist for their own key', async () => {
    for (const { operation, input } of calls) {
      if (operation.method !== 'GET' || pathFields(operation.path).length === 0) continue
      const inPath = Object.fromEntries(pathFields(operation.path).map((field) => [field, input[field]]))
      const answer = await ours.call(operation, inPath)
      assert.notEqual(answer.status, 404, `${operation.name} ${JSON.stringify(inPath)} ${answer.text}`)
    }
  })

  for (const { operation, input } of calls)
    it(`answer ${operation.name} as if they did not exist`, async () => {
      // A workspace for each: the other must not see what one call creates.
      const [first, other] = [await newWorkspace(), await newWorkspace()]
      const options = async (each: TestWorkspace) =>
        operation.scope === null ? await each.signIn('owner') : {}
      const theirs = await first.call(operation, input, await options(first))
      const nothing = JSON.parse(withAbsentIds(input) as unknown as string) as object
      const none = await other.call(operation, nothing, await options(other))
      assert.equal(formOf(theirs), formOf(none))
      assert.doesNotMatch(theirs.text, /is required/)
    })

  it('are unchanged after all of that', async () => {
    const after = await ours.call(operations.exchange.export)
    assert.equal(after.status, 200)
    for (const [name, id] of Object.entries(ids)) {
      const [resource = ''] = name.split('.')
      const get = (operations as Readonly<Record<string, Readonly<Record<string, Operation>>>>)[resource]?.get
      const field = name.split('.')[1] as string
      if (get === undefined || !pathFields(get.path).includes(field)) continue
      const inPath = Object.fromEntries(
        pathFields(get.path).map((each) => [each, ids[`${resource}.${each}`]]),
      )
      const input = { ...neededInQuery[get.name], ...inPath }
      assert.equal((await ours.call(get, input)).status, 200, `${name} ${id}`)
    }
  })
})
