import type { Route } from '../http/route.ts'
import { QUEUES } from './books/queues.ts'
import { showOverview } from './books/overview.ts'
import { showHealth, retryMails } from './health/show.ts'
import { showWaiting } from './books/queues.ts'
import { showDeposit, showReceipt } from './deposits/deposit.ts'
import { approveDeposit } from './deposits/approve.ts'
import { rejectDeposit, revokeApproval } from './deposits/reject.ts'
import { showWithdrawal } from './withdrawals/withdrawal.ts'
import { approveWithdrawal, rejectWithdrawal } from './withdrawals/decide.ts'
import { completeWithdrawal } from './withdrawals/complete.ts'
import { listReviewerKeys, addReviewerKey, retireReviewerKey } from './reviewerKeys/reviewerKeys.ts'
import { showDocument, resealDocument } from './kyc/document.ts'
import { approveSubmission, rejectSubmission } from './kyc/decide.ts'
import { proposeRecovery, propose } from './proposals/propose.ts'
import { rejectRecovery } from './factorRecoveries/recoveries.ts'
import { listInvestors } from './investors/list.ts'
import { showInvestor, listInvestorRequests, listInvestorDocuments, listInvestorSessions, listInvestorActivity, showTold } from './investors/file.ts'
import { showKnown } from './investors/known.ts'
import { listInvestorEntries } from './investors/entries.ts'
import { listInvestorNotes, addInvestorNote } from './investors/notes.ts'
import { freezeInvestor, unfreezeInvestor } from './investors/freeze.ts'
import { notifyInvestor, previewNotification } from './investors/notify.ts'
import { endInvestorSessions, showSelf, listOperators, disableOperator, endOperatorSessions } from './operators/operators.ts'
import { listStrategies, suspendStrategy } from './strategies/strategies.ts'
import { listOperatorRecord } from './strategies/record.ts'
import { showStanding, retireWallet } from './wallets/wallet.ts'
import { challengeWallet, proveWallet } from './wallets/prove.ts'
import { announcementReach } from '../outreach/announcements/send.ts'
import { approveProposal, rejectProposal } from './proposals/decide.ts'
import { closeMessage } from './messages/messages.ts'
import { listInvitations, withdrawInvitation, acceptInvitation } from './operators/invitations.ts'
import { inviteOperator, changeRoles, enableOperator, resetFactor } from './proposals/proposeOperator.ts'
import { showSettings, settingHistory } from './settings/history.ts'
import { changeSettings } from './proposals/changeSettings.ts'
import { listAuditLog } from './audit/list.ts'
import { verifyAuditLog } from '../platform/audit/verify.ts'
import { showTrialBalance } from './books/trialBalance.ts'

/** The call with which an invited operator opens their account: the only one here without a session. */
export const invitationRoutes: readonly Route[] = [acceptInvitation]

/** What operators may call. Each endpoint names its scope; the pipeline asks for a second factor and a role that grants it. */
export const operatorRoutes: readonly Route[] = [
  ...Object.values(QUEUES).map(({ route }) => route),

  showOverview,
  showHealth,
  retryMails,
  showWaiting,

  showDeposit,
  showReceipt,
  approveDeposit,
  rejectDeposit,
  revokeApproval,

  showWithdrawal,
  approveWithdrawal,
  completeWithdrawal,
  rejectWithdrawal,

  // Before `:id`, which would take `keys` for a document's.
  listReviewerKeys,
  addReviewerKey,
  retireReviewerKey,
  showDocument,
  resealDocument,
  approveSubmission,
  rejectSubmission,

  proposeRecovery,
  rejectRecovery,

  listInvestors,
  showInvestor,
  showKnown,
  listInvestorEntries,
  listInvestorRequests,
  listInvestorDocuments,
  listInvestorSessions,
  listInvestorActivity,
  listInvestorNotes,
  showTold,
  freezeInvestor,
  unfreezeInvestor,
  notifyInvestor,
  endInvestorSessions,
  addInvestorNote,
  previewNotification,

  listStrategies,
  listOperatorRecord,
  suspendStrategy,
  showStanding,
  challengeWallet,
  proveWallet,
  retireWallet,

  announcementReach,
  propose,
  approveProposal,
  rejectProposal,

  closeMessage,

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
