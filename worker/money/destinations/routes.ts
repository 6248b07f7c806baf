import {
  deleteAddress,
  listAddresses,
  renameAddress,
  saveAddress,
} from '../../../src/contract/money/destinations.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, route, routeOf } from '../../http/route.ts'
import { listAddresses as list } from './list.ts'
import { deleteAddress as remove } from './remove.ts'
import { renameAddress as rename } from './rename.ts'
import { saveAddress as save } from './save.ts'
import { ownAddress } from './savedAddress.ts'

export const addressRoutes: readonly Route[] = [
  route(listAddresses, list),
  routeOf(saveAddress, investorOnly, save),
  routeOf(renameAddress, ownAddress, rename),
  routeOf(deleteAddress, ownAddress, remove),
]
