import { monitoringRoute, operatorRoutes } from './console/routes.ts'
import type { Route } from './http/call.ts'
import { siteRoutes } from './siteRoutes.ts'

/** Every route of the API. The Worker itself loads those of the console later: see `withConsole`. */
export const routes: readonly Route[] = [...siteRoutes, ...operatorRoutes, monitoringRoute]
