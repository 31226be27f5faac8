/**
 * Stands for `@codemirror/lang-html` (see `vite.config.ts`): around the tags of a prompt there is prose, and the HTML,
 * CSS and JavaScript parsers that the Jinja language would bring for it are 100 KB.
 */
import { LanguageSupport, StreamLanguage } from '@codemirror/language'

const prose = StreamLanguage.define({
  name: 'prose',
  token(stream) {
    stream.skipToEnd()
    return null
  },
})

/** The language that Jinja tags stand in. */
export const html = (): LanguageSupport => new LanguageSupport(prose)
