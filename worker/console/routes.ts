import { buildPayout } from '../chains/payouts/build.ts'
import { cancelPayout } from '../chains/payouts/cancel.ts'
import { payoutFees } from '../chains/payouts/fees.ts'
import { showPayout, showPayouts } from '../chains/payouts/payout.ts'
import { releasePayout } from '../chains/payouts/release.ts'
import { replacePayout } from '../chains/payouts/replace.ts'
import { challengeWatchWallet, listWatchWallets } from '../chains/watchWallets/watchWallets.ts'
import type { Route } from '../http/call.ts'
import { announcementReach } from '../outreach/announcements/send.ts'
import { verifyAuditLog } from '../platform/audit/verify.ts'
import { listAuditLog } from './audit/list.ts'
import { showTrialBalance } from './books/books.ts'
import { showOverview } from './books/overview.ts'
import { QUEUES, showWaiting } from './books/queues.ts'
import { assignmentRoutes } from './cases/assignments.ts'
import { approveDeposit } from './deposits/approve.ts'
import { showDeposit, showReceipt } from './deposits/deposit.ts'
import { rejectDeposit, revokeApproval } from './deposits/reject.ts'
import { rejectRecovery } from './factorRecoveries/recoveries.ts'
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
import { showInvestorSummary } from './investors/known.ts'
import { listInvestors } from './investors/list.ts'
import { notifyInvestor, previewNotification } from './investors/notify.ts'
import { endSilentFreeze, freezeSilently } from './investors/silentFreeze.ts'
import { approveSubmission, rejectSubmission } from './kyc/decide.ts'
import { resealDocument, showDocument } from './kyc/document.ts'
import { closeMessage, reopenMessage, replyToMessage } from './messages/decide.ts'
import { showMessage } from './messages/thread.ts'
import { listInvitations, withdrawInvitation } from './operators/invitations.ts'
import {
  disableOperator,
  endInvestorSessions,
  endOperatorSessions,
  listOperators,
  showSelf,
} from './operators/operators.ts'
import { closeOperatorPayment } from './payments/list.ts'
import { changeSettings } from './proposals/changeSettings.ts'
import { approveProposal, rejectProposal } from './proposals/decide.ts'
import { showProposal } from './proposals/proposal.ts'
import { propose, proposeRecovery } from './proposals/propose.ts'
import { changeRoles, enableOperator, inviteOperator, resetFactor } from './proposals/proposeOperator.ts'
import { retireWatchWallet } from './proposals/retireWatchWallet.ts'
import { addReviewerKey, listReviewerKeys, retireReviewerKey } from './reviewerKeys/reviewerKeys.ts'
import { search } from './search/search.ts'
import { settingHistory, showSettings } from './settings/history.ts'
import {
  listOperatorGaps,
  listOperatorRecord,
  listStrategies,
  suspendStrategy,
} from './strategies/strategies.ts'
import { showVenue, stopTrading } from './venue/venue.ts'
import { challengeWallet, proveWallet } from './wallets/prove.ts'
import { retireWallet, showPaymentWallets } from './wallets/wallet.ts'
import { approveWithdrawal, completeWithdrawal, rejectWithdrawal } from './withdrawals/decide.ts'
import { showWithdrawal } from './withdrawals/withdrawal.ts'
import { listWork } from './work/list.ts'

/** All operator routes. Each endpoint names its scope; the pipeline requires a second factor and a role that grants it. */
export const operatorRoutes: readonly Route[] = [
  ...Object.values(QUEUES).map(({ route }) => route),

  showOverview,
  showHealth,
  retryMails,
  retryBlocks,
  showWaiting,
  listWork,
  search,

  showDeposit,
  showReceipt,
  approveDeposit,
  rejectDeposit,
  revokeApproval,

  showWithdrawal,
  approveWithdrawal,
  completeWithdrawal,
  rejectWithdrawal,

  showPayouts,
  payoutFees,
  buildPayout,
  showPayout,
  releasePayout,
  replacePayout,
  cancelPayout,

  // Before `:id`, which would match `keys` as a document's id.
  listReviewerKeys,
  addReviewerKey,
  retireReviewerKey,
  showDocument,
  resealDocument,
  approveSubmission,
  rejectSubmission,

  proposeRecovery,
  rejectRecovery,

  ...assignmentRoutes,

  listInvestors,
  showInvestor,
  showInvestorSummary,
  listInvestorEntries,
  listInvestorRequests,
  listInvestorDocuments,
  listInvestorSessions,
  listInvestorActivity,
  listInvestorNotes,
  showNotifications,
  freezeInvestor,
  unfreezeInvestor,
  freezeSilently,
  endSilentFreeze,
  notifyInvestor,
  endInvestorSessions,
  addInvestorNote,
  previewNotification,

  listStrategies,
  listOperatorGaps,
  listOperatorRecord,
  suspendStrategy,
  showVenue,
  stopTrading,
  showPaymentWallets,
  challengeWallet,
  proveWallet,
  retireWallet,
  challengeWatchWallet,
  listWatchWallets,
  retireWatchWallet,
  closeOperatorPayment,

  announcementReach,
  showProposal,
  propose,
  approveProposal,
  rejectProposal,

  showMessage,
  replyToMessage,
  closeMessage,
  reopenMessage,

  showSelf,
  listOperators,
  listInvitations,
  inviteOperator,
  withdrawInvitation,
  changeRoles,
  disableOperator,
  enableOperator,
  resetFactor,
  endOperatorSessions,

  showSettings,
  settingHistory,
  changeSettings,

  listAuditLog,
  verifyAuditLog,
  showTrialBalance,
]
