import type { Route } from './lib/route.ts'
import { healthRoute } from './platform/health.ts'

/** Every route of the API, in the contract's order. */
export const routes: readonly Route[] = [healthRoute]
