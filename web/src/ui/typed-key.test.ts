import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOfComposition, shortcutKey } from './typed-key.ts'

const press = (key: string, code: string, { altKey = false, isAltGraph = false } = {}) => ({
  key,
  code,
  altKey,
  ctrlKey: false,
  metaKey: false,
  getModifierState: (name: string) => name === 'AltGraph' && isAltGraph,
})

it('a shortcut is named by the Latin letter of its key, also on non-Latin keyboards', () => {
  assert.equal(shortcutKey(press('k', 'KeyK')), 'k')
  assert.equal(shortcutKey(press('л', 'KeyK')), 'k')
  assert.equal(shortcutKey(press('Κ', 'KeyK')), 'k')
  // On a French keyboard the letter counts, not its position.
  assert.equal(shortcutKey(press('a', 'KeyQ')), 'a')
  // A non-Latin letter outside the letter keys has no Latin counterpart.
  assert.equal(shortcutKey(press('ö', 'Semicolon')), 'ö')
  assert.equal(shortcutKey(press('Escape', 'Escape')), 'Escape')
})

it('a character composed with AltGr or Option is not a shortcut', () => {
  assert.equal(shortcutKey(press('ą', 'KeyA', { isAltGraph: true })), 'ą')
  assert.equal(shortcutKey(press('å', 'KeyA', { altKey: true })), 'å')
})

it('the key that ends a composition belongs to it, even if it arrives afterwards, as in Safari', () => {
  assert.equal(isOfComposition({ isComposing: true, keyCode: 13 }), true)
  assert.equal(isOfComposition({ isComposing: false, keyCode: 229 }), true)
  assert.equal(isOfComposition({ isComposing: false, keyCode: 13 }), false)
})
