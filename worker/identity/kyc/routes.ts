import { listKyc, submitKyc } from '../../../src/contract/identity/kyc.ts'
import { listRecipients } from '../../../src/contract/money/recipients.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, route, routeOf } from '../../http/route.ts'
import { listKyc as list } from './list.ts'
import { listRecipients as recipients } from './recipients.ts'
import { submitKyc as submit } from './submit.ts'

export const kycRoutes: readonly Route[] = [
  route(listKyc, list),
  route(listRecipients, recipients),
  routeOf(submitKyc, investorOnly, submit),
]
