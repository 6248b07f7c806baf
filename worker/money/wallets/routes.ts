import { listWallets, walletPicture } from '../../../src/contract/money/wallets.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { listWallets as list } from './list.ts'
import { walletPicture as picture } from './picture.ts'

export const walletRoutes: readonly Route[] = [route(listWallets, list), publicRoute(walletPicture, picture)]
