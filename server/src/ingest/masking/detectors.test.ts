import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MaskingDetector } from '@plumbline/contract'
import { makeSecret } from '../../accounts/keys/secret.ts'
import { isCard } from '../../detectors/card.ts'
import { isIban, passesLuhn } from '../../detectors/checksums.ts'
import { detectors } from './detectors.ts'

const hitsOf = (detector: MaskingDetector, text: string): string[] =>
  detectors[detector].find(text).map(({ start, end }) => text.slice(start, end))

/** Numbers that payment companies publish for tests (Stripe, PayPal, Adyen and Braintree list them). */
const publishedCards = [
  '4242424242424242',
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5555555555554444',
  '5105105105105100',
  '2223003122003222',
  '378282246310005',
  '371449635398431',
  '6011111111111117',
  '6011000990139424',
  '30569309025904',
  '38520000023237',
  '3056930009020004',
  '3566002020360505',
  '3530111333300000',
  '6200000000000005',
]

/** Examples from SWIFT's IBAN registry, as printed there. */
const registryIbans = [
  'AD12 0001 2030 2003 5910 0100',
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'BR18 0036 0305 0000 1000 9795 493C 1',
  'CH93 0076 2011 6238 5295 7',
  'CZ65 0800 0000 1920 0014 5399',
  'DE89 3704 0044 0532 0130 00',
  'DK50 0040 0440 1162 43',
  'ES91 2100 0418 4502 0005 1332',
  'FI21 1234 5600 0007 85',
  'FR14 2004 1010 0505 0001 3M02 606',
  'GB29 NWBK 6016 1331 9268 19',
  'GR16 0110 1250 0000 0001 2300 695',
  'IE29 AIBK 9311 5212 3456 78',
  'IT60 X054 2811 1010 0000 0123 456',
  'LC55 HEMM 0001 0001 0012 0012 0002 3015',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  'NL91 ABNA 0417 1643 00',
  'NO93 8601 1117 947',
  'PL61 1090 1014 0000 0712 1981 2874',
  'PT50 0002 0123 1234 5678 9015 4',
  'SA03 8000 0000 6080 1016 7519',
  'SE45 5000 0000 0583 9825 7466',
  'TR33 0006 1005 1978 6457 8413 26',
]

describe('card numbers', () => {
  for (const card of publishedCards)
    it(`finds the published test number ${card}, also in groups`, () => {
      assert.deepEqual(hitsOf('card', `Paid with ${card}, thanks.`), [card])
      const grouped = card.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
      assert.deepEqual(hitsOf('card', `card: ${grouped}`), [grouped])
      assert.deepEqual(hitsOf('card', `card ${card.replaceAll(/(\d{4})(?=\d)/g, '$1-')}.`).length, 1)
    })

  it('verifies the Luhn check digit: the example of ISO/IEC 7812-1 and its neighbors', () => {
    assert.equal(passesLuhn('79927398713'), true)
    for (const digit of [0, 1, 2, 4, 5, 6, 7, 8, 9]) assert.equal(passesLuhn(`7992739871${digit}`), false)
    for (const card of publishedCards)
      assert.equal(isCard(card.slice(0, -1) + ((Number(card.at(-1)) + 1) % 10)), false)
  })

  it('finds one among other numbers, and none in times, fractions and ids', () => {
    assert.deepEqual(hitsOf('card', 'order 12345 4111 1111 1111 1111'), ['4111 1111 1111 1111'])
    for (const text of [
      '1732279200000',
      '1732279200000000000',
      '0.4111111111111111',
      'x4111111111111111',
      '41111111111111111111111',
    ])
      assert.deepEqual(hitsOf('card', text), [], text)
  })
})

describe('IBANs', () => {
  for (const iban of registryIbans)
    it(`finds the registry's example ${iban}, with and without spaces`, () => {
      const plain = iban.replaceAll(' ', '')
      assert.ok(isIban(plain))
      assert.deepEqual(hitsOf('iban', `Send it to ${iban} please`), [iban])
      assert.deepEqual(hitsOf('iban', `(${plain.toLowerCase()})`), [plain.toLowerCase()])
    })

  it('refuses wrong check digits and lengths', () => {
    for (const iban of registryIbans.map((each) => each.replaceAll(' ', ''))) {
      const digits = String((Number(iban.slice(2, 4)) + 1) % 100).padStart(2, '0')
      assert.equal(isIban(iban.slice(0, 2) + digits + iban.slice(4)), false)
      assert.equal(isIban(`${iban}0`), false)
    }
  })
})

