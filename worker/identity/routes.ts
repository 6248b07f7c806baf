import * as activity from '../../src/contract/identity/activity.ts'
import * as closing from '../../src/contract/identity/closing.ts'
import * as emailChange from '../../src/contract/identity/emailChange.ts'
import * as factorRecovery from '../../src/contract/identity/factorRecovery.ts'
import * as factors from '../../src/contract/identity/factors.ts'
import * as keys from '../../src/contract/identity/keys.ts'
import * as kyc from '../../src/contract/identity/kyc.ts'
import * as passkeys from '../../src/contract/identity/passkeys.ts'
import * as passwords from '../../src/contract/identity/passwords.ts'
import * as personalData from '../../src/contract/identity/personalData.ts'
import * as preferences from '../../src/contract/identity/preferences.ts'
import * as profile from '../../src/contract/identity/profile.ts'
import * as registration from '../../src/contract/identity/registration.ts'
import * as sessions from '../../src/contract/identity/sessions.ts'
import * as signIn from '../../src/contract/identity/signIn.ts'
import * as tax from '../../src/contract/identity/tax.ts'
import { createItemRoute, createRoute, type Route } from '../http/call.ts'
import { requireInvestor } from '../http/scopes.ts'
import { closeAccount } from './closing/close.ts'
import { showClosing } from './closing/show.ts'
import { requestChange } from './emailChange/ask.ts'
import { confirmChange } from './emailChange/confirm.ts'
import { cancelChange, showEmail } from './emailChange/pendingChange.ts'
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
import { showBalances } from './keys/balances.ts'
import { createKey } from './keys/create.ts'
import { listKeys, loadOwnKey, revokeKey } from './keys/own.ts'
import { listKyc } from './kyc/list.ts'
import { listRecipients } from './kyc/recipients.ts'
import { loadSubmitting, submitKyc } from './kyc/submit.ts'
import { addPasskey, beginPasskey } from './passkeys/add.ts'
import { listPasskeys, loadOwnPasskey, removePasskey, renamePasskey } from './passkeys/own.ts'
import { downloadData } from './personalData/download.ts'
import { listActivity } from './preferences/listActivity.ts'
import { changePreferences, showPreferences } from './preferences/preferences.ts'
import { unsubscribe } from './preferences/unsubscribe.ts'
import { changeUserInfo } from './profile/changeUserInfo.ts'
import { showUserInfo } from './profile/userInfo.ts'
import { endOtherSessions, endOwnSession, listSessions, loadOwnSession } from './sessions/sessions.ts'
import { lockAccount } from './signIn/lockAccount.ts'
import { login, logout } from './signIn/login.ts'
import { beginPasskeySignIn, signInWithPasskey } from './signIn/passkeySignIn.ts'
import { register } from './signIn/register.ts'
import { requestPasswordReset, resetPassword } from './signIn/resetPassword.ts'
import { requestSignInLink, signInWithLink } from './signIn/signInLink.ts'
import { resendVerification, verifyEmail } from './signIn/verifyEmail.ts'
import { saveTaxDetails, showTaxDetails } from './tax/tax.ts'

/** Every route of this area. */
export const identityRoutes: readonly Route[] = [
  createRoute(registration.register, register),
  createRoute(signIn.verifyEmail, verifyEmail),
  createRoute(signIn.resendVerification, resendVerification),
  createRoute(signIn.login, login),
  createRoute(signIn.requestSignInLink, requestSignInLink),
  createRoute(signIn.signInWithLink, signInWithLink),
  createRoute(signIn.beginPasskeySignIn, beginPasskeySignIn),
  createRoute(signIn.signInWithPasskey, signInWithPasskey),
  createRoute(passwords.forgotPassword, requestPasswordReset),
  createRoute(passwords.resetPassword, resetPassword),
  createRoute(signIn.lockAccount, lockAccount),
  createRoute(signIn.logout, logout),
  createRoute(factors.twoFactorStatus, showTwoFactor),
  createRoute(factors.twoFactorSetup, setUpTwoFactor),
  createRoute(factors.twoFactorEnable, enableTwoFactor),
  createRoute(factors.twoFactorDisable, disableTwoFactor),
  createRoute(factors.renewRecoveryCodes, renewRecoveryCodes),
  createRoute(factors.confirmFactor, confirmFactor),
  showUserInfo,
  createRoute(profile.patchUserInfo, changeUserInfo),
  createRoute(emailChange.getEmail, showEmail),
  createRoute(emailChange.requestEmailChange, requestChange),
  createRoute(emailChange.cancelEmailChange, cancelChange),
  createRoute(emailChange.confirmEmailChange, confirmChange),
  createRoute(factorRecovery.requestFactorRecovery, requestRecovery),
  createRoute(factorRecovery.confirmFactorRecovery, confirmRecovery),
  createRoute(factorRecovery.stopFactorRecovery, stopRecovery),
  createItemRoute(closing.getClosing, requireInvestor, showClosing),
  createItemRoute(closing.closeAccount, requireInvestor, closeAccount),
  createRoute(sessions.listSessions, listSessions),
  createRoute(sessions.endOtherSessions, endOtherSessions),
  createItemRoute(sessions.endSession, loadOwnSession, endOwnSession),
  createItemRoute(keys.listKeys, requireInvestor, listKeys),
  createItemRoute(keys.createKey, requireInvestor, createKey),
  createItemRoute(keys.revokeKey, loadOwnKey, revokeKey),
  showBalances,
  createRoute(passkeys.listPasskeys, listPasskeys),
  createRoute(passkeys.passkeyOptions, beginPasskey),
  createRoute(passkeys.addPasskey, addPasskey),
  createItemRoute(passkeys.renamePasskey, loadOwnPasskey, renamePasskey),
  createItemRoute(passkeys.removePasskey, loadOwnPasskey, removePasskey),
  createRoute(preferences.showPreferences, showPreferences),
  createRoute(preferences.changePreferences, changePreferences),
  createRoute(preferences.unsubscribeFromMails, unsubscribe),
  createRoute(tax.getTaxDetails, showTaxDetails),
  createRoute(tax.saveTaxDetails, saveTaxDetails),
  createRoute(activity.listActivity, listActivity),
  createRoute(personalData.downloadData, downloadData),
  createRoute(kyc.listKyc, listKyc),
  createRoute(kyc.listRecipients, listRecipients),
  createItemRoute(kyc.submitKyc, loadSubmitting, submitKyc),
]
