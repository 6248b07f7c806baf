import { getTransaction, listTransactions } from '../../src/contract/transactions.ts'
import { type Route, route } from '../lib/route.ts'
import { listTransactions as list } from './history.ts'
import { getTransaction as one } from './transaction.ts'

export const transactionRoutes: readonly Route[] = [route(listTransactions, list), route(getTransaction, one)]
