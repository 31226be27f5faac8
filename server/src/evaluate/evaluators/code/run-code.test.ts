import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Subject } from '../rules/subject.ts'
import { CodeFailed, type CodeFailure, defaultLimits } from './limits.ts'
import { CodeSandbox } from './run-code.ts'

const threads = new CodeSandbox()
const sandbox = threads.of('any')
after(() => threads.close())

const subject: Subject = {
  input: { question: 'Why?' },
  output: 'Because 42.',
  idealOutput: null,
  metadata: { tier: 'gold' },
  variables: { city: 'Rome' },
  context: ['doc 1'],
  logs: [],
  durationMs: 1200,
  cost: 0.5,
  inputTokens: 10,
  outputTokens: 5,
}

const run = (body: string) => sandbox.runCode(`export default (trace) => { ${body} }`, subject)

async function failure(source: string): Promise<CodeFailed> {
  try {
    await sandbox.runCode(source, subject)
  } catch (error) {
    assert.ok(error instanceof CodeFailed, String(error))
    return error
  }
  assert.fail('It gave a verdict.')
}

describe('code', () => {
  it('returns a verdict: a boolean, a number, a text, or one of them with a comment', async () => {
    const verdicts: [body: string, value: unknown, comment: string][] = [
      ['return true', true, ''],
      ['return 2.5', 2.5, ''],
      ['return "good"', 'good', ''],
      ['return { value: false, comment: "No." }', false, 'No.'],
      ['return { value: 0 }', 0, ''],
      ['return { value: null, comment: "Not for me." }', null, 'Not for me.'],
      ['return null', null, 'The code returned no verdict.'],
      ['return Promise.resolve(trace.output.length)', 11, ''],
      ['return { value: true, comment: "x".repeat(5000) }', true, `${'x'.repeat(2000)}…`],
    ]
    for (const [body, value, comment] of verdicts) assert.deepEqual(await run(body), { value, comment })
    const late = await sandbox.runCode(
      'const limit = await 10; export default async ({ output }) => (await output.length) > limit',
      subject,
    )
    assert.deepEqual(late, { value: true, comment: '' })
  })

  it('receives the whole subject', async () => {
    const { comment } = await run('return { value: true, comment: JSON.stringify(trace) }')
    const { inputTokens: _in, outputTokens: _out, ...rest } = subject
    assert.deepEqual(JSON.parse(comment), { ...rest, tokens: { input: 10, output: 5, total: 15 } })
  })

  it('without a verdict reports the reason, and its line', async () => {
    const failures: [source: string, reason: CodeFailure, message: RegExp, line?: number][] = [
      ['export default () => {\n  return (\n}', 'syntax', /^Line 3: unexpected token/, 3],
      ['', 'syntax', /function as its `export default`/],
      ['export default 1', 'syntax', /function as its `export default`/],
      ['export default () => {\n  throw new RangeError("No.")\n}', 'threw', /^Line 2: RangeError: No\.$/, 2],
      ['throw new Error("No.")', 'threw', /^Line 1: Error: No\.$/, 1],
      ['export default () => { throw "text" }', 'threw', /^Error: text$/],
      ['export default () => { throw null }', 'threw', /^Error: $/],
      ['export default () => JSON.parse("{")', 'threw', /^Line 1: SyntaxError: /, 1],
      ['export default async () => { throw new TypeError("late") }', 'threw', /TypeError: late$/, 1],
      ['export default () => {}', 'returned', /not nothing\.$/],
      ['export default () => NaN', 'returned', /not NaN\.$/],
      ['export default () => 1 / 0', 'returned', /not Infinity\.$/],
      ['export default () => 10n', 'returned', /of type bigint\.$/],
      ['export default () => Symbol("x")', 'returned', /of type symbol\.$/],
      ['export default () => [1]', 'returned', /not nothing\.$/],
      ['export default () => ({ value: {} })', 'returned', /of type object\.$/],
      ['export default () => ({ value: 1, comment: 2 })', 'returned', /^The comment must be a text/],
      ['export default () => "x".repeat(201)', 'returned', /at most 200 characters\.$/],
      [
        'export default () => ({ value: 1, comment: "x".repeat(1e6) })',
        'returned',
        /more than 100000 characters/,
      ],
      ['export default () => new Promise(() => {})', 'returned', /never settles\.$/],
      ['await new Promise(() => {}); export default () => 1', 'returned', /never settles\.$/],
    ]
    for (const [source, reason, message, line] of failures) {
      const error = await failure(source)
      assert.deepEqual([error.reason, error.line], [reason, line], source)
      assert.match(error.message, message, source)
    }
  })

  it('is only compiled when it is checked', async () => {
    await sandbox.checkCode('export default () => { throw new Error("Not yet.") }')
    await assert.rejects(sandbox.checkCode('export default ('), CodeFailed)
  })

  it('reports a subject that is too large', async () => {
    const large = { ...subject, output: 'x'.repeat(2_000_000) }
    const limits = { ...defaultLimits, memoryBytes: 1_000_000 }
    await assert.rejects(
      sandbox.runCode('export default () => 1', large, limits),
      (error) => error instanceof CodeFailed && error.reason === 'memory',
    )
    const { value } = await sandbox.runCode('export default ({ output }) => output.length', large)
    assert.equal(value, 2_000_000)
  })
})

describe('the sandbox', () => {
  it('runs queued tasks on few threads', async () => {
    const many = await Promise.all(
      Array.from({ length: 40 }, (_, index) => sandbox.runCode(`export default () => ${index}`, subject)),
    )
    assert.deepEqual(
      many.map(({ value }) => value),
      Array.from({ length: 40 }, (_, index) => index),
    )
  })

  it('runs nothing after it is closed', async () => {
    const other = new CodeSandbox()
    const waiting = assert.rejects(other.of('any').runCode('export default () => 1', subject), /closed/)
    await other.close()
    await waiting
    await assert.rejects(other.of('any').runCode('export default () => 1', subject), /closed/)
  })
})
