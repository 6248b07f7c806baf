import * as audit from '../../src/contract/console/audit.ts'
import * as deposits from '../../src/contract/console/deposits.ts'
import * as recoveries from '../../src/contract/console/factorRecoveries.ts'
import * as health from '../../src/contract/console/health.ts'
import * as investorFile from '../../src/contract/console/investorFile.ts'
import * as investors from '../../src/contract/console/investors.ts'
import * as kyc from '../../src/contract/console/kyc.ts'
import * as messages from '../../src/contract/console/messages.ts'
import * as operators from '../../src/contract/console/operators.ts'
import * as overview from '../../src/contract/console/overview.ts'
import * as proposals from '../../src/contract/console/proposals.ts'
import * as reviewerKeys from '../../src/contract/console/reviewerKeys.ts'
import * as settings from '../../src/contract/console/settings.ts'
import * as strategies from '../../src/contract/console/strategies.ts'
import * as wallets from '../../src/contract/console/wallets.ts'
import * as withdrawals from '../../src/contract/console/withdrawals.ts'
import { acceptInvitation as acceptInvitationEndpoint } from '../../src/contract/identity/registration.ts'
import * as announcements from '../../src/contract/outreach/announcements.ts'
import { publicRoute, type Route, route, routeOf } from '../http/route.ts'
import { announcementReach } from '../outreach/announcements/reach.ts'
import { verifyAuditLog } from '../platform/audit/verify.ts'
import { listAuditLog } from './audit/list.ts'
import { showOverview } from './books/overview.ts'
import { showTrialBalance } from './books/trialBalance.ts'
import { showWaiting } from './books/waiting.ts'
import { approveDeposit, loadDepositToCredit } from './deposits/approve.ts'
import { listDeposits, loadDeposit, loadDepositCase, showDeposit } from './deposits/queue.ts'
import { showReceipt } from './deposits/receipt.ts'
import { rejectDeposit } from './deposits/reject.ts'
import { revokeApproval } from './deposits/revokeApproval.ts'
import { listRecoveries } from './factorRecoveries/list.ts'
import { loadRecovery } from './factorRecoveries/recovery.ts'
import { rejectRecovery } from './factorRecoveries/reject.ts'
import { retryMails } from './health/retryMail.ts'
import { showHealth } from './health/show.ts'
import { listInvestorActivity } from './investors/activity.ts'
import { listInvestorDocuments } from './investors/documents.ts'
import { listInvestorEntries } from './investors/entries.ts'
import { freezeInvestor, unfreezeInvestor } from './investors/freeze.ts'
import { loadInvestor } from './investors/investor.ts'
import { loadKnown, showKnown } from './investors/known.ts'
import { listInvestors } from './investors/list.ts'
import { addInvestorNote, listInvestorNotes } from './investors/notes.ts'
import { notifyInvestor } from './investors/notify.ts'
import { previewNotification } from './investors/preview.ts'
import { listInvestorRequests } from './investors/requests.ts'
import { listInvestorSessions } from './investors/sessions.ts'
import { showInvestor } from './investors/show.ts'
import { showTold } from './investors/told.ts'
import { approveSubmission, rejectSubmission } from './kyc/decide.ts'
import { showDocument } from './kyc/document.ts'
import { listSubmissions, loadSubmission } from './kyc/queue.ts'
import { resealDocument } from './kyc/reseal.ts'
import { closeMessage, loadMessage } from './messages/close.ts'
import { listMessages } from './messages/list.ts'
import { acceptInvitation } from './operators/acceptInvitation.ts'
import { disableOperator } from './operators/disable.ts'
import { endInvestorSessions, endOperatorSessions } from './operators/endSessions.ts'
import { listInvitations, loadInvitation, withdrawInvitation } from './operators/invitation.ts'
import { listOperators, showSelf } from './operators/list.ts'
import { loadOperator } from './operators/operator.ts'
import { changeSettings } from './proposals/changeSettings.ts'
import { approveProposal, loadProposal, rejectProposal } from './proposals/decide.ts'
import { listProposals } from './proposals/list.ts'
import { propose } from './proposals/propose.ts'
import {
  changeRoles,
  enableOperator,
  inviteOperator,
  resetFactor,
} from './proposals/proposeOperatorChange.ts'
import { proposeRecovery } from './proposals/proposeRecovery.ts'
import { addReviewerKey } from './reviewerKeys/add.ts'
import { listReviewerKeys, loadReviewerKey } from './reviewerKeys/key.ts'
import { retireReviewerKey } from './reviewerKeys/retire.ts'
import { settingHistory } from './settings/history.ts'
import { showSettings } from './settings/show.ts'
import { listStrategies, loadStrategy } from './strategies/list.ts'
import { listOperatorRecord } from './strategies/record.ts'
import { suspendStrategy } from './strategies/suspend.ts'
import { challengeWallet } from './wallets/challenge.ts'
import { listWallets } from './wallets/list.ts'
import { proveWallet } from './wallets/prove.ts'
import { retireWallet } from './wallets/retire.ts'
import { showStanding } from './wallets/standing.ts'
import { loadWallet } from './wallets/wallet.ts'
import { approveWithdrawal } from './withdrawals/approve.ts'
import { completeWithdrawal, loadWithdrawalToPay } from './withdrawals/complete.ts'
import { listWithdrawals, loadWithdrawal, loadWithdrawalCase, showWithdrawal } from './withdrawals/queue.ts'
import { rejectWithdrawal } from './withdrawals/reject.ts'

