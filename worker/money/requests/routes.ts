import { getLimits } from '../../../src/contract/money/limits.ts'
import { getTransaction, listTransactions } from '../../../src/contract/money/transactions.ts'
import { type Route, route } from '../../http/route.ts'
import { listTransactions as list } from './history.ts'
import { getLimits as limits } from './limits.ts'
import { getTransaction as one } from './transaction.ts'

export const transactionRoutes: readonly Route[] = [
  route(listTransactions, list),
  route(getTransaction, one),
  route(getLimits, limits),
]
