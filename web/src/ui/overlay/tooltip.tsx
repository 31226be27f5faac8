/**
 * A name or a short explanation beside the hovered or focused element. One popup serves the whole page, and each
 * anchor only has an attribute, so tooltips cost nothing extra in a table with a thousand buttons.
 */
import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react'
import { late } from '../late.ts'
import { watchAnchors } from '../watch-anchors.ts'
import type { TooltipContent } from './tooltip-popup.tsx'

const TooltipPopup = late(async () => (await import('./tooltip-popup.tsx')).TooltipPopup)

/** The texts of the current tooltips, by attribute value. */
const ContentsContext = createContext<Map<string, TooltipContent> | undefined>(undefined)

interface TooltipProps {
  readonly text: ReactNode
  readonly keys?: string | undefined
  readonly side?: TooltipContent['side']
  readonly children: ReactElement<{ 'data-tooltip'?: string }>
}

export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  const id = useId()
  const contents = useContext(ContentsContext)
  useLayoutEffect(() => {
    contents?.set(id, { text, keys, side })
  })
  useLayoutEffect(
    () => () => {
      contents?.delete(id)
    },
    [contents, id],
  )
  return cloneElement(children, { 'data-tooltip': id })
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const [contents] = useState(() => new Map<string, TooltipContent>())
  const [anchor, setAnchor] = useState<HTMLElement>()
  useEffect(() => watchAnchors(document, setAnchor), [])
  const content = contents.get(anchor?.dataset.tooltip ?? '')
  return (
    <ContentsContext value={contents}>
      {children}
      <Suspense>
        {anchor !== undefined && content !== undefined && <TooltipPopup {...content} anchor={anchor} />}
      </Suspense>
    </ContentsContext>
  )
}
