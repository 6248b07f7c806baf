import * as accountClosing from '../../src/contract/identity/accountClosing.ts'
import * as accountLock from '../../src/contract/identity/accountLock.ts'
import * as activity from '../../src/contract/identity/activity.ts'
import * as auth from '../../src/contract/identity/auth.ts'
import * as emailChange from '../../src/contract/identity/emailChange.ts'
import * as emailChangeCalls from '../../src/contract/identity/emailChangeCalls.ts'
import * as factorProof from '../../src/contract/identity/factorProof.ts'
import * as factorRecovery from '../../src/contract/identity/factorRecovery.ts'
import * as kyc from '../../src/contract/identity/kyc.ts'
import * as logoutCall from '../../src/contract/identity/logout.ts'
import * as passkeyList from '../../src/contract/identity/passkeyList.ts'
import * as passkeys from '../../src/contract/identity/passkeys.ts'
import * as passwords from '../../src/contract/identity/passwords.ts'
import * as personalData from '../../src/contract/identity/personalData.ts'
import * as preferences from '../../src/contract/identity/preferences.ts'
import * as preferencesCalls from '../../src/contract/identity/preferencesCalls.ts'
import * as profile from '../../src/contract/identity/profile.ts'
import * as recoveryCodes from '../../src/contract/identity/recoveryCodes.ts'
import * as registration from '../../src/contract/identity/registration.ts'
import * as sessions from '../../src/contract/identity/sessions.ts'
import * as twoFactorStanding from '../../src/contract/identity/twoFactorStanding.ts'
import * as userInfos from '../../src/contract/identity/userInfo.ts'
import * as recipients from '../../src/contract/money/recipients.ts'
import { investorOnly } from '../http/investorOnly.ts'
import { publicRoute, type Route, route, routeOf } from '../http/route.ts'
import { closeAccount } from './closing/close.ts'
import { showClosing } from './closing/show.ts'
import { askForChange } from './emailChange/ask.ts'
import { confirmChange } from './emailChange/confirm.ts'
import { cancelChange, showEmail } from './emailChange/pending.ts'
import { askRecovery, confirmRecovery } from './factorRecovery/request.ts'
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
import { submitKyc } from './kyc/submit.ts'
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
import { resendVerification, verifyEmail } from './signIn/verifyEmail.ts'

/** Every route of this area. */
export const identityRoutes: readonly Route[] = [
  publicRoute(registration.register, register),
  publicRoute(auth.verifyEmail, verifyEmail),
  publicRoute(auth.resendVerification, resendVerification),
  publicRoute(auth.login, login),
  publicRoute(auth.forgotPassword, forgotPassword),
  publicRoute(passwords.resetPassword, resetPassword),
  publicRoute(accountLock.lockAccount, lockAccount),
  route(logoutCall.logout, logout),
  route(twoFactorStanding.twoFactorStanding, showTwoFactor),
  route(auth.twoFactorSetup, setUpTwoFactor),
  route(auth.twoFactorEnable, enableTwoFactor),
  route(auth.twoFactorDisable, disableTwoFactor),
  route(recoveryCodes.renewRecoveryCodes, renewRecoveryCodes),
  route(factorProof.confirmFactor, confirmFactor),
  route(userInfos.getUserInfo, userInfo),
  route(profile.patchUserInfo, changeUserInfo),
  route(emailChange.getEmail, showEmail),
  route(emailChangeCalls.askForEmailChange, askForChange),
  route(emailChange.cancelEmailChange, cancelChange),
  publicRoute(emailChangeCalls.confirmEmailChange, confirmChange),
  publicRoute(factorRecovery.askFactorRecovery, askRecovery),
  publicRoute(factorRecovery.confirmFactorRecovery, confirmRecovery),
  publicRoute(factorRecovery.stopFactorRecovery, stopRecovery),
  routeOf(accountClosing.getClosing, investorOnly, showClosing),
  routeOf(accountClosing.closeAccount, investorOnly, closeAccount),
  route(sessions.listSessions, listSessions),
  routeOf(sessions.endSession, ownSession, endOwnSession),
  route(passkeyList.listPasskeys, listPasskeys),
  route(passkeys.passkeyOptions, beginPasskey),
  route(passkeys.addPasskey, addPasskey),
  routeOf(passkeys.renamePasskey, ownPasskey, renamePasskey),
  routeOf(passkeys.removePasskey, ownPasskey, removePasskey),
  route(preferences.showPreferences, showPreferences),
  route(preferencesCalls.changePreferences, changePreferences),
  publicRoute(preferencesCalls.unsubscribeFromMails, unsubscribe),
  route(activity.listActivity, listActivity),
  route(personalData.downloadData, downloadData),
  route(kyc.listKyc, listKyc),
  route(recipients.listRecipients, listRecipients),
  routeOf(kyc.submitKyc, investorOnly, submitKyc),
]
