import { getReferralTerms, listReferrals } from '../../../src/contract/money/referrals.ts'
import { type Route, route } from '../../http/route.ts'
import { listReferrals as list } from './list.ts'
import { referralTerms } from './terms.ts'

export const referralRoutes: readonly Route[] = [
  route(getReferralTerms, referralTerms),
  route(listReferrals, list),
]
