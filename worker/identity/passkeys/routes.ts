import { listPasskeys } from '../../../src/contract/identity/passkeyList.ts'
import {
  addPasskey,
  passkeyOptions,
  removePasskey,
  renamePasskey,
} from '../../../src/contract/identity/passkeys.ts'
import { type Route, route, routeOf } from '../../http/route.ts'
import { addPasskey as add } from './add.ts'
import { beginPasskey } from './begin.ts'
import { listPasskeys as list } from './list.ts'
import { ownPasskey } from './ownPasskey.ts'
import { removePasskey as remove } from './remove.ts'
import { renamePasskey as rename } from './rename.ts'

export const passkeyRoutes: readonly Route[] = [
  route(listPasskeys, list),
  route(passkeyOptions, beginPasskey),
  route(addPasskey, add),
  routeOf(renamePasskey, ownPasskey, rename),
  routeOf(removePasskey, ownPasskey, remove),
]