const cases: Readonly<
  Record<'email' | 'phone' | 'ip', { hits: readonly [text: string, hit: string][]; none: readonly string[] }>
> = {
  email: {
    hits: [
      ['write to jane.doe+news@mail.example.co.uk.', 'jane.doe+news@mail.example.co.uk'],
      ["<o'brien@example.com>", "o'brien@example.com"],
      ['https://x.example/?to=jane%40example.com&a=1', 'jane%40example.com'],
      ['josé@exämple.de', 'josé@exämple.de'],
      ['mailto:jane@example.com', 'jane@example.com'],
    ],
    none: ['user@localhost', '@handle', 'a @ b.com', 'npm i @scope/pkg@1.2.3', '100%401'],
  },
  phone: {
    hits: [
      ['call +49 151 23456789 now', '+49 151 23456789'],
      ['(+44 20 7946 0958)', '+44 20 7946 0958'],
      ['+1-202-555-0143', '+1-202-555-0143'],
      ['+33 (0)6 12 34 56 78', '+33 (0)6 12 34 56 78'],
      ['(415) 555-2671', '(415) 555-2671'],
      ['tel. 415.555.2671', '415.555.2671'],
      ['0049 30 901820', '0049 30 901820'],
      ['06 12 34 56 78', '06 12 34 56 78'],
      ['0151/23456789', '0151/23456789'],
    ],
    none: [
      '2024-01-02 03:04:05',
      '01.02.2024 10',
      '1 + 23456789',
      '0.12345 0.6789',
      '0 255 128 0 34 99',
      '3.14159265',
      'v1.2.3-456-7890',
      '192.168.0.1',
      'DE89 3704 0044 0532 0130 00',
    ],
  },
  ip: {
    hits: [
      ['from 203.0.113.7:443', '203.0.113.7'],
      ['[2001:db8::8a2e:370:7334]:443', '2001:db8::8a2e:370:7334'],
      ['at fe80::1.', 'fe80::1'],
      ['::ffff:192.0.2.128', '::ffff:192.0.2.128'],
      ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ],
    none: [
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      'std::vector',
      'a::b',
      '12:34:56',
      '00:1a:2b:3c:4d:5e',
      'x1.2.3.4',
    ],
  },
}

for (const [detector, { hits, none }] of Object.entries(cases) as [
  keyof typeof cases,
  (typeof cases)['ip'],
][])
  describe(detector, () => {
    for (const [text, hit] of hits)
      it(`finds ${hit} in "${text}"`, () => assert.deepEqual(hitsOf(detector, text), [hit]))
    for (const text of none)
      it(`finds nothing in "${text}"`, () => assert.deepEqual(hitsOf(detector, text), []))
  })

describe('API keys', () => {
  // Assembled here, so that secret scanners find no key in this repository.
  const run = (length: number) => 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2'.repeat(2).slice(0, length)
  const jwtOfRfc7519 = [
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9',
    'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  ].join('.')
  for (const key of [
    `sk-${run(48)}`,
    `sk-proj-${run(60)}`,
    `sk-ant-api03-${run(80)}`,
    // The example from Amazon's documentation.
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${run(36)}`,
    `github_pat_${run(22)}_${run(59)}`,
    `xoxb-${'1'.repeat(12)}-${run(24)}`,
    `AIza${run(35)}`,
    `sk_live_${run(24)}`,
    jwtOfRfc7519,
    makeSecret(),
    `-----BEGIN RSA PRIVATE KEY-----\n${run(64)}\n-----END RSA PRIVATE KEY-----`,
  ])
    it(`finds ${key.slice(0, 12)}…`, () => assert.deepEqual(hitsOf('api-key', `key="${key}", ok`), [key]))

  it('finds no key in ordinary words', () => {
    for (const text of [
      'task-force-of-the-whole-company',
      'sk-learn-is-a-library-for-python',
      'ghp_',
      'eyJ.eyJ.',
      'AKIA',
    ])
      assert.deepEqual(hitsOf('api-key', text), [], text)
  })
})
