import { askForEmailChange, confirmEmailChange } from '../../src/contract/emailChange.ts'
import { publicRoute, type Route, route } from '../lib/route.ts'
import { askForChange } from './ask.ts'
import { confirmChange } from './confirm.ts'

export const emailChangeRoutes: readonly Route[] = [
  route(askForEmailChange, askForChange),
  publicRoute(confirmEmailChange, confirmChange),
]
