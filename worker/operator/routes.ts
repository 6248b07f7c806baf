import * as calls from '../../src/contract/operator.ts'
import { type Route, route, routeOf } from '../lib/route.ts'
import { listAuditLog } from './audit/list.ts'
import { verifyAuditLog } from './audit/verify.ts'
import { showOverview } from './books/overview.ts'
import { showTrialBalance } from './books/trialBalance.ts'
import { approveDeposit, loadDepositToCredit } from './deposits/approve.ts'
import { listDeposits, loadDeposit, showDeposit } from './deposits/queue.ts'
import { showReceipt } from './deposits/receipt.ts'
import { rejectDeposit } from './deposits/reject.ts'
import { freezeInvestor, unfreezeInvestor } from './investors/freeze.ts'
import { loadInvestor } from './investors/investor.ts'
import { listInvestors, showInvestor } from './investors/list.ts'
import { notifyInvestor } from './investors/notify.ts'
import { approveSubmission, rejectSubmission } from './kyc/decide.ts'
import { showDocument } from './kyc/document.ts'
import { listSubmissions, loadSubmission } from './kyc/queue.ts'
import { closeMessage, loadMessage } from './messages/close.ts'
import { listMessages } from './messages/list.ts'
import { approveProposal, loadProposal, rejectProposal } from './proposals/decide.ts'
import { listProposals } from './proposals/list.ts'
import { propose } from './proposals/propose.ts'
import { changeSettings } from './settings/change.ts'
import { showSettings } from './settings/show.ts'
import { listWallets, loadWallet, retireWallet } from './wallets/wallet.ts'
import { approveWithdrawal } from './withdrawals/approve.ts'
import { completeWithdrawal, loadWithdrawalToPay } from './withdrawals/complete.ts'
import { listWithdrawals, loadWithdrawal, showWithdrawal } from './withdrawals/queue.ts'
import { rejectWithdrawal } from './withdrawals/reject.ts'

/** What operators may call. Each endpoint names its scope; the pipeline asks for a second factor and a role that grants it. */
export const operatorRoutes: readonly Route[] = [
  route(calls.getOverview, showOverview),

  route(calls.listDeposits, listDeposits),
  routeOf(calls.getDeposit, loadDeposit, showDeposit),
  routeOf(calls.getReceipt, loadDeposit, showReceipt),
  routeOf(calls.approveDeposit, loadDepositToCredit, approveDeposit),
  routeOf(calls.rejectDeposit, loadDeposit, rejectDeposit),

  route(calls.listWithdrawals, listWithdrawals),
  routeOf(calls.getWithdrawal, loadWithdrawal, showWithdrawal),
  routeOf(calls.approveWithdrawal, loadWithdrawal, approveWithdrawal),
  routeOf(calls.completeWithdrawal, loadWithdrawalToPay, completeWithdrawal),
  routeOf(calls.rejectWithdrawal, loadWithdrawal, rejectWithdrawal),

  route(calls.listKycQueue, listSubmissions),
  routeOf(calls.getKycDocument, loadSubmission, showDocument),
  routeOf(calls.approveKyc, loadSubmission, approveSubmission),
  routeOf(calls.rejectKyc, loadSubmission, rejectSubmission),

  route(calls.listInvestors, listInvestors),
  routeOf(calls.getInvestor, loadInvestor, showInvestor),
  routeOf(calls.freezeInvestor, loadInvestor, freezeInvestor),
  routeOf(calls.unfreezeInvestor, loadInvestor, unfreezeInvestor),
  routeOf(calls.notifyInvestor, loadInvestor, notifyInvestor),

  route(calls.listOperatorWallets, listWallets),
  routeOf(calls.retireWallet, loadWallet, retireWallet),

  route(calls.listProposals, listProposals),
  route(calls.propose, propose),
  routeOf(calls.approveProposal, loadProposal, approveProposal),
  routeOf(calls.rejectProposal, loadProposal, rejectProposal),

  route(calls.listMessages, listMessages),
  routeOf(calls.closeMessage, loadMessage, closeMessage),

  route(calls.getSettings, showSettings),
  route(calls.patchSettings, changeSettings),

  route(calls.listAuditLog, listAuditLog),
  route(calls.verifyAuditLog, verifyAuditLog),
  route(calls.getTrialBalance, showTrialBalance),
]
