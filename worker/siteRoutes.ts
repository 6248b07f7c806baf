import { acceptInvitation } from './console/operators/invitations.ts'
import type { Route } from './http/call.ts'
import { identityRoutes } from './identity/routes.ts'
import { investingRoutes } from './investing/routes.ts'
import { moneyRoutes } from './money/routes.ts'
import { contactRoutes } from './outreach/contact/routes.ts'
import { newsletterRoutes } from './outreach/newsletter/newsletter.ts'
import { notificationRoutes } from './outreach/notifications/routes.ts'
import { threadRoutes } from './outreach/threads/list.ts'
import { conditionRoutes, createDocumentRoutes, healthRoute } from './platform/routes.ts'

const described: readonly Route[] = [
  healthRoute,
  ...identityRoutes,
  acceptInvitation,
  ...contactRoutes,
  ...newsletterRoutes,
  ...notificationRoutes,
  ...threadRoutes,
  ...moneyRoutes,
  ...investingRoutes,
  ...conditionRoutes,
]

/** The routes outside the console, for visitors, investors and operators. */
export const siteRoutes: readonly Route[] = [
  ...described,
  ...createDocumentRoutes(async () => {
    const { operatorRoutes } = await import('./console/routes.ts')
    return [...described, ...operatorRoutes]
  }),
]
