import { requestBankWithdrawal as requestBankEndpoint } from '../../../src/contract/money/bankWithdrawals.ts'
import {
  cancelWithdrawal as cancelEndpoint,
  requestWithdrawal as requestEndpoint,
} from '../../../src/contract/money/withdrawals.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, routeOf } from '../../http/route.ts'
import { ownRequest } from '../requests/cancel.ts'
import { cancelWithdrawal } from './cancel.ts'
import { requestBankWithdrawal, requestWithdrawal } from './request.ts'

export const withdrawalRoutes: readonly Route[] = [
  routeOf(requestEndpoint, investorOnly, requestWithdrawal),
  routeOf(requestBankEndpoint, investorOnly, requestBankWithdrawal),
  routeOf(cancelEndpoint, ownRequest('withdrawals'), cancelWithdrawal),
]
