import { closeAccount, getClosing } from '../../../src/contract/identity/accountClosing.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, routeOf } from '../../http/route.ts'
import { closeAccount as close } from './close.ts'
import { showClosing } from './show.ts'

export const closingRoutes: readonly Route[] = [
  routeOf(getClosing, investorOnly, showClosing),
  routeOf(closeAccount, investorOnly, close),
]
