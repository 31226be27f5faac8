/** The renderer that the service itself uses; a chunk of its own, loaded when a template is first shown. */
import { useQuery } from '@tanstack/react-query'

export type TemplateLibrary = typeof import('@plumbline/sdk/render')

/** Undefined while loading. */
export const useTemplateLibrary = () =>
  useQuery({
    queryKey: ['template library'],
    queryFn: () => import('@plumbline/sdk/render'),
    staleTime: Number.POSITIVE_INFINITY,
    // A module cannot be compared structurally.
    structuralSharing: false,
  }).data
