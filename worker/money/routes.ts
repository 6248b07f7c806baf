import * as decisionTimes from '../../src/contract/money/decisionTimes.ts'
import * as deposits from '../../src/contract/money/deposits.ts'
import * as destinations from '../../src/contract/money/destinations.ts'
import * as liabilities from '../../src/contract/money/liabilities.ts'
import * as limits from '../../src/contract/money/limits.ts'
import * as payments from '../../src/contract/money/ownPayments.ts'
import * as referrals from '../../src/contract/money/referrals.ts'
import * as statements from '../../src/contract/money/statements.ts'
import * as transactions from '../../src/contract/money/transactions.ts'
import * as wallets from '../../src/contract/money/wallets.ts'
import * as withdrawals from '../../src/contract/money/withdrawals.ts'
import { ok, publicRoute, type Route, route, routeOf } from '../http/call.ts'
import { investorOnly } from '../http/scopes.ts'
import { readTogether } from '../lib/database.ts'
import { checkDeposit, checkPayments } from './chain/check.ts'
import { decisionTimesOf, readDecisionTimes } from './decisionTimes/read.ts'
import { loadDepositing, requestDeposit } from './deposits/request.ts'
import {
  deleteAddress,
  listAddresses,
  ownAddress,
  renameAddress,
  saveAddress,
} from './destinations/addresses.ts'
import { checkBankAccount, checkWallet } from './destinations/check.ts'
import { liabilityProof, listLiabilities } from './liabilities/show.ts'
import { listPayments } from './payments/show.ts'
import { listReferrals, referralTerms } from './referrals/referrals.ts'
import { cancelDeposit, cancelWithdrawal, ownRequest } from './requests/cancel.ts'
import { getTransaction, listTransactions } from './requests/history.ts'
import { getLimits } from './requests/limits.ts'
import { listEntries } from './statements/figureEntries.ts'
import { getStatement } from './statements/statement.ts'
import { getValueHistory } from './statements/valueHistory.ts'
import { listWallets, walletPicture } from './wallets/wallets.ts'
import { requestBankWithdrawal, requestWithdrawal } from './withdrawals/request.ts'

/** Every route of this area. */
export const moneyRoutes: readonly Route[] = [
  route(referrals.getReferralTerms, referralTerms),
  route(referrals.listReferrals, listReferrals),
  route(destinations.listAddresses, listAddresses),
  routeOf(destinations.saveAddress, investorOnly, saveAddress),
  routeOf(destinations.renameAddress, ownAddress, renameAddress),
  routeOf(destinations.deleteAddress, ownAddress, deleteAddress),
  routeOf(destinations.checkWallet, investorOnly, checkWallet),
  routeOf(destinations.checkBankAccount, investorOnly, checkBankAccount),
  route(wallets.listWallets, listWallets),
  publicRoute(wallets.walletPicture, walletPicture),
  routeOf(deposits.requestDeposit, loadDepositing, requestDeposit),
  routeOf(deposits.cancelDeposit, ownRequest('deposits'), cancelDeposit),
  route(payments.listPayments, listPayments),
  routeOf(payments.checkPayments, investorOnly, checkPayments),
  routeOf(payments.checkDeposit, ownRequest('deposits'), checkDeposit),
  routeOf(withdrawals.requestWithdrawal, investorOnly, requestWithdrawal),
  routeOf(withdrawals.requestBankWithdrawal, investorOnly, requestBankWithdrawal),
  routeOf(withdrawals.cancelWithdrawal, ownRequest('withdrawals'), cancelWithdrawal),
  route(transactions.listTransactions, listTransactions),
  route(transactions.getTransaction, getTransaction),
  route(limits.getLimits, getLimits),
  route(statements.getStatement, getStatement),
  route(statements.listEntries, listEntries),
  route(statements.getValueHistory, getValueHistory),
  publicRoute(liabilities.listLiabilities, listLiabilities),
  route(liabilities.getLiabilityProof, liabilityProof),
  publicRoute(decisionTimes.getDecisionTimes, async ({ db }) => {
    const [rows] = await readTogether(db, readDecisionTimes())
    // Measured daily, so an hour in a browser's cache is fine. Private, because the answer may set a visitor's cookie.
    return ok(decisionTimesOf(rows), { 'Cache-Control': 'private, max-age=3600' })
  }),
]