/** What operators may call. Each endpoint names its scope; the pipeline asks for a second factor and a role that grants it. */
/** By which an invited operator opens their account: the only call here that needs no session. */
export const invitationRoutes: readonly Route[] = [publicRoute(acceptInvitationEndpoint, acceptInvitation)]

export const operatorRoutes: readonly Route[] = [
  route(overview.getOverview, showOverview),
  route(health.getHealth, showHealth),
  route(health.retryMail, retryMails),
  route(overview.getWaiting, showWaiting),

  route(deposits.listDeposits, listDeposits),
  routeOf(deposits.getDeposit, loadDepositCase, showDeposit),
  routeOf(deposits.getReceipt, loadDeposit, showReceipt),
  routeOf(deposits.approveDeposit, loadDepositToCredit, approveDeposit),
  routeOf(deposits.rejectDeposit, loadDeposit, rejectDeposit),
  routeOf(deposits.revokeApproval, loadDeposit, revokeApproval),

  route(withdrawals.listWithdrawals, listWithdrawals),
  routeOf(withdrawals.getWithdrawal, loadWithdrawalCase, showWithdrawal),
  routeOf(withdrawals.approveWithdrawal, loadWithdrawal, approveWithdrawal),
  routeOf(withdrawals.completeWithdrawal, loadWithdrawalToPay, completeWithdrawal),
  routeOf(withdrawals.rejectWithdrawal, loadWithdrawal, rejectWithdrawal),

  route(kyc.listKycQueue, listSubmissions),
  // Before `:id`, which would take `keys` for a document's.
  route(reviewerKeys.listReviewerKeys, listReviewerKeys),
  route(reviewerKeys.addReviewerKey, addReviewerKey),
  routeOf(reviewerKeys.retireReviewerKey, loadReviewerKey, retireReviewerKey),
  routeOf(kyc.getKycDocument, loadSubmission, showDocument),
  routeOf(kyc.resealKycDocument, loadSubmission, resealDocument),
  routeOf(kyc.approveKyc, loadSubmission, approveSubmission),
  routeOf(kyc.rejectKyc, loadSubmission, rejectSubmission),

  route(recoveries.listFactorRecoveries, listRecoveries),
  routeOf(recoveries.proposeFactorRecovery, loadRecovery, proposeRecovery),
  routeOf(recoveries.rejectFactorRecovery, loadRecovery, rejectRecovery),

  route(investors.listInvestors, listInvestors),
  route(investors.getInvestor, showInvestor),
  routeOf(investors.getKnown, loadKnown, showKnown),
  route(investorFile.listInvestorEntries, listInvestorEntries),
  route(investorFile.listInvestorRequests, listInvestorRequests),
  route(investorFile.listInvestorDocuments, listInvestorDocuments),
  route(investorFile.listInvestorSessions, listInvestorSessions),
  route(investorFile.listInvestorActivity, listInvestorActivity),
  route(investorFile.listInvestorNotes, listInvestorNotes),
  route(investorFile.getInvestorTold, showTold),
  routeOf(investors.freezeInvestor, loadInvestor, freezeInvestor),
  routeOf(investors.unfreezeInvestor, loadInvestor, unfreezeInvestor),
  routeOf(investors.notifyInvestor, loadInvestor, notifyInvestor),
  routeOf(investors.endInvestorSessions, loadInvestor, endInvestorSessions),
  routeOf(investors.addInvestorNote, loadInvestor, addInvestorNote),
  route(investors.previewNotification, previewNotification),

  route(strategies.listOperatorStrategies, listStrategies),
  route(strategies.listOperatorRecord, listOperatorRecord),
  routeOf(strategies.suspendStrategy, loadStrategy, suspendStrategy),
  route(wallets.listOperatorWallets, listWallets),
  route(wallets.getWalletsStanding, showStanding),
  routeOf(wallets.challengeWallet, loadWallet, challengeWallet),
  routeOf(wallets.proveWallet, loadWallet, proveWallet),
  routeOf(wallets.retireWallet, loadWallet, retireWallet),

  route(announcements.getAnnouncementReach, announcementReach),
  route(proposals.listProposals, listProposals),
  route(proposals.propose, propose),
  routeOf(proposals.approveProposal, loadProposal, approveProposal),
  routeOf(proposals.rejectProposal, loadProposal, rejectProposal),

  route(messages.listMessages, listMessages),
  routeOf(messages.closeMessage, loadMessage, closeMessage),

  route(operators.getSelf, showSelf),
  route(operators.listOperators, listOperators),
  route(operators.listInvitations, listInvitations),
  route(operators.inviteOperator, inviteOperator),
  routeOf(operators.withdrawInvitation, loadInvitation, withdrawInvitation),
  routeOf(operators.changeRoles, loadOperator, changeRoles),
  routeOf(operators.disableOperator, loadOperator, disableOperator),
  routeOf(operators.enableOperator, loadOperator, enableOperator),
  routeOf(operators.resetFactor, loadOperator, resetFactor),
  routeOf(operators.endOperatorSessions, loadOperator, endOperatorSessions),

  route(settings.getSettings, showSettings),
  route(settings.listSettingHistory, settingHistory),
  route(settings.patchSettings, changeSettings),

  route(audit.listAuditLog, listAuditLog),
  route(audit.verifyAuditLog, verifyAuditLog),
  route(overview.getTrialBalance, showTrialBalance),
]
