/**
 * Hides repeated content from axe: of similar siblings, such as the rows of a list, only the first is checked. Hidden
 * elements keep their space, so that nothing else moves. Both functions run in the page.
 */

export function hideRepetition(): void {
  /** For id references, only the existence of the target counts. */
  const references = /^(?:for|aria-(?:labelledby|describedby|controls|owns|activedescendant))$/
  /** Attributes whose values differ between similar elements: only whether they are empty counts. */
  const texts =
    /^(?:id|href|src|alt|title|name|value|d|x|y|[xy][12]|points|width|height|datetime|aria-(?:label|rowindex|colindex|posinset|setsize|valuenow|valuetext))$|^data-/
  const describeAttribute = ({ name, value }: Attr): string => {
    if (references.test(name))
      return `${name}=${value.split(/\s+/).map((id) => document.getElementById(id) !== null)}`
    if (texts.test(name)) return `${name} ${value.trim() === ''}`
    return `${name}=${name === 'style' ? value.replaceAll(/-?[\d.]+(?:px|%)/g, '') : value}`
  }
  const hasLabel = (element: Element): string =>
    element instanceof HTMLInputElement ? `label ${(element.labels?.length ?? 0) > 0}` : ''
  /** The hovered and the focused element stay visible: hiding them would end the hover or the focus. */
  const activeId = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
  const isInUse = (element: Element): boolean =>
    element.matches(':hover, :focus-within') ||
    (activeId !== '' && element.contains(document.getElementById(activeId)))

  const hide = (element: Element): void => element.setAttribute('data-repetition', '')
  /** Describes an element with its descendants, and hides repeated ones. */
  const describe = (element: Element): string => {
    const earlier = new Set<string>()
    const children = [...element.children].map((child) => {
      const description = describe(child)
      if (earlier.has(description) && !isInUse(child)) hide(child)
      earlier.add(description)
      return description
    })
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
    )
    const attributes = [...element.attributes]
      .filter(({ name }) => name !== 'data-repetition')
      .map(describeAttribute)
    return `<${element.tagName} ${attributes.sort().join(' ')} ${hasLabel(element)}>${hasText ? 'text' : ''}${children.join('')}</>`
  }
  describe(document.body)
  const style = new CSSStyleSheet()
  style.replaceSync('[data-repetition], [data-repetition] * { visibility: hidden !important }')
  document.adoptedStyleSheets.push(style)
}

export function showRepetition(): void {
  document.adoptedStyleSheets.pop()
  for (const element of document.querySelectorAll('[data-repetition]'))
    element.removeAttribute('data-repetition')
}
