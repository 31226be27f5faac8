/** The script of the help, whose pages are plain HTML and not part of the web app: search, and the list of pages on a phone. */
import MiniSearch from 'minisearch'
import { isOfComposition } from '../ui/typed-key.ts'

interface Section {
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

const resultsMax = 12
const input = document.querySelector<HTMLInputElement>('#search')
const results = document.querySelector<HTMLElement>('#results')
if (input !== null && results !== null) registerSearch(input, results)
// On a phone, the open list would fill the screen before the text.
if (window.matchMedia('(max-width: 800px)').matches)
  document.querySelector('.pages details')?.removeAttribute('open')

function registerSearch(field: HTMLInputElement, list: HTMLElement): void {
  let index: Promise<MiniSearch<Section>> | undefined
  const show = async (): Promise<void> => {
    const query = field.value.trim()
    list.hidden = query === ''
    if (query === '') return
    index ??= loadIndex()
    const matches = (await index).search(query).slice(0, resultsMax)
    // A slower search must not overwrite a later one.
    if (query === field.value.trim()) list.replaceChildren(...toNodes(matches as unknown as Section[], query))
  }
  field.addEventListener('input', () => void show())
  field.addEventListener('focus', () => void show())
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      field.focus()
    }
    if (event.key === 'Escape') list.hidden = true
    if (event.key === 'Enter' && event.target === field && !isOfComposition(event))
      list.querySelector('a')?.click()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, field, list)
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== field) list.hidden = true
  })
}

async function loadIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch('sections.json')
  // Safe: it is built with this script.
  const sections = (await response.json()) as Section[]
  const index = new MiniSearch<Section>({
    idField: 'address',
    fields: ['heading', 'page', 'text'],
    storeFields: ['address', 'page', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(sections)
  return index
}

function toNodes(sections: readonly Section[], query: string): Node[] {
  if (sections.length === 0) {
    const note = document.createElement('p')
    note.textContent = `No results for “${query}”.`
    return [note]
  }
  return sections.map(({ address, page, heading, text }) => {
    const link = document.createElement('a')
    link.href = address
    const title = document.createElement('strong')
    title.textContent = heading === page ? page : `${page}: ${heading}`
    const excerpt = document.createElement('span')
    excerpt.textContent = excerptOf(text, query)
    link.append(title, excerpt)
    return link
  })
}

/** The words around the first match. */
function excerptOf(text: string, query: string): string {
  const position = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? '')
  const start = Math.max(0, position - 60)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 160)}${start + 160 < text.length ? '…' : ''}`
}

function moveFocus(event: KeyboardEvent, field: HTMLElement, list: HTMLElement): void {
  const stops = [field, ...list.querySelectorAll('a')]
  const focused = stops.indexOf(document.activeElement as HTMLElement)
  if (list.hidden || focused === -1) return
  event.preventDefault()
  const next = event.key === 'ArrowDown' ? focused + 1 : focused - 1
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus()
}
