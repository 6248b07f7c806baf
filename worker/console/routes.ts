import * as audit from '../../src/contract/console/audit.ts'
import * as deposits from '../../src/contract/console/deposits.ts'
import * as factorRecoveries from '../../src/contract/console/factorRecoveries.ts'
import * as handover from '../../src/contract/console/handover.ts'
import * as health from '../../src/contract/console/health.ts'
import * as investorFile from '../../src/contract/console/investorFile.ts'
import * as investors from '../../src/contract/console/investors.ts'
import * as kyc from '../../src/contract/console/kyc.ts'
import * as messages from '../../src/contract/console/messages.ts'
import * as monitoring from '../../src/contract/console/monitoring.ts'
import * as operators from '../../src/contract/console/operators.ts'
import * as overview from '../../src/contract/console/overview.ts'
import * as payouts from '../../src/contract/console/payouts.ts'
import * as proposalBodies from '../../src/contract/console/proposalBodies.ts'
import * as proposals from '../../src/contract/console/proposals.ts'
import * as reports from '../../src/contract/console/reports.ts'
import * as reviewerKeys from '../../src/contract/console/reviewerKeys.ts'
import * as sanctions from '../../src/contract/console/sanctions.ts'
import * as searchContract from '../../src/contract/console/search.ts'
import * as settings from '../../src/contract/console/settings.ts'
import * as strategies from '../../src/contract/console/strategies.ts'
import * as treasury from '../../src/contract/console/treasury.ts'
import * as venue from '../../src/contract/console/venue.ts'
import * as wallets from '../../src/contract/console/wallets.ts'
import * as watchWallets from '../../src/contract/console/watchWallets.ts'
import * as withdrawals from '../../src/contract/console/withdrawals.ts'
import * as workItems from '../../src/contract/console/workItems.ts'
import * as announcements from '../../src/contract/outreach/announcements.ts'
import { buildPayout } from '../chains/payouts/build.ts'
import { cancelPayout } from '../chains/payouts/cancel.ts'
import { payoutFees } from '../chains/payouts/fees.ts'
import { loadPayout, showPayout, showPayouts } from '../chains/payouts/payout.ts'
import { releasePayout } from '../chains/payouts/release.ts'
import { replacePayout } from '../chains/payouts/replace.ts'
import {
  challengeWatchWallet,
  listWatchWallets,
  loadWatchWallet,
} from '../chains/watchWallets/watchWallets.ts'
import { createItemRoute, createReadRoute, createRoute, type Route } from '../http/call.ts'
import { announcementReach } from '../outreach/announcements/send.ts'
import { verifyAuditLog } from '../platform/audit/verify.ts'
import { listAuditLog } from './audit/list.ts'
import { showTrialBalance } from './books/books.ts'
import { readOverview, showOverview } from './books/overview.ts'
import { approveDeposit, loadDepositToCredit } from './deposits/approve.ts'
import { loadDeposit, loadDepositToShow, showDeposit, showReceipt } from './deposits/deposit.ts'
import { depositQueue } from './deposits/queue.ts'
import { loadDepositToReject, loadDepositToRevoke, rejectDeposit, revokeApproval } from './deposits/reject.ts'
import {
  factorRecoveryQueue,
  loadRecovery,
  loadRecoveryToPropose,
  rejectRecovery,
} from './factorRecoveries/recoveries.ts'
import { listHandover, loadHandover, markHandoverRead, writeHandover } from './handover/handover.ts'
import { showMonitoring } from './health/monitoring.ts'
import { retryBlocks, retryMails, showHealth } from './health/show.ts'
import { listInvestorEntries } from './investors/entries.ts'
import {
  addInvestorNote,
  listInvestorActivity,
  listInvestorDocuments,
  listInvestorNotes,
  listInvestorRequests,
  listInvestorSessions,
  showInvestor,
  showNotifications,
} from './investors/file.ts'
import { freezeInvestor, unfreezeInvestor } from './investors/freeze.ts'
import { loadInvestor } from './investors/investor.ts'
import { loadSummary, showInvestorSummary } from './investors/known.ts'
import { investorQueue } from './investors/list.ts'
import { notifyInvestor, previewNotification } from './investors/notify.ts'
import { endSilentFreeze, freezeSilently } from './investors/silentFreeze.ts'
import {
  approveSubmission,
  loadSubmissionToApprove,
  loadSubmissionToReject,
  rejectSubmission,
} from './kyc/decide.ts'
import { resealDocument, showDocument } from './kyc/document.ts'
import { kycQueue, loadSubmission } from './kyc/queue.ts'
import { closeMessage, reopenMessage, replyToMessage } from './messages/decide.ts'
import { messageQueue } from './messages/messages.ts'
import { loadThread, showMessage } from './messages/thread.ts'
import { listInvitations, loadInvitation, withdrawInvitation } from './operators/invitations.ts'
import {
  createMonitoringToken,
  listMonitoringTokens,
  loadMonitoringToken,
  revokeMonitoringToken,
} from './operators/monitoringTokens.ts'
import {
  disableOperator,
  endInvestorSessions,
  endOperatorSessions,
  listOperators,
  loadOperator,
  showSelf,
} from './operators/operators.ts'
import { closeOperatorPayment, loadPayment, paymentQueue } from './payments/list.ts'
import { changeSettings } from './proposals/changeSettings.ts'
import { approveProposal, loadProposal, rejectProposal } from './proposals/decide.ts'
import { proposalQueue, showProposal } from './proposals/proposal.ts'
import { propose, proposeRecovery } from './proposals/propose.ts'
import { changeRoles, enableOperator, inviteOperator, resetFactor } from './proposals/proposeOperator.ts'
import { retireWatchWallet } from './proposals/retireWatchWallet.ts'
import { exportCarf, showCarfGaps } from './reports/carf.ts'
import {
  addReviewerKey,
  listReviewerKeys,
  loadReviewerKey,
  retireReviewerKey,
} from './reviewerKeys/reviewerKeys.ts'
import { previewSettings } from './risk/preview.ts'
import { clearHit, loadHit, sanctionsQueue } from './sanctions/hits.ts'
import { search } from './search/search.ts'
import { settingHistory, showSettings } from './settings/history.ts'
import {
  listOperatorGaps,
  listOperatorRecord,
  listStrategies,
  loadStrategyToSuspend,
  suspendStrategy,
} from './strategies/strategies.ts'
import { entries, proposeEntry, showEntryDocument } from './treasury/entries.ts'
import { pausePayouts } from './treasury/pause.ts'
import { clearDifference, loadDifference, showTreasury } from './treasury/show.ts'
import { showVenue, stopTrading } from './venue/venue.ts'
import { challengeWallet, proveWallet } from './wallets/prove.ts'
import { loadWallet, retireWallet, showPaymentWallets, walletQueue } from './wallets/wallet.ts'
import {
  approveWithdrawal,
  completeWithdrawal,
  loadWithdrawalToApprove,
  loadWithdrawalToPay,
  loadWithdrawalToReject,
  rejectWithdrawal,
} from './withdrawals/decide.ts'
import { withdrawalQueue } from './withdrawals/queue.ts'
import { loadWithdrawalCase, showWithdrawal } from './withdrawals/withdrawal.ts'
import { askInvestor, loadCaseToAsk } from './work/ask.ts'
import { assignCase, listColleagues, loadCaseToAssign } from './work/assign.ts'
import { showWaiting } from './work/kinds.ts'
import { listWork } from './work/list.ts'

