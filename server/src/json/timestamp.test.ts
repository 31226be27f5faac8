import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readTimestamp, writeTimestamp } from './timestamp.ts'

const iso = (value: string | number): string | undefined => {
  const micros = readTimestamp(value)
  return micros === undefined ? undefined : writeTimestamp(micros)
}

describe('a timestamp', () => {
  const accepted: [string | number, string][] = [
    [1700000000, '2023-11-14T22:13:20.000000Z'],
    [1700000000.123456, '2023-11-14T22:13:20.123456Z'],
    [1700000000123, '2023-11-14T22:13:20.123000Z'],
    [1700000000123456, '2023-11-14T22:13:20.123456Z'],
    ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000000Z'],
    ['2024-05-06T07:08', '2024-05-06T07:08:00.000000Z'],
    ['2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000000Z'],
    ['2024-05-06T07:08:09-00:30', '2024-05-06T07:38:09.000000Z'],
    ['2024-05-06T07:08:09.1234567Z', '2024-05-06T07:08:09.123456Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  ]
  for (const [input, read] of accepted) {
    it(`${JSON.stringify(input)} is ${read}`, () => assert.equal(iso(input), read))
  }

  it('in nanoseconds keeps its microseconds', () => {
    for (let micros = 1_700_000_000_123_456; micros < 1_700_000_000_123_656; micros++)
      assert.equal(readTimestamp(micros * 1000), BigInt(micros))
  })

  const refused = [
    0,
    -1,
    Number.POSITIVE_INFINITY,
    1e300,
    '',
    'yesterday',
    '2023-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-00-01T00:00:00Z',
    '2024-05-06',
    '2024-05-06T23:59:60Z',
    '2024-05-06T24:00:00Z',
    '2024-05-06T07:08:09+0530',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-00:01',
    '2024-05-06T07:08:09Z ',
  ]
  for (const input of refused) {
    it(`${JSON.stringify(input)} is refused`, () => assert.equal(iso(input), undefined))
  }

  it('is the same instant after writing and reading, for every microsecond of the years 1 to 9999', () => {
    fc.assert(
      fc.property(fc.bigInt(-62_135_596_800_000_000n, 253_402_300_799_999_999n), (micros) => {
        assert.equal(readTimestamp(writeTimestamp(micros)), micros)
      }),
    )
  })

  it('agrees with the platform on every date that both support', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (date) => {
          assert.equal(readTimestamp(date.toISOString()), BigInt(date.getTime()) * 1000n)
        },
      ),
    )
  })

  it('of any text is read or rejected, and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readTimestamp(text)))
    fc.assert(fc.property(fc.double(), (number) => void readTimestamp(number)))
  })
})

it('in UTC is read the same with Z and with a zero offset, whatever its characters are', () => {
  const character = fc.constantFrom(...'0123456789-:.TZ ')
  const textLikeTime = fc
    .tuple(
      fc.constantFrom('2024-02-29T23:59:59.123456789', '0001-01-01T00:00:00', '1969-12-31T23:59:59.5'),
      fc.nat(29),
      character,
    )
    .map(([text, index, other]) => text.slice(0, index) + other + text.slice(index + 1))
  const digits = fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$/)
  fc.assert(
    fc.property(fc.oneof(textLikeTime, digits), (text) => {
      assert.equal(readTimestamp(`${text}Z`), readTimestamp(`${text}+00:00`))
    }),
    { numRuns: 2000 },
  )
})
