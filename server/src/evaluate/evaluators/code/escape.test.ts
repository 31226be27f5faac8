/** Code that tries to escape from the sandbox, to exceed its limits, or to harm its host. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from '../rules/subject.ts'
import { CodeFailed, type CodeFailure, defaultLimits } from './limits.ts'
import { CodeSandbox } from './run-code.ts'

const threads = new CodeSandbox()
const sandbox = threads.of('any')
after(() => threads.close())

const subject: Subject = {
  input: 'q',
  output: 'a',
  idealOutput: null,
  metadata: null,
  variables: {},
  context: [],
  logs: [],
  durationMs: null,
  cost: null,
  inputTokens: 0,
  outputTokens: 0,
}

const run = (source: string, limits = defaultLimits) => sandbox.runCode(source, subject, limits)

async function failsBy(
  reasons: readonly CodeFailure[],
  source: string,
  limits = defaultLimits,
): Promise<void> {
  try {
    const verdict = await run(source, limits)
    assert.fail(`${source} gave ${JSON.stringify(verdict).slice(0, 200)}`)
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    assert.ok(reasons.includes(error.reason), `${source}: ${error.reason}, ${error.message}`)
  }
}

/** Checks that the sandbox still works as before. */
const isUnharmed = async (): Promise<void> => {
  assert.deepEqual(await run('export default ({ output }) => JSON.stringify([output, [1].map(String)])'), {
    value: '["a",["1"]]',
    comment: '',
  })
}

/** For code that must be stopped. A short timeout, since it keeps a core busy until then. */
const short = { ...defaultLimits, timeoutMs: 50 }
/** Little memory is exhausted sooner. Code that overflows the stack does so within this time or not at all. */
const small = { timeoutMs: 300, memoryBytes: 16 * 1024 * 1024 }

describe('code cannot escape', () => {
  const names = [
    'process',
    'require',
    'module',
    'global',
    'Buffer',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'Worker',
    'setTimeout',
    'setInterval',
    'WebAssembly',
    'std',
    'os',
    'bjson',
    'scriptArgs',
    'print',
    'console',
    'Deno',
    'Bun',
    'postMessage',
    'parentPort',
    'document',
    'window',
    'self',
  ]
  it('through names that engines provide', async () => {
    const source = `export default () => ${JSON.stringify(names)}.filter((name) => name in globalThis).join()`
    assert.equal((await run(source)).value, '')
  })

  it('through constructors that make functions', async () => {
    const makers = [
      'this?.constructor',
      '(() => {}).constructor',
      '(async () => {}).constructor',
      '(function* () {}).constructor',
      '[].constructor.constructor',
      'trace.constructor.constructor',
      'trace.logs.constructor.constructor',
      'Object.getPrototypeOf(trace).constructor.constructor',
      'globalThis.constructor.constructor',
      'new Error().constructor.constructor',
      'Reflect.construct(Function, []).constructor',
    ]
    for (const maker of makers) {
      const source = `export default (trace) => {
        const make = ${maker}
        if (make === undefined) return "nothing"
        const made = make("return typeof process + typeof require + typeof globalThis.process")()
        return typeof made === "string" ? made : "nothing"
      }`
      const { value } = await run(source)
      assert.ok(value === 'nothing' || value === 'undefinedundefinedundefined', `${maker}: ${value}`)
    }
    assert.equal((await run('export default () => (0, eval)("typeof process")')).value, 'undefined')
  })

  it('through imports', async () => {
    const modules = ['fs', 'node:fs', 'node:child_process', 'std', 'os', 'qjs:std', 'qjs:os', './run-code.ts']
    for (const name of [
      ...modules,
      '/etc/passwd',
      'https://example.com/x.js',
      'data:text/javascript,export default 1',
    ]) {
      await failsBy(['threw'], `import * as it from ${JSON.stringify(name)}; export default () => typeof it`)
      await failsBy(['threw'], `export default async () => typeof (await import(${JSON.stringify(name)}))`)
    }
    const meta = await run('export default () => Object.keys(import.meta).join()')
    assert.ok(!String(meta.value).includes('/'), String(meta.value))
  })

  it('through what errors reveal of the host', async () => {
    const deep =
      'export default () => { const f = (n) => (n > 0 ? f(n - 1) : new Error("x").stack); return f(3).slice(0, 150) }'
    const { value } = await run(deep)
    for (const own of ['node:', 'run-code', 'engine', 'worker', '/'])
      assert.ok(!String(value).includes(own), String(value))
    const traced =
      'export default () => { Error.prepareStackTrace = (e, sites) => typeof sites?.[0]?.getThis?.(); return String(new Error("x").stack).slice(0, 100) }'
    assert.ok(!String((await run(traced)).value).includes('object'))
  })
})

