import { lockAccount as lockEndpoint } from '../../../src/contract/identity/accountLock.ts'
import * as contract from '../../../src/contract/identity/auth.ts'
import { confirmFactor as confirmEndpoint } from '../../../src/contract/identity/factorProof.ts'
import { logout as logoutEndpoint } from '../../../src/contract/identity/logout.ts'
import { resetPassword as resetEndpoint } from '../../../src/contract/identity/passwords.ts'
import { renewRecoveryCodes as renewEndpoint } from '../../../src/contract/identity/recoveryCodes.ts'
import { register as registerEndpoint } from '../../../src/contract/identity/registration.ts'
import { twoFactorStanding as standingEndpoint } from '../../../src/contract/identity/twoFactorStanding.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { confirmFactor } from '../factors/confirmFactor.ts'
import { disableTwoFactor } from '../factors/disableTwoFactor.ts'
import { enableTwoFactor } from '../factors/enableTwoFactor.ts'
import { renewRecoveryCodes } from '../factors/renewRecoveryCodes.ts'
import { setUpTwoFactor } from '../factors/setUpTwoFactor.ts'
import { twoFactorStanding } from '../factors/twoFactorStanding.ts'
import { forgotPassword } from './forgotPassword.ts'
import { lockAccount } from './lockAccount.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { register } from './register.ts'
import { resendVerification } from './resendVerification.ts'
import { resetPassword } from './resetPassword.ts'
import { verifyEmail } from './verifyEmail.ts'

export const authRoutes: readonly Route[] = [
  publicRoute(registerEndpoint, register),
  publicRoute(contract.verifyEmail, verifyEmail),
  publicRoute(contract.resendVerification, resendVerification),
  publicRoute(contract.login, login),
  publicRoute(contract.forgotPassword, forgotPassword),
  publicRoute(resetEndpoint, resetPassword),
  publicRoute(lockEndpoint, lockAccount),
  route(logoutEndpoint, logout),
  route(standingEndpoint, twoFactorStanding),
  route(contract.twoFactorSetup, setUpTwoFactor),
  route(contract.twoFactorEnable, enableTwoFactor),
  route(contract.twoFactorDisable, disableTwoFactor),
  route(renewEndpoint, renewRecoveryCodes),
  route(confirmEndpoint, confirmFactor),
]
