import { invitationRoutes, operatorRoutes } from './console/routes.ts'
import type { Route } from './http/route.ts'
import { closingRoutes } from './identity/closing/routes.ts'
import { emailChangeRoutes } from './identity/emailChange/routes.ts'
import { factorRecoveryRoutes } from './identity/factorRecovery/routes.ts'
import { kycRoutes } from './identity/kyc/routes.ts'
import { passkeyRoutes } from './identity/passkeys/routes.ts'
import { personalDataRoutes } from './identity/personalData/routes.ts'
import { preferenceRoutes } from './identity/preferences/routes.ts'
import { profileRoutes } from './identity/profile/routes.ts'
import { sessionRoutes } from './identity/sessions/routes.ts'
import { authRoutes } from './identity/signIn/routes.ts'
import { allocationRoutes } from './investing/allocations/routes.ts'
import { marketRoutes } from './investing/market/routes.ts'
import { strategyReadRoutes } from './investing/strategies/routes.ts'
import { decisionTimeRoutes } from './money/decisionTimes/routes.ts'
import { depositRoutes } from './money/deposits/routes.ts'
import { addressRoutes } from './money/destinations/routes.ts'
import { liabilityRoutes } from './money/liabilities/routes.ts'
import { referralRoutes } from './money/referrals/routes.ts'
import { transactionRoutes } from './money/requests/routes.ts'
import { statementRoutes } from './money/statements/routes.ts'
import { walletRoutes } from './money/wallets/routes.ts'
import { withdrawalRoutes } from './money/withdrawals/routes.ts'
import { contactRoutes } from './outreach/contact/routes.ts'
import { newsletterRoutes } from './outreach/newsletter/routes.ts'
import { documentRoutes } from './platform/documentRoutes.ts'
import { healthRoute } from './platform/health/route.ts'
import { conditionRoutes } from './platform/settings/routes.ts'

const described: readonly Route[] = [
  healthRoute,
  ...authRoutes,
  ...invitationRoutes,
  ...contactRoutes,
  ...newsletterRoutes,
  ...profileRoutes,
  ...emailChangeRoutes,
  ...factorRecoveryRoutes,
  ...closingRoutes,
  ...sessionRoutes,
  ...passkeyRoutes,
  ...referralRoutes,
  ...preferenceRoutes,
  ...addressRoutes,
  ...personalDataRoutes,
  ...walletRoutes,
  ...marketRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...strategyReadRoutes,
  ...allocationRoutes,
  ...transactionRoutes,
  ...statementRoutes,
  ...liabilityRoutes,
  ...decisionTimeRoutes,
  ...conditionRoutes,
  ...kycRoutes,
  ...operatorRoutes,
]

/** Every route of the API. */
export const routes: readonly Route[] = [...described, ...documentRoutes(described)]
