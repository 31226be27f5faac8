/** The entries of the rail, with their shortcuts. */

import type { LinkProps } from '@tanstack/react-router'
import {
  BellRing,
  ChartNoAxesColumn,
  FileText,
  FlaskConical,
  Gauge,
  ListTree,
  type LucideIcon,
  MessagesSquare,
  PenLine,
  ReceiptText,
  Rocket,
  Scale,
  Settings,
  Table2,
  UsersRound,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { FiringCount } from '../alerts/firing-count.tsx'

interface Destination {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: LucideIcon
  readonly keys: string
  /** Shown at the end of the rail. */
  readonly Note?: ComponentType
}

export const mainDestinations: readonly Destination[] = [
  { to: '/traces', label: 'Traces', icon: ListTree, keys: 'g t' },
  { to: '/conversations', label: 'Conversations', icon: MessagesSquare, keys: 'g c' },
  { to: '/users', label: 'Users', icon: UsersRound, keys: 'g u' },
  { to: '/dashboard', label: 'Dashboard', icon: ChartNoAxesColumn, keys: 'g d' },
  { to: '/prompts', label: 'Prompts', icon: FileText, keys: 'g p' },
  { to: '/playground', label: 'Playground', icon: FlaskConical, keys: 'g y' },
  { to: '/datasets', label: 'Datasets', icon: Table2, keys: 'g a' },
  { to: '/experiments', label: 'Experiments', icon: Scale, keys: 'g e' },
  { to: '/evaluators', label: 'Evaluators', icon: Gauge, keys: 'g v' },
  { to: '/annotation', label: 'Annotation', icon: PenLine, keys: 'g n' },
  { to: '/alerts', label: 'Alerts', icon: BellRing, keys: 'g r', Note: FiringCount },
  { to: '/ledger', label: 'Ingestion', icon: ReceiptText, keys: 'g l' },
]

export const lastDestinations: readonly Destination[] = [
  { to: '/get-started', label: 'Get started', icon: Rocket, keys: 'g g' },
  { to: '/settings', label: 'Settings', icon: Settings, keys: 'g s' },
]
