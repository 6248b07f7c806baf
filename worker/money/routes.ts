import * as decisionTimes from '../../src/contract/money/decisionTimes.ts'
import * as deposits from '../../src/contract/money/deposits.ts'
import * as destinationLock from '../../src/contract/money/destinationLock.ts'
import * as destinations from '../../src/contract/money/destinations.ts'
import * as gains from '../../src/contract/money/gains.ts'
import * as liabilities from '../../src/contract/money/liabilities.ts'
import * as payments from '../../src/contract/money/ownPayments.ts'
import * as referrals from '../../src/contract/money/referrals.ts'
import * as statements from '../../src/contract/money/statements.ts'
import * as transactions from '../../src/contract/money/transactions.ts'
import * as wallets from '../../src/contract/money/wallets.ts'
import * as withdrawals from '../../src/contract/money/withdrawals.ts'
import { checkDeposit, checkPayments } from '../chains/follow/check.ts'
import { listReceipts } from '../chains/payments/receipts.ts'
import { listPayments } from '../chains/payments/show.ts'
import { createItemRoute, createRoute, ok, type Route } from '../http/call.ts'
import { requireInvestor } from '../http/scopes.ts'
import { readTogether } from '../lib/database.ts'
import { readDecisionTimes, toDecisionTimes } from './decisionTimes/read.ts'
import { loadDepositing, requestDeposit } from './deposits/request.ts'
import { switchLockOff, switchLockOn } from './destinationLock/switchLock.ts'
import {
  deleteAddress,
  listAddresses,
  loadOwnAddress,
  renameAddress,
  saveAddress,
} from './destinations/addresses.ts'
import { checkBankAccount, checkWallet } from './destinations/check.ts'
import { challengeAddress, proveAddress } from './destinations/prove.ts'
import { fixGainMethod, getGains } from './gains/gains.ts'
import { getLiabilityProof, listLiabilities } from './liabilities/show.ts'
import { getReferralTerms, listReferrals } from './referrals/referrals.ts'
import { cancelDeposit, cancelWithdrawal, loadOwnRequest } from './requests/cancel.ts'
import { getTransaction, listTransactions } from './requests/history.ts'
import { getLimits } from './requests/limits.ts'
import { listEntries } from './statements/figureEntries.ts'
import { getStatement } from './statements/statement.ts'
import { getValueHistory } from './statements/valueHistory.ts'
import { listWallets, serveWalletPicture } from './wallets/wallets.ts'
import { confirmWithdrawal } from './withdrawals/confirmationLink.ts'
import { requestBankWithdrawal, requestWithdrawal } from './withdrawals/request.ts'

/** Every route of this area. */
export const moneyRoutes: readonly Route[] = [
  createRoute(referrals.getReferralTerms, getReferralTerms),
  createRoute(referrals.listReferrals, listReferrals),
  createRoute(destinations.listAddresses, listAddresses),
  createItemRoute(destinations.saveAddress, requireInvestor, saveAddress),
  createItemRoute(destinations.renameAddress, loadOwnAddress, renameAddress),
  createItemRoute(destinations.challengeAddress, loadOwnAddress, challengeAddress),
  createItemRoute(destinations.proveAddress, loadOwnAddress, proveAddress),
  createItemRoute(destinations.deleteAddress, loadOwnAddress, deleteAddress),
  createItemRoute(destinations.checkWallet, requireInvestor, checkWallet),
  createItemRoute(destinations.checkBankAccount, requireInvestor, checkBankAccount),
  createItemRoute(destinationLock.switchLockOn, requireInvestor, switchLockOn),
  createItemRoute(destinationLock.switchLockOff, requireInvestor, switchLockOff),
  createRoute(wallets.listWallets, listWallets),
  createRoute(wallets.walletPicture, serveWalletPicture),
  createItemRoute(deposits.requestDeposit, loadDepositing, requestDeposit),
  createItemRoute(deposits.cancelDeposit, loadOwnRequest('deposits'), cancelDeposit),
  createRoute(payments.listPayments, listPayments),
  createRoute(payments.listReceipts, listReceipts),
  createItemRoute(payments.checkPayments, requireInvestor, checkPayments),
  createItemRoute(payments.checkDeposit, loadOwnRequest('deposits'), checkDeposit),
  createItemRoute(withdrawals.requestWithdrawal, requireInvestor, requestWithdrawal),
  createItemRoute(withdrawals.requestBankWithdrawal, requireInvestor, requestBankWithdrawal),
  createRoute(withdrawals.confirmWithdrawal, confirmWithdrawal),
  createItemRoute(withdrawals.cancelWithdrawal, loadOwnRequest('withdrawals'), cancelWithdrawal),
  listTransactions,
  createRoute(transactions.getTransaction, getTransaction),
  getLimits,
  createRoute(gains.getGains, getGains),
  createItemRoute(gains.fixGainMethod, requireInvestor, fixGainMethod),
  createRoute(statements.getStatement, getStatement),
  createRoute(statements.listEntries, listEntries),
  createRoute(statements.getValueHistory, getValueHistory),
  createRoute(liabilities.listLiabilities, listLiabilities),
  createRoute(liabilities.getLiabilityProof, getLiabilityProof),
  createRoute(decisionTimes.getDecisionTimes, async ({ db }) => {
    const [rows] = await readTogether(db, readDecisionTimes())
    // Measured daily, so an hour in a browser's cache is fine. Private, because the answer may set a visitor's cookie.
    return ok(toDecisionTimes(rows), { 'Cache-Control': 'private, max-age=3600' })
  }),
]
