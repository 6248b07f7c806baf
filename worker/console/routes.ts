import * as addKey from '../../src/contract/console/addReviewerKey.ts'
import * as reach from '../../src/contract/console/announcementReach.ts'
import * as audit from '../../src/contract/console/audit.ts'
import * as changeOperators from '../../src/contract/console/changeOperators.ts'
import * as settingChanges from '../../src/contract/console/changeSettings.ts'
import * as deposits from '../../src/contract/console/deposits.ts'
import * as recoveries from '../../src/contract/console/factorRecoveries.ts'
import * as health from '../../src/contract/console/health.ts'
import * as investorActs from '../../src/contract/console/investorActs.ts'
import * as investorFile from '../../src/contract/console/investorFile.ts'
import * as investors from '../../src/contract/console/investors.ts'
import * as known from '../../src/contract/console/known.ts'
import * as kyc from '../../src/contract/console/kyc.ts'
import * as ledger from '../../src/contract/console/ledger.ts'
import * as messages from '../../src/contract/console/messages.ts'
import * as operators from '../../src/contract/console/operators.ts'
import * as overview from '../../src/contract/console/overview.ts'
import * as proposals from '../../src/contract/console/proposals.ts'
import * as queues from '../../src/contract/console/queues.ts'
import * as retireKey from '../../src/contract/console/retireReviewerKey.ts'
import * as retry from '../../src/contract/console/retryMail.ts'
import * as reviewerKeys from '../../src/contract/console/reviewerKeys.ts'
import * as self from '../../src/contract/console/self.ts'
import * as settingHistories from '../../src/contract/console/settingHistory.ts'
import * as settings from '../../src/contract/console/settings.ts'
import * as strategies from '../../src/contract/console/strategies.ts'
import { suspendStrategy as suspendEndpoint } from '../../src/contract/console/suspendStrategy.ts'
import * as waiting from '../../src/contract/console/waiting.ts'
import * as walletChanges from '../../src/contract/console/walletChanges.ts'
import * as wallets from '../../src/contract/console/wallets.ts'
import * as withdrawals from '../../src/contract/console/withdrawals.ts'
import { acceptInvitation as acceptInvitationEndpoint } from '../../src/contract/identity/invitation.ts'
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
  route(retry.retryMail, retryMails),
  route(waiting.getWaiting, showWaiting),

  route(queues.listDeposits, listDeposits),
  routeOf(deposits.getDeposit, loadDepositCase, showDeposit),
  routeOf(deposits.getReceipt, loadDeposit, showReceipt),
  routeOf(deposits.approveDeposit, loadDepositToCredit, approveDeposit),
  routeOf(deposits.rejectDeposit, loadDeposit, rejectDeposit),
  routeOf(deposits.revokeApproval, loadDeposit, revokeApproval),

  route(queues.listWithdrawals, listWithdrawals),
  routeOf(withdrawals.getWithdrawal, loadWithdrawalCase, showWithdrawal),
  routeOf(withdrawals.approveWithdrawal, loadWithdrawal, approveWithdrawal),
  routeOf(withdrawals.completeWithdrawal, loadWithdrawalToPay, completeWithdrawal),
  routeOf(withdrawals.rejectWithdrawal, loadWithdrawal, rejectWithdrawal),

  route(queues.listKycQueue, listSubmissions),
  // Before `:id`, which would take `keys` for a document's.
  route(reviewerKeys.listReviewerKeys, listReviewerKeys),
  route(addKey.addReviewerKey, addReviewerKey),
  routeOf(retireKey.retireReviewerKey, loadReviewerKey, retireReviewerKey),
  routeOf(kyc.getKycDocument, loadSubmission, showDocument),
  routeOf(kyc.resealKycDocument, loadSubmission, resealDocument),
  routeOf(kyc.approveKyc, loadSubmission, approveSubmission),
  routeOf(kyc.rejectKyc, loadSubmission, rejectSubmission),

  route(recoveries.listFactorRecoveries, listRecoveries),
  routeOf(recoveries.proposeFactorRecovery, loadRecovery, proposeRecovery),
  routeOf(recoveries.rejectFactorRecovery, loadRecovery, rejectRecovery),

  route(investors.listInvestors, listInvestors),
  route(investors.getInvestor, showInvestor),
  routeOf(known.getKnown, loadKnown, showKnown),
  route(investorFile.listInvestorEntries, listInvestorEntries),
  route(investorFile.listInvestorRequests, listInvestorRequests),
  route(investorFile.listInvestorDocuments, listInvestorDocuments),
  route(investorFile.listInvestorSessions, listInvestorSessions),
  route(investorFile.listInvestorActivity, listInvestorActivity),
  route(investorFile.listInvestorNotes, listInvestorNotes),
  route(investorFile.getInvestorTold, showTold),
  routeOf(investorActs.freezeInvestor, loadInvestor, freezeInvestor),
  routeOf(investorActs.unfreezeInvestor, loadInvestor, unfreezeInvestor),
  routeOf(investorActs.notifyInvestor, loadInvestor, notifyInvestor),
  routeOf(investorActs.endInvestorSessions, loadInvestor, endInvestorSessions),
  routeOf(investorActs.addInvestorNote, loadInvestor, addInvestorNote),
  route(investorActs.previewNotification, previewNotification),

  route(strategies.listOperatorStrategies, listStrategies),
  route(strategies.listOperatorRecord, listOperatorRecord),
  routeOf(suspendEndpoint, loadStrategy, suspendStrategy),
  route(wallets.listOperatorWallets, listWallets),
  route(wallets.getWalletsStanding, showStanding),
  routeOf(walletChanges.challengeWallet, loadWallet, challengeWallet),
  routeOf(walletChanges.proveWallet, loadWallet, proveWallet),
  routeOf(walletChanges.retireWallet, loadWallet, retireWallet),

  route(reach.getAnnouncementReach, announcementReach),
  route(queues.listProposals, listProposals),
  route(proposals.propose, propose),
  routeOf(proposals.approveProposal, loadProposal, approveProposal),
  routeOf(proposals.rejectProposal, loadProposal, rejectProposal),

  route(queues.listMessages, listMessages),
  routeOf(messages.closeMessage, loadMessage, closeMessage),

  route(self.getSelf, showSelf),
  route(operators.listOperators, listOperators),
  route(operators.listInvitations, listInvitations),
  route(changeOperators.inviteOperator, inviteOperator),
  routeOf(changeOperators.withdrawInvitation, loadInvitation, withdrawInvitation),
  routeOf(changeOperators.changeRoles, loadOperator, changeRoles),
  routeOf(changeOperators.disableOperator, loadOperator, disableOperator),
  routeOf(changeOperators.enableOperator, loadOperator, enableOperator),
  routeOf(changeOperators.resetFactor, loadOperator, resetFactor),
  routeOf(changeOperators.endOperatorSessions, loadOperator, endOperatorSessions),

  route(settings.getSettings, showSettings),
  route(settingHistories.listSettingHistory, settingHistory),
  route(settingChanges.patchSettings, changeSettings),

  route(audit.listAuditLog, listAuditLog),
  route(audit.verifyAuditLog, verifyAuditLog),
  route(ledger.getTrialBalance, showTrialBalance),
]
