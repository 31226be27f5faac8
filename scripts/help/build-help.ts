/** The help as files: a page for each file of `docs/`, the search index, a script and a stylesheet. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chapters } from './contents.ts'
import { escapeHtml, type Heading, type RenderedPage, renderPage } from './render-page.ts'

export async function buildHelp(root: string, folder: string): Promise<void> {
  const names = chapters.flatMap(({ pages }) => pages)
  const pages = new Map(
    names.map((name) => [name, renderPage(name, readFileSync(join(root, 'docs', `${name}.md`), 'utf8'))]),
  )
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of pages) writeFileSync(join(folder, `${name}.html`), toDocument(name, page, pages))
  writeFileSync(join(folder, 'index.html'), toDocument('index', homePage(pages), pages))
  const sections = [...pages.values()].flatMap((page) => page.sections)
  writeFileSync(join(folder, 'sections.json'), JSON.stringify(sections))
  cpSync(join(root, 'web/src/help/help.css'), join(folder, 'help.css'))
  await build({
    entryPoints: [join(root, 'web/src/help/search.ts')],
    outfile: join(folder, 'search.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  })
}

type Pages = ReadonlyMap<string, RenderedPage>

/** The summary of a page: the first sentence after its title. */
function summaryOf({ sections }: RenderedPage): string {
  const text = sections[0]?.text || sections[1]?.text || ''
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? ''
}

function homePage(pages: Pages): RenderedPage {
  const list = (names: readonly string[]): string =>
    names
      .map((name) => {
        const page = pages.get(name)!
        return `<li><a href="${name}.html">${escapeHtml(page.title)}</a><p>${escapeHtml(summaryOf(page))}</p></li>`
      })
      .join('')
  const html = chapters.map(
    ({ title, pages: names }) => `<h2>${title}</h2><ul class="cards">${list(names)}</ul>`,
  )
  const lead =
    '<p>Everything about this service, as it runs here: these pages came with it, and need no internet. <a href="../app/get-started">Send a first trace</a>, or <a href="../docs">browse and try the API</a>.</p>'
  return { title: 'Help', html: `<h1>Help</h1>${lead}${html.join('')}`, headings: [], sections: [] }
}

function toDocument(name: string, { title, html, headings }: RenderedPage, pages: Pages): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Plumbline</title>
<link rel="stylesheet" href="help.css">
<script type="module" src="search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="index.html">Plumbline help</a>
<search><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the help" autocomplete="off" spellcheck="false"><div id="results" role="region" aria-label="Results" aria-live="polite" hidden></div></search>
<nav aria-label="Elsewhere"><a href="../docs">API</a> <a href="../app/">Open the app</a></nav>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><details open><summary>Pages</summary>${chapters.map((chapter) => chapterOf(chapter, name, pages)).join('')}</details></nav>
<main id="content" tabindex="-1">
${html}</main>
${outlineOf(headings)}
</div>
</body>
</html>
`
}

function chapterOf(
  { title, pages: names }: (typeof chapters)[number],
  current: string,
  pages: Pages,
): string {
  const links = names.map((name) => {
    const here = name === current ? ' aria-current="page"' : ''
    return `<li><a href="${name}.html"${here}>${escapeHtml(pages.get(name)!.title)}</a></li>`
  })
  return `<h2>${title}</h2><ul>${links.join('')}</ul>`
}

function outlineOf(headings: readonly Heading[]): string {
  const links = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return links.length < 2
    ? ''
    : `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`
}
