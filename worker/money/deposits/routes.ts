import { cancelDeposit, requestDeposit } from '../../../src/contract/money/deposits.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, routeOf } from '../../http/route.ts'
import { ownRequest } from '../requests/cancel.ts'
import { cancelDeposit as cancel } from './cancel.ts'
import { requestDeposit as request } from './request.ts'

export const depositRoutes: readonly Route[] = [
  routeOf(requestDeposit, investorOnly, request),
  routeOf(cancelDeposit, ownRequest('deposits'), cancel),
]
