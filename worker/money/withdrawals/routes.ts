import { requestBankWithdrawal } from '../../../src/contract/bankWithdrawals.ts'
import { cancelWithdrawal, requestWithdrawal } from '../../../src/contract/withdrawals.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, routeOf } from '../../http/route.ts'
import { ownRequest } from '../requests/cancel.ts'
import { cancelWithdrawal as cancel } from './cancel.ts'
import { requestWithdrawal as request } from './request.ts'
import { requestBankWithdrawal as requestBank } from './requestBank.ts'

export const withdrawalRoutes: readonly Route[] = [
  routeOf(requestWithdrawal, investorOnly, request),
  routeOf(requestBankWithdrawal, investorOnly, requestBank),
  routeOf(cancelWithdrawal, ownRequest('withdrawals'), cancel),
]
