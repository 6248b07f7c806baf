import type { Hono } from 'hono'
import { createApp } from './app.ts'
import type { Env } from './lib/env.ts'
import type { AppEnv } from './pipeline.ts'

/**
 * Adds the console's routes to an app. They are half of the Worker, so they load with the first request for one of them, and the
 * start of the Worker does not wait for them. `toDecisionTime` is as for `createApp`.
 */
export function withConsole(
  app: Hono<AppEnv>,
  timeOf?: (request: Request) => number,
): (request: Request, env: Env, context: ExecutionContext) => Promise<Response> {
  let consoleApp: Hono<AppEnv> | null = null
  return async (request, env, context) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(CONSOLE) && pathname !== MONITORING) return app.fetch(request, env, context)
    if (consoleApp === null) {
      const { monitoringRoute, operatorRoutes } = await import('./console/routes.ts')
      // Another request may have come first. Requests of a Worker must not wait for each other's promises.
      consoleApp ??= createApp([...operatorRoutes, monitoringRoute], timeOf)
    }
    return consoleApp.fetch(request, env, context)
  }
}

const CONSOLE = '/api/v1/operator/'
const MONITORING = '/api/v1/monitoring'