describe('code cannot do harm', () => {
  it('by replacing built-ins of the language', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted()
    const polluters = [
      'Object.prototype.isAdmin = true',
      'Object.prototype.toJSON = () => "mine"',
      'Object.prototype.value = "mine"',
      'Array.prototype.map = () => "mine"',
      'JSON.parse = JSON.stringify = () => ({ output: "mine" })',
      'String.prototype.slice = () => "mine"',
      'Promise.prototype.then = () => "mine"',
      'globalThis.Object = globalThis.JSON = undefined',
      'trace.__proto__.polluted = trace.constructor.prototype.polluted = true',
      'Object.defineProperty(Object.prototype, "comment", { get() { return "mine" } })',
      'Object.setPrototypeOf(Object.prototype, new Proxy(Object.create(null), {}))',
    ]
    for (const polluter of polluters) {
      await run(`export default (trace) => { ${polluter}; return true }`).catch((error) =>
        assert.ok(error instanceof CodeFailed, String(error)),
      )
      await isUnharmed()
    }
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).toSorted(), before)
    assert.equal(Reflect.get({}, 'isAdmin'), undefined)
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })

  it('by replacing the functions that read its result', async () => {
    const source = 'JSON.parse = () => ({ output: "mine" }); export default ({ output }) => output'
    assert.equal((await run(source)).value, 'a')
  })

  it('by leaving state for the next run', async () => {
    await run('globalThis.left = "secret"; export default () => true')
    const runs = Array.from({ length: 6 }, () => run('export default () => typeof globalThis.left'))
    for (const { value } of await Promise.all(runs)) assert.equal(value, 'undefined')
  })

  it('through its return value', async () => {
    const tricks: [value: string, reasons: readonly CodeFailure[] | undefined][] = [
      ['new Proxy({}, { get() { throw new Error("trap") } })', ['returned']],
      ['new Proxy({}, { get() { while (true); } })', ['timeout']],
      ['({ get value() { while (true); } })', ['timeout']],
      ['({ get value() { throw 1 } })', ['returned']],
      ['({ value: 1, get comment() { return this.comment } })', ['returned']],
      ['({ value: { valueOf: () => 1, toString: () => "x", [Symbol.toPrimitive]: () => 1 } })', ['returned']],
      ['new Boolean(true)', ['returned']],
      ['Object.assign(() => {}, { value: 1 })', ['returned']],
      ['({ then(resolve) { resolve(true) } })', ['returned']],
      ['(async () => ({ then(resolve) { while (true) resolve; } }))()', ['timeout']],
      ['({ toJSON() { while (true); }, value: true })', undefined],
      ['({ __proto__: { value: true }, constructor: { prototype: null } })', undefined],
      ['({ value: true, comment: "\\ud800\\u0000\\u2028</script>" })', undefined],
    ]
    for (const [returned, reasons] of tricks) {
      const source = `export default () => ${returned}`
      if (reasons !== undefined)
        await failsBy(reasons, source, reasons.includes('timeout') ? short : defaultLimits)
      else assert.equal((await run(source)).value, true, returned)
    }
    await isUnharmed()
  })

  it('through thrown values', async () => {
    const errorTexts = [
      '{ get message() { while (true); } }',
      '{ get stack() { throw this } , get name() { throw this } }',
      'new Proxy({}, { get() { throw 1 }, getPrototypeOf() { while (true); } })',
      '{ name: "InternalError", message: "interrupted", stack: "x".repeat(1e7) }',
      '"x".repeat(1e7)',
      'Object.assign(new Error("x".repeat(1e6)), { name: {} })',
    ]
    for (const value of errorTexts) {
      await failsBy(['threw', 'timeout'], `export default () => { throw (${value}) }`, short)
      await failsBy(['threw', 'timeout'], `export default async () => { throw (${value}) }`, short)
    }
    await isUnharmed()
  })
})

