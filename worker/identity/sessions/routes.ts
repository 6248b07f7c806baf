import { endSession, listSessions } from '../../../src/contract/identity/sessions.ts'
import { type Route, route, routeOf } from '../../http/route.ts'
import { endOwnSession } from './end.ts'
import { listSessions as list } from './list.ts'
import { ownSession } from './ownSession.ts'

export const sessionRoutes: readonly Route[] = [
  route(listSessions, list),
  routeOf(endSession, ownSession, endOwnSession),
]
