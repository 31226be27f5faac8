/** Renders one file of `docs/` as a help page and as sections for the search. */
import { Marked, type Token, type Tokens } from 'marked'

export interface Section {
  /** The address below `/help/`, with the anchor. */
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** Enough for the first paragraph and a searchable part of the rest. */
const sectionCharsMax = 4000

export function renderPage(name: string, markdown: string): RenderedPage {
  const headings: Heading[] = []
  const idOf = makeIds()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const text = textOf(tokens)
        const id = idOf(text)
        headings.push({ id, text, depth })
        const content = this.parser.parseInline(tokens)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const target = linkOf(href)
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      table(token) {
        const table = tableOf(token, (tokens) => this.parser.parseInline(tokens))
        // Wide tables scroll on a phone.
        return `<div class="scroll" tabindex="0">${table}</div>\n`
      },
      // The files are ours, and their only HTML is comments.
      html: () => '',
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  const title = headings[0]?.text ?? name
  return { title, html, headings, sections: sectionsOf(tokens, { name, title, headings }) }
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
}

/** A link within the help or to another site; undefined for files of the repository, which are not part of the help. */
function linkOf(href: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return page === undefined ? undefined : `${page}.html${anchor}`
}

function sectionsOf(
  tokens: readonly Token[],
  {
    name,
    title,
    headings,
  }: { readonly name: string; readonly title: string; readonly headings: readonly Heading[] },
): Section[] {
  const sections: { heading: Heading; texts: string[] }[] = []
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ heading: headings[next++]!, texts: [] })
    else sections.at(-1)?.texts.push(textOf([token]))
  }
  return sections.map(({ heading, texts }) => ({
    address: heading.depth === 1 ? `${name}.html` : `${name}.html#${heading.id}`,
    page: title,
    heading: heading.text,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, sectionCharsMax),
  }))
}

/** The text of tokens, without markup. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows]
          .flat()
          .map((cell) => textOf(cell.tokens))
          .join(' ')
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join(' ')
      if ('tokens' in token && Array.isArray(token.tokens)) return textOf(token.tokens)
      return token.type === 'html' || !('text' in token) ? '' : decode(String(token.text))
    })
    .join('')
}

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The anchors that GitHub gives to headings, which the links in the files use. */
function makeIds(): (text: string) => string {
  const counts = new Map<string, number>()
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
