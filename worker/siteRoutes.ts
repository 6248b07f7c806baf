import { acceptInvitation as acceptInvitationEndpoint } from '../src/contract/identity/registration.ts'
import { acceptInvitation } from './console/operators/invitations.ts'
import { createRoute, type Route } from './http/call.ts'
import { identityRoutes } from './identity/routes.ts'
import { investingRoutes } from './investing/routes.ts'
import { moneyRoutes } from './money/routes.ts'
import { outreachRoutes } from './outreach/routes.ts'
import { conditionRoutes, createDocumentRoutes, healthRoute } from './platform/routes.ts'
import { withPracticeReviewer } from './practice.ts'

const described: readonly Route[] = [
  healthRoute,
  ...identityRoutes,
  createRoute(acceptInvitationEndpoint, acceptInvitation),
  ...outreachRoutes,
  ...moneyRoutes,
  ...investingRoutes,
  ...conditionRoutes,
]

/** The routes outside the console, for visitors, investors and operators. */
export const siteRoutes: readonly Route[] = [
  ...withPracticeReviewer(described),
  ...createDocumentRoutes(async () => {
    const { monitoringRoute, operatorRoutes } = await import('./console/routes.ts')
    return [...described, ...operatorRoutes, monitoringRoute]
  }),
]
