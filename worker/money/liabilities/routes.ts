import { getLiabilityProof, listLiabilities } from '../../../src/contract/money/liabilities.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { listLiabilities as list } from './list.ts'
import { liabilityProof } from './proof.ts'

export const liabilityRoutes: readonly Route[] = [
  publicRoute(listLiabilities, list),
  route(getLiabilityProof, liabilityProof),
]
