/** Runs of letters and digits; in scripts without spaces, each character. */
const word = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv

/** The words of a text in lower case, without punctuation. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(word) ?? []
