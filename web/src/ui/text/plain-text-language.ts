/**
 * Replaces `@codemirror/lang-html` (see `vite.config.ts`): prompts contain prose around the tags, and the HTML, CSS
 * and JavaScript parsers that the Jinja language would include are 100 KB.
 */
import { LanguageSupport, StreamLanguage } from '@codemirror/language'

const prose = StreamLanguage.define({
  name: 'prose',
  token(stream) {
    stream.skipToEnd()
    return null
  },
})

/** The language around Jinja tags. */
export const html = (): LanguageSupport => new LanguageSupport(prose)
