import { playDeposit } from './deposit.ts'
import { playExchange } from './exchange.ts'
import { playFork } from './fork.ts'
import { playPayout } from './payout.ts'
import { playReorganisation } from './reorg.ts'

/** The stories of `npm run try`. */
export const STORIES = {
  deposit: playDeposit,
  payout: playPayout,
  fork: playFork,
  reorg: playReorganisation,
  exchange: playExchange,
}
