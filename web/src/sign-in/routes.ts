/** The screens before the sign-in. Links in messages lead to `/setup`, `/join` and `/reset`. */
import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { rootRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

const getParentRoute = () => rootRoute
const validateSearch = searchParams({ token: text })

export const signInRoute = createRoute({
  getParentRoute,
  path: '/sign-in',
  validateSearch: searchParams({ from: text, error: text }),
  component: lazyScreen(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
})

export const setUpRoute = createRoute({
  getParentRoute,
  path: '/setup',
  validateSearch,
  component: lazyScreen(() => import('./set-up-screen.tsx'), 'SetUpScreen'),
})

export const joinRoute = createRoute({
  getParentRoute,
  path: '/join',
  validateSearch,
  component: lazyScreen(() => import('./join-screen.tsx'), 'JoinScreen'),
})

export const resetRoute = createRoute({
  getParentRoute,
  path: '/reset',
  validateSearch,
  component: lazyScreen(() => import('./reset-screen.tsx'), 'ResetScreen'),
})

const forgotRoute = createRoute({
  getParentRoute,
  path: '/forgot',
  component: lazyScreen(() => import('./forgot-screen.tsx'), 'ForgotScreen'),
})

export const signInRoutes = [signInRoute, setUpRoute, joinRoute, resetRoute, forgotRoute] as const
