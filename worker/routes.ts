import { invitationRoutes, operatorRoutes } from './console/routes.ts'
import type { Route } from './http/route.ts'
import { identityRoutes } from './identity/routes.ts'
import { investingRoutes } from './investing/routes.ts'
import { moneyRoutes } from './money/routes.ts'
import { contactRoutes } from './outreach/contact/routes.ts'
import { newsletterRoutes } from './outreach/newsletter/routes.ts'
import { documentRoutes } from './platform/docsPage.ts'
import { healthRoute } from './platform/health/route.ts'
import { conditionRoutes } from './platform/settings/routes.ts'

const described: readonly Route[] = [
  healthRoute,
  ...identityRoutes,
  ...invitationRoutes,
  ...contactRoutes,
  ...newsletterRoutes,
  ...moneyRoutes,
  ...investingRoutes,
  ...conditionRoutes,
  ...operatorRoutes,
]

/** Every route of the API. */
export const routes: readonly Route[] = [...described, ...documentRoutes(described)]
