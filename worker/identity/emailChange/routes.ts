import { cancelEmailChange, getEmail } from '../../../src/contract/identity/emailChange.ts'
import { askForEmailChange, confirmEmailChange } from '../../../src/contract/identity/emailChangeCalls.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { askForChange } from './ask.ts'
import { cancelChange } from './cancel.ts'
import { confirmChange } from './confirm.ts'
import { showEmail } from './waiting.ts'

export const emailChangeRoutes: readonly Route[] = [
  route(getEmail, showEmail),
  route(askForEmailChange, askForChange),
  route(cancelEmailChange, cancelChange),
  publicRoute(confirmEmailChange, confirmChange),
]
