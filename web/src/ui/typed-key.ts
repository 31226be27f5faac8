/** Interprets key presses on any keyboard. */

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'getModifierState'>

export const isApple = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

/** Whether it types a character: so does Option on a Mac, and AltGr, which Windows reports as Ctrl and Alt. */
export function typesCharacter(press: Press): boolean {
  if (press.key.length !== 1 || press.metaKey) return false
  return press.getModifierState('AltGraph') || (!press.ctrlKey && (isApple || !press.altKey))
}

/** The key, or its Latin counterpart on a non-Latin keyboard, by which shortcuts are named. */
export function shortcutKey(press: Press): string {
  const [, letter] = /^Key([A-Z])$/.exec(press.code) ?? []
  const isOtherLetter = press.key.length === 1 && press.key > '\u007f'
  const isComposed = press.altKey || press.getModifierState('AltGraph')
  return isOtherLetter && !isComposed && letter !== undefined ? letter.toLowerCase() : press.key
}

/**
 * Whether it belongs to an IME composition, such as Japanese. Safari sends the key that ends one afterwards, with the
 * key code of input methods.
 */
export const isOfComposition = (press: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  press.isComposing || press.keyCode === 229
