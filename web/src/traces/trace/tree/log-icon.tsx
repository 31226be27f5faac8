import { Box, Code, type LucideIcon, Search, Sparkles, Wrench, Zap } from 'lucide-react'
import { type LogTypeName, logTypeClass } from '../../../ui/badge.tsx'

const icons: Readonly<Record<LogTypeName, LucideIcon>> = {
  generation: Sparkles,
  tool: Wrench,
  retrieval: Search,
  function: Code,
  span: Box,
  event: Zap,
}

/** The icon of a log type, in its colour. */
export function LogIcon({ type, size = 14 }: { readonly type: LogTypeName; readonly size?: number }) {
  const Icon = icons[type]
  return <Icon role="img" aria-label={type} size={size} className={`shrink-0 ${logTypeClass[type]}`} />
}
