import type { Route } from './lib/route.ts'
import { documentRoutes } from './platform/documentRoutes.ts'
import { healthRoute } from './platform/health.ts'

const described: readonly Route[] = [healthRoute]

/** Every route of the API. */
export const routes: readonly Route[] = [...described, ...documentRoutes(described)]
