import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLanguage } from './language-rule.ts'
import type { Subject } from './subject.ts'

const judge = (language: string | string[], output: string) =>
  readLanguage({ language })({ output } as unknown as Subject)

describe('the language', () => {
  const texts: [language: string, text: string][] = [
    ['en', 'The parcel left our warehouse in Rotterdam on Tuesday.'],
    ['de', 'Die Rückerstattung dauert fünf Tage.'],
    ['fr', 'Le remboursement prend cinq jours.'],
    ['es', 'El reembolso tarda cinco días.'],
    ['it', 'Il rimborso richiede cinque giorni.'],
    ['pt', 'Olá, tudo bem? Como posso ajudar?'],
    ['nl', 'De terugbetaling duurt vijf dagen.'],
    ['uk', 'Доброго дня, чим я можу вам допомогти сьогодні?'],
    ['ja', '返金には五日かかります。'],
    ['zh', '退款需要五天时间。'],
  ]
  for (const [language, text] of texts) {
    it(`of "${text}" is ${language}`, () => {
      assert.equal(judge(language, text).value, true)
      assert.equal(judge([language, 'fi'], text).value, true)
      assert.equal(judge('fi', text).value, false)
    })
  }

  it('is named in the comment, and not guessed from a single word', () => {
    assert.equal(judge('en', texts[1]![1]).comment, 'It reads like German.')
    assert.deepEqual(judge('en', 'OK.'), { value: null, comment: 'Its language cannot be detected.' })
    assert.equal(judge('en', '12345 67890 12345').value, null)
  })
})
