import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvCell, textOfCsvCell } from './csv-cell.ts'

describe('csvCell', () => {
  it('distinguishes an empty text from no value', () => {
    assert.equal(csvCell(null), '')
    assert.equal(csvCell(undefined), '')
    assert.equal(csvCell(''), '""')
  })
  it('quotes texts that would end a cell or a line', () => {
    assert.equal(csvCell('a,"b"\n'), '"a,""b""\n"')
    assert.equal(csvCell('a;b'), '"a;b"')
    assert.equal(csvCell('a\tb'), '"a\tb"')
    assert.equal(csvCell('a b'), 'a b')
  })
  for (const formula of [
    '=1+1',
    '+cmd',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '＝1+1',
    '＠SUM(A1)',
    "'=1",
    "''=1",
  ])
    it(`marks ${JSON.stringify(formula)}, and the mark can be removed`, () => {
      const marked = csvCell(formula).replace(/^"|"$/g, '')
      assert.equal(marked, `'${formula}`)
      assert.equal(textOfCsvCell(marked), formula)
    })
  for (const plain of ['-12', '+3.5', '10', "it's", "'quoted'"])
    it(`leaves ${plain} as it is`, () => {
      assert.equal(csvCell(plain), plain)
      assert.equal(textOfCsvCell(plain), plain)
    })
  it('writes numbers and booleans as they are', () => {
    assert.equal(csvCell(-1.5), '-1.5')
    assert.equal(csvCell(false), 'false')
  })
})