/** All operator routes. Each endpoint names its scope; the pipeline requires a second factor and a role that grants it. */
export const operatorRoutes: readonly Route[] = [
  depositQueue,
  withdrawalQueue,
  kycQueue,
  messageQueue,
  proposalQueue,
  walletQueue,
  factorRecoveryQueue,
  paymentQueue,

  createReadRoute(overview.getOverview, readOverview, showOverview),
  createRoute(health.getHealth, showHealth),
  createRoute(health.retryMail, retryMails),
  createRoute(health.retryBlocks, retryBlocks),
  createRoute(overview.getWaiting, showWaiting),
  createRoute(workItems.getWork, listWork),
  createRoute(searchContract.searchConsole, search),

  createItemRoute(deposits.getDeposit, loadDepositToShow, showDeposit),
  createItemRoute(deposits.getReceipt, loadDeposit, showReceipt),
  createItemRoute(deposits.approveDeposit, loadDepositToCredit, approveDeposit),
  createItemRoute(deposits.rejectDeposit, loadDepositToReject, rejectDeposit),
  createItemRoute(deposits.revokeApproval, loadDepositToRevoke, revokeApproval),

  createItemRoute(withdrawals.getWithdrawal, loadWithdrawalCase, showWithdrawal),
  createItemRoute(withdrawals.approveWithdrawal, loadWithdrawalToApprove, approveWithdrawal),
  createItemRoute(withdrawals.completeWithdrawal, loadWithdrawalToPay, completeWithdrawal),
  createItemRoute(withdrawals.rejectWithdrawal, loadWithdrawalToReject, rejectWithdrawal),

  showPayouts,
  createRoute(payouts.getPayoutFees, payoutFees),
  createRoute(payouts.buildPayout, buildPayout),
  createItemRoute(payouts.getPayout, loadPayout, showPayout),
  createItemRoute(payouts.releasePayout, loadPayout, releasePayout),
  createItemRoute(payouts.replacePayout, loadPayout, replacePayout),
  createItemRoute(payouts.cancelPayout, loadPayout, cancelPayout),

  // Before `:id`, which would match `keys` as a document's id.
  createRoute(reviewerKeys.listReviewerKeys, listReviewerKeys),
  createRoute(reviewerKeys.addReviewerKey, addReviewerKey),
  createItemRoute(reviewerKeys.retireReviewerKey, loadReviewerKey, retireReviewerKey),
  createItemRoute(kyc.getKycDocument, loadSubmission, showDocument),
  createItemRoute(kyc.resealKycDocument, loadSubmission, resealDocument),
  createItemRoute(kyc.approveKyc, loadSubmissionToApprove, approveSubmission),
  createItemRoute(kyc.rejectKyc, loadSubmissionToReject, rejectSubmission),

  createItemRoute(factorRecoveries.proposeFactorRecovery, loadRecoveryToPropose, proposeRecovery),
  createItemRoute(factorRecoveries.rejectFactorRecovery, loadRecovery, rejectRecovery),

  sanctionsQueue,
  createItemRoute(sanctions.clearSanctionsHit, loadHit, clearHit),

  createRoute(workItems.listColleagues, listColleagues),
  createItemRoute(workItems.assignCase, loadCaseToAssign, assignCase),
  createItemRoute(workItems.askInvestor, loadCaseToAsk, askInvestor),
  createRoute(handover.listHandover, listHandover),
  createRoute(handover.writeHandover, writeHandover),
  createItemRoute(handover.markHandoverRead, loadHandover, markHandoverRead),

  investorQueue,
  createRoute(investors.getInvestor, showInvestor),
  createItemRoute(investors.getInvestorSummary, loadSummary, showInvestorSummary),
  createRoute(investorFile.listInvestorEntries, listInvestorEntries),
  createRoute(investorFile.listInvestorRequests, listInvestorRequests),
  createRoute(investorFile.listInvestorDocuments, listInvestorDocuments),
  createRoute(investorFile.listInvestorSessions, listInvestorSessions),
  createRoute(investorFile.listInvestorActivity, listInvestorActivity),
  createRoute(investorFile.listInvestorNotes, listInvestorNotes),
  createRoute(investorFile.getReceivedMessages, showNotifications),
  createItemRoute(investors.freezeInvestor, loadInvestor, freezeInvestor),
  createItemRoute(investors.unfreezeInvestor, loadInvestor, unfreezeInvestor),
  createItemRoute(investors.freezeSilently, loadInvestor, freezeSilently),
  createItemRoute(investors.endSilentFreeze, loadInvestor, endSilentFreeze),
  createItemRoute(investors.notifyInvestor, loadInvestor, notifyInvestor),
  createItemRoute(investors.endInvestorSessions, loadInvestor, endInvestorSessions),
  createItemRoute(investors.addInvestorNote, loadInvestor, addInvestorNote),
  createRoute(investors.previewNotification, previewNotification),

  createRoute(strategies.listOperatorStrategies, listStrategies),
  createRoute(strategies.listOperatorGaps, listOperatorGaps),
  createRoute(strategies.listOperatorRecord, listOperatorRecord),
  createItemRoute(strategies.suspendStrategy, loadStrategyToSuspend, suspendStrategy),
  createRoute(venue.showVenue, showVenue),
  createRoute(reports.getCarfGaps, showCarfGaps),
  createRoute(reports.exportCarf, exportCarf),
  createRoute(treasury.getTreasury, showTreasury),
  createRoute(treasury.pausePayouts, pausePayouts),
  entries,
  createRoute(treasury.proposeEntry, proposeEntry),
  createRoute(treasury.getEntryDocument, showEntryDocument),
  createItemRoute(treasury.clearDifference, loadDifference, clearDifference),

  createRoute(venue.stopTrading, stopTrading),
  createRoute(wallets.getWalletsStatus, showPaymentWallets),
  createItemRoute(wallets.challengeWallet, loadWallet, challengeWallet),
  createItemRoute(wallets.proveWallet, loadWallet, proveWallet),
  createItemRoute(wallets.retireWallet, loadWallet, retireWallet),
  createRoute(watchWallets.challengeWatchWallet, challengeWatchWallet),
  listWatchWallets,
  createItemRoute(watchWallets.retireWatchWallet, loadWatchWallet, retireWatchWallet),
  createItemRoute(watchWallets.closeOperatorPayment, loadPayment, closeOperatorPayment),

  createRoute(announcements.getAnnouncementReach, announcementReach),
  createRoute(proposals.getProposal, showProposal),
  createRoute(proposalBodies.propose, propose),
  createItemRoute(proposals.approveProposal, loadProposal, approveProposal),
  createItemRoute(proposals.rejectProposal, loadProposal, rejectProposal),

  createItemRoute(messages.getMessage, loadThread, showMessage),
  createItemRoute(messages.replyToMessage, loadThread, replyToMessage),
  createItemRoute(messages.closeMessage, loadThread, closeMessage),
  createItemRoute(messages.reopenMessage, loadThread, reopenMessage),

  createRoute(operators.getSelf, showSelf),
  listOperators,
  listInvitations,
  createRoute(operators.inviteOperator, inviteOperator),
  createItemRoute(operators.withdrawInvitation, loadInvitation, withdrawInvitation),
  createItemRoute(operators.changeRoles, loadOperator, changeRoles),
  createItemRoute(operators.disableOperator, loadOperator, disableOperator),
  createItemRoute(operators.enableOperator, loadOperator, enableOperator),
  createItemRoute(operators.resetFactor, loadOperator, resetFactor),
  createItemRoute(operators.endOperatorSessions, loadOperator, endOperatorSessions),

  createRoute(monitoring.listMonitoringTokens, listMonitoringTokens),
  createRoute(monitoring.createMonitoringToken, createMonitoringToken),
  createItemRoute(monitoring.revokeMonitoringToken, loadMonitoringToken, revokeMonitoringToken),

  createRoute(settings.getSettings, showSettings),
  createRoute(settings.listSettingHistory, settingHistory),
  createRoute(settings.patchSettings, changeSettings),
  createRoute(settings.previewSettings, previewSettings),

  createRoute(audit.listAuditLog, listAuditLog),
  createRoute(audit.verifyAuditLog, verifyAuditLog),
  createRoute(overview.getTrialBalance, showTrialBalance),
]

/** For programs with a token of their own. Everything else of the console takes an operator's session. */
export const monitoringRoute = createRoute(monitoring.getMonitoring, showMonitoring)
