import { getStatement, getValueHistory, listEntries } from '../../../src/contract/money/statements.ts'
import { type Route, route } from '../../http/route.ts'
import { listEntries as entries } from './figureEntries.ts'
import { getStatement as statement } from './statement.ts'
import { getValueHistory as valueHistory } from './valueHistory.ts'

export const statementRoutes: readonly Route[] = [
  route(getStatement, statement),
  route(listEntries, entries),
  route(getValueHistory, valueHistory),
]
