/** The hover time before a tooltip appears. */
const delayMs = 400
/** The time it stays after the pointer leaves, so that it can be reached. */
const graceMs = 120

/**
 * Reports the element with `data-tooltip` that is hovered for a while or has keyboard focus, until the pointer or the
 * focus leaves, something is pressed, or Esc. Hovering the popup itself keeps it open.
 */
export function watchAnchors(root: Document, onShow: (anchor: HTMLElement | undefined) => void): () => void {
  let activeAnchor: HTMLElement | undefined
  let visibleAnchor: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (anchor: HTMLElement | undefined): void => {
    visibleAnchor = anchor
    onShow(anchor)
  }
  const choose = (anchor: HTMLElement | undefined, afterMs: number): void => {
    if (anchor === activeAnchor) return
    activeAnchor = anchor
    clearTimeout(timer)
    timer = setTimeout(() => show(anchor), afterMs)
  }
  const point = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType === 'touch' || !(target instanceof Element)) return
    const anchor = target.closest('[data-tooltip-popup]') === null ? anchorOf(target) : visibleAnchor
    choose(anchor, anchor === undefined ? graceMs : delayMs)
  }
  const focus = ({ target }: FocusEvent): void => {
    const isByKeyboard = target instanceof Element && target.matches(':focus-visible')
    choose(isByKeyboard ? anchorOf(target) : undefined, 0)
  }
  // A pressed or dismissed anchor stays current, so that its tooltip does not reappear before the pointer has left.
  const hide = (): void => {
    clearTimeout(timer)
    show(undefined)
  }
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') hide()
  }
  const leave = (): void => choose(undefined, graceMs)
  const stop = new AbortController()
  const { signal } = stop
  root.addEventListener('pointerover', point, { signal })
  root.documentElement.addEventListener('pointerleave', leave, { signal })
  root.addEventListener('focusin', focus, { signal })
  root.addEventListener('focusout', leave, { signal })
  root.addEventListener('pointerdown', hide, { signal, capture: true })
  root.addEventListener('click', hide, { signal, capture: true })
  root.addEventListener('keydown', press, { signal, capture: true })
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

const anchorOf = (target: Element): HTMLElement | undefined =>
  target.closest<HTMLElement>('[data-tooltip]') ?? undefined