describe('code cannot exceed its limits', () => {
  const endless = [
    'while (true);',
    'for (;;) {}',
    'try { while (true); } finally { while (true); }',
    'while (true) try { while (true); } catch {}',
    'const f = () => { f.call(null); }; while (true) try { f() } catch {}',
    '/^(a+)+$/.test("a".repeat(40) + "!")',
    '/(x+x+)+y/.exec("x".repeat(100000))',
    'new Array(4e9).join()',
    'JSON.stringify({ length: 4e9, __proto__: new Array(4e9) }) + JSON.stringify(new Array(4e9))',
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    '"x".padEnd(1e7).split("").sort(() => { while (true); })',
    '2n ** (10n ** 12n)',
    'function* all() { while (true) yield 1 } [...all()]',
    'new Proxy({}, { ownKeys: () => { while (true); } }) && Object.keys(new Proxy({}, { ownKeys: () => { while (true); } }))',
  ]
  for (const body of endless)
    it(`of time: ${body}`, () =>
      failsBy(['timeout', 'memory', 'threw'], `export default () => { ${body}; return "done" }`, short).then(
        isUnharmed,
      ))

  it('of time, before it is called and after it has returned', async () => {
    await failsBy(['timeout'], 'while (true); export default () => 1', short)
    await failsBy(['timeout'], 'export default async () => { while (true) await 0 }', short)
    await failsBy(
      ['timeout'],
      'const again = () => Promise.resolve().then(again); export default () => again()',
      short,
    )
    await failsBy(
      ['timeout', 'returned'],
      'export default () => { const f = () => { Promise.resolve().then(f) }; f(); return 1 }',
      short,
    )
    await assert.rejects(sandbox.checkCode('while (true);'), CodeFailed)
    await isUnharmed()
  })

  const greedy = [
    'const all = []; while (true) all.push(new Array(1e6).fill(all.length))',
    'let text = "x"; while (true) text += text',
    'return "x".repeat(2 ** 30)',
    'return new ArrayBuffer(2 ** 31)',
    'return new Uint8Array(2 ** 30).fill(1).length',
    'const all = []; while (true) all.push(new ArrayBuffer(1e7))',
    'const map = new Map(); for (let at = 0; ; at++) map.set(at, "x".repeat(1000) + at)',
    'let inner = []; while (true) inner = [inner, inner.slice(), "x".repeat(1e5) + inner.length]',
    'new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).resize(2 ** 39)',
    'new SharedArrayBuffer(2 ** 31)',
  ]
  for (const body of greedy)
    it(`of memory: ${body}`, () =>
      failsBy(['memory', 'timeout', 'threw'], `export default () => { ${body} }`, small).then(isUnharmed))

  const deep = [
    'const f = () => f() + 1; return f()',
    'let inner = []; for (let at = 0; at < 1e5; at++) inner = [inner]; return JSON.stringify(inner).length',
    'return JSON.parse("[".repeat(1e6)).length',
    'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("x")',
    'return eval("(".repeat(1e6) + "1" + ")".repeat(1e6))',
    'const of = { toString() { return this + "" } }; return of + ""',
    'let proxy = {}; for (let at = 0; at < 1e5; at++) proxy = new Proxy(proxy, {}); return proxy.x',
    'let bound = () => 1; for (let at = 0; at < 1e5; at++) bound = bound.bind(null); return bound()',
    'return [].concat(...Array(1e6).fill([1])).length && Math.max(...Array(1e7).fill(1))',
  ]
  for (const body of deep)
    it(`of the stack: ${body}`, async () => {
      try {
        await run(`export default () => { ${body} }`, { ...defaultLimits, timeoutMs: small.timeoutMs })
      } catch (error) {
        assert.ok(error instanceof CodeFailed, String(error))
      }
      await isUnharmed()
    })

  it('of the event loop, which continues while code runs away', async () => {
    const others = new CodeSandbox()
    const limits = { ...defaultLimits, timeoutMs: 30_000 }
    let endedCount = 0
    for (const body of ['while (true);', 'new Array(4e9).join()'])
      void others
        .of('any')
        .runCode(`export default () => { ${body} }`, subject, limits)
        .catch(() => endedCount++)
    await isUnharmed()
    for (let turns = 0; turns < 20; turns++) await pause(1)
    assert.equal(endedCount, 0)
    await others.close()
    assert.equal(endedCount, 2)
  })
})
