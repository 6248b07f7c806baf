import { addressRoutes } from './addresses/routes.ts'
import { allocationRoutes } from './allocations/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { closingRoutes } from './closing/routes.ts'
import { conditionRoutes } from './conditions/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { decisionTimeRoutes } from './decisionTimes/routes.ts'
import { depositRoutes } from './deposits/routes.ts'
import { emailChangeRoutes } from './emailChange/routes.ts'
import { factorRecoveryRoutes } from './factorRecovery/routes.ts'
import { kycRoutes } from './kyc/routes.ts'
import { liabilityRoutes } from './liabilities/routes.ts'
import type { Route } from './lib/route.ts'
import { marketRoutes } from './market/routes.ts'
import { newsletterRoutes } from './newsletter/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { personalDataRoutes } from './personalData/routes.ts'
import { documentRoutes } from './platform/documentRoutes.ts'
import { healthRoute } from './platform/health.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { referralRoutes } from './referrals/routes.ts'
import { transactionRoutes } from './requests/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { statementRoutes } from './statements/routes.ts'
import { strategyReadRoutes } from './strategies/readRoutes.ts'
import { walletRoutes } from './wallets/routes.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'

const described: readonly Route[] = [
  healthRoute,
  ...authRoutes,
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
