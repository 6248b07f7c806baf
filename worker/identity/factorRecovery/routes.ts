import * as contract from '../../../src/contract/identity/factorRecovery.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { askRecovery } from './ask.ts'
import { confirmRecovery } from './confirm.ts'
import { stopRecovery } from './stop.ts'

export const factorRecoveryRoutes: readonly Route[] = [
  publicRoute(contract.askFactorRecovery, askRecovery),
  publicRoute(contract.confirmFactorRecovery, confirmRecovery),
  publicRoute(contract.stopFactorRecovery, stopRecovery),
]
