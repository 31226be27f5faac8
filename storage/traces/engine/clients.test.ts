import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestClients } from '../testing/testing-clients.ts'

test('the embedded engine never compiles an expression to machine code, however often it runs', async (t) => {
  const clients = await openTestClients()
  t.after(() => clients.close())
  const sql = 'SELECT number % 3 AS third, sum(number * 2 + 1) AS total FROM numbers(1000) GROUP BY third'
  for (let time = 0; time < 6; time++) assert.equal((await clients.search(sql, {})).length, 3)
  const compiled = await clients.search("SELECT value FROM system.events WHERE event = 'CompileFunction'", {})
  assert.deepEqual(compiled, [])
})
