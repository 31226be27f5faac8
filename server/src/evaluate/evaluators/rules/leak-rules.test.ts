import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { growthOf, linearGrowthMax } from '../../../../testing/growth.ts'
import { isIban, passesLuhn } from '../../../detectors/checksums.ts'
import { countOf, type Detector, personalDetectors, secretDetectors } from './leak-detectors.ts'
import { readRule } from './rule.ts'
import type { Subject } from './subject.ts'

/** Assembled here, so that no file contains a text that looks like a secret. */
const join = (...parts: readonly string[]): string => parts.join('')

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
const payload = Buffer.from('{"sub":"1234567890"}').toString('base64url')

const finds: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@example.com', 'Write to a.b+c@mail.example.co.uk.', '<x_1@sub-domain.example>'],
  phone: [
    '+44 20 7946 0958',
    '+1 (212) 555-0142',
    '(212) 555-0142',
    '212-555-0142',
    '+49 30 901820',
    '+33142345678',
  ],
  // The examples of the IBAN Registry.
  iban: [
    'GB29 NWBK 6016 1331 9268 19',
    'DE89370400440532013000',
    'Pay to FR1420041010050500013M02606 TODAY',
    'NO9386011117947',
  ],
  // Numbers that payment services publish for tests.
  credit_card: ['4242 4242 4242 4242', '5555-5555-5555-4444', '378282246310005', '6011111111111117'],
  ssn: ['It is 123-45-6789.'],
  openai: [join('sk-', 'a1B2c3D4e5F6g7H8i9J0'), join('sk-proj-', 'x_-'.repeat(40))],
  anthropic: [join('sk-ant-', 'api03-', 'Ab1'.repeat(20))],
  aws: [join('AKIA', 'IOSFODNN7EXAMPLE'), join('key=', 'ASIA', 'IOSFODNN7EXAMPLE')],
  github: [join('ghp_', 'a'.repeat(36)), join('github_pat_', '1'.repeat(22), '_', 'x'.repeat(59))],
  google: [join('AIza', 'Sy'.repeat(17), 'x')],
  slack: [join('xoxb-', '1234567890-abcdef')],
  stripe: [join('sk_live_', 'a1'.repeat(12))],
  private_key: [join('-----BEGIN ', 'PRIVATE KEY-----'), join('-----BEGIN ', 'RSA PRIVATE KEY-----')],
  jwt: [`Bearer ${header}.${payload}.${'s'.repeat(43)}`],
}

const passesBy: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@example', '@ada', 'a @ b.com', 'foo@bar@', 'https://example.com/@user'],
  phone: ['2024-05-06', '1234567890', '192.168.10.100', 'order 212-5555', '+1 2', 'pi is 3.14159265358979'],
  iban: ['GB28 NWBK 6016 1331 9268 19', 'DE8937040044053201300', 'XX89370400440532013000'],
  credit_card: [
    '4242 4242 4242 4241',
    '1234567812345670',
    '4444444444444444',
    '4242',
    'id 42424242424242424242424',
  ],
  ssn: ['000-12-3456', '666-12-3456', '912-12-3456', '123-00-6789', '123-45-0000', '1123-45-67890'],
  openai: ['sk-short', 'ask-me-anything-you-like-about-this', join('sk-ant-', 'Ab1'.repeat(20))],
  anthropic: ['sk-ant-x'],
  aws: ['AKIA', join('AKIA', 'iosfodnn7example')],
  github: ['ghp_short'],
  google: ['AIza'],
  slack: ['xoxb-1'],
  stripe: [join('sk_test_', 'a1'.repeat(12))],
  private_key: ['-----BEGIN PUBLIC KEY-----', '-----BEGIN CERTIFICATE-----'],
  jwt: ['eyJhbGciOiJub3RKc29u.eyJub3Qi.xxxxxxxxxxxx'],
}

const detectors: Readonly<Record<string, Detector>> = { ...personalDetectors, ...secretDetectors }

describe('detectors', () => {
  for (const [name, detector] of Object.entries(detectors)) {
    it(`${name} finds its matches, and ignores similar texts`, () => {
      for (const text of finds[name]!) assert.equal(countOf(detector, text), 1, text)
      for (const text of passesBy[name]!) assert.equal(countOf(detector, text), 0, text)
    })
  }

  for (const run of [
    'a',
    'a.',
    'A1',
    '1 ',
    '4',
    '-',
    '1-',
    'eyJ',
    '+1',
    'sk-',
    '@',
    'a@',
    'a@a.',
    '(2',
    'DE12 ',
  ])
    it(`take time linear in the length of a text of ${run}`, () => {
      const growth = growthOf((length) => {
        const text = run.repeat(length / run.length)
        for (const detector of Object.values(detectors)) countOf(detector, text)
      }, 100_000)
      assert.ok(growth < linearGrowthMax, `16 times the length takes ${growth.toFixed(0)} times as long`)
    })
})

describe('checksums', () => {
  it('of Luhn accept 79927398713, the usual example, and none of its neighbors', () => {
    const numbers = Array.from({ length: 10 }, (_, digit) => `7992739871${digit}`)
    assert.deepEqual(numbers.filter(passesLuhn), ['79927398713'])
  })

  it('of IBANs detect a wrong digit, and two swapped digits', () => {
    assert.ok(isIban('GB82WEST12345698765432'))
    assert.ok(!isIban('GB82WEST12345698765433'))
    assert.ok(!isIban('GB82WEST12345698765423'))
    assert.ok(!isIban(''))
  })
})

describe('rules on leaks', () => {
  const subject: Subject = {
    input: null,
    output: 'Mail ada@example.com or eve@example.com, call (212) 555-0142.',
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

  it('report kinds and counts, never the matches', () => {
    const verdict = readRule('pii', {})(subject)
    assert.deepEqual(verdict, { value: false, comment: 'Found e-mail address (2), phone number (1).' })
    assert.deepEqual(readRule('secrets', {})(subject), { value: true, comment: 'No secret found.' })
    const output = { answer: finds.aws?.[0] }
    assert.equal(readRule('secrets', {})({ ...subject, output }).value, false)
  })

  it('look only for the configured kinds', () => {
    assert.equal(readRule('pii', { types: ['iban', 'ssn'] })(subject).value, true)
    assert.equal(readRule('pii', { types: ['phone'] })(subject).comment, 'Found phone number (1).')
    assert.equal(readRule('pii', { of: 'input' })(subject).value, null)
  })
})
