import * as activity from '../../src/contract/identity/activity.ts'
import * as closing from '../../src/contract/identity/closing.ts'
import * as emailChange from '../../src/contract/identity/emailChange.ts'
import * as factorRecovery from '../../src/contract/identity/factorRecovery.ts'
import * as factors from '../../src/contract/identity/factors.ts'
import * as kyc from '../../src/contract/identity/kyc.ts'
import * as passkeys from '../../src/contract/identity/passkeys.ts'
import * as passwords from '../../src/contract/identity/passwords.ts'
import * as personalData from '../../src/contract/identity/personalData.ts'
import * as preferences from '../../src/contract/identity/preferences.ts'
import * as profile from '../../src/contract/identity/profile.ts'
import * as registration from '../../src/contract/identity/registration.ts'
import * as sessions from '../../src/contract/identity/sessions.ts'
import * as signIn from '../../src/contract/identity/signIn.ts'
import { getUserInfo } from '../../src/contract/identity/userInfo.ts'
import { publicRoute, type Route, route, routeOf } from '../http/call.ts'
import { investorOnly } from '../http/scopes.ts'
import { closeAccount } from './closing/close.ts'
import { showClosing } from './closing/show.ts'
import { requestChange } from './emailChange/ask.ts'
import { confirmChange } from './emailChange/confirm.ts'
import { cancelChange, showEmail } from './emailChange/pending.ts'
import { confirmRecovery, requestRecovery } from './factorRecovery/request.ts'
import { stopRecovery } from './factorRecovery/stop.ts'
import { confirmFactor } from './factors/actFactor.ts'
import {
  disableTwoFactor,
  enableTwoFactor,
  setUpTwoFactor,
  showTwoFactor,
} from './factors/authenticatorApp.ts'
import { renewRecoveryCodes } from './factors/recoveryCodes.ts'
import { listKyc } from './kyc/list.ts'
import { listRecipients } from './kyc/recipients.ts'
import { loadSubmitting, submitKyc } from './kyc/submit.ts'
import { addPasskey, beginPasskey } from './passkeys/add.ts'
import { listPasskeys, ownPasskey, removePasskey, renamePasskey } from './passkeys/own.ts'
import { downloadData } from './personalData/download.ts'
import { listActivity } from './preferences/listActivity.ts'
import { changePreferences, showPreferences } from './preferences/preferences.ts'
import { unsubscribe } from './preferences/unsubscribe.ts'
import { changeUserInfo } from './profile/changeUserInfo.ts'
import { userInfo } from './profile/userInfo.ts'
import { endOwnSession, listSessions, ownSession } from './sessions/sessions.ts'
import { lockAccount } from './signIn/lockAccount.ts'
import { login, logout } from './signIn/login.ts'
import { register } from './signIn/register.ts'
import { forgotPassword, resetPassword } from './signIn/resetPassword.ts'
import { requestSignInLink, signInWithLink } from './signIn/signInLink.ts'
import { resendVerification, verifyEmail } from './signIn/verifyEmail.ts'

/** Every route of this area. */
export const identityRoutes: readonly Route[] = [
  publicRoute(registration.register, register),
  publicRoute(signIn.verifyEmail, verifyEmail),
  publicRoute(signIn.resendVerification, resendVerification),
  publicRoute(signIn.login, login),
  publicRoute(signIn.requestSignInLink, requestSignInLink),
  publicRoute(signIn.signInWithLink, signInWithLink),
  publicRoute(passwords.forgotPassword, forgotPassword),
  publicRoute(passwords.resetPassword, resetPassword),
  publicRoute(signIn.lockAccount, lockAccount),
  route(signIn.logout, logout),
  route(factors.twoFactorStatus, showTwoFactor),
  route(factors.twoFactorSetup, setUpTwoFactor),
  route(factors.twoFactorEnable, enableTwoFactor),
  route(factors.twoFactorDisable, disableTwoFactor),
  route(factors.renewRecoveryCodes, renewRecoveryCodes),
  route(factors.confirmFactor, confirmFactor),
  route(getUserInfo, userInfo),
  route(profile.patchUserInfo, changeUserInfo),
  route(emailChange.getEmail, showEmail),
  route(emailChange.requestEmailChange, requestChange),
  route(emailChange.cancelEmailChange, cancelChange),
  publicRoute(emailChange.confirmEmailChange, confirmChange),
  publicRoute(factorRecovery.requestFactorRecovery, requestRecovery),
  publicRoute(factorRecovery.confirmFactorRecovery, confirmRecovery),
  publicRoute(factorRecovery.stopFactorRecovery, stopRecovery),
  routeOf(closing.getClosing, investorOnly, showClosing),
  routeOf(closing.closeAccount, investorOnly, closeAccount),
  route(sessions.listSessions, listSessions),
  routeOf(sessions.endSession, ownSession, endOwnSession),
  route(passkeys.listPasskeys, listPasskeys),
  route(passkeys.passkeyOptions, beginPasskey),
  route(passkeys.addPasskey, addPasskey),
  routeOf(passkeys.renamePasskey, ownPasskey, renamePasskey),
  routeOf(passkeys.removePasskey, ownPasskey, removePasskey),
  route(preferences.showPreferences, showPreferences),
  route(preferences.changePreferences, changePreferences),
  publicRoute(preferences.unsubscribeFromMails, unsubscribe),
  route(activity.listActivity, listActivity),
  route(personalData.downloadData, downloadData),
  route(kyc.listKyc, listKyc),
  route(kyc.listRecipients, listRecipients),
  routeOf(kyc.submitKyc, loadSubmitting, submitKyc),
]
