import { CHECKPOINTS } from './written/checkpoints.ts'
import { INVESTING } from './written/investing.ts'
import { LEDGER } from './written/ledger.ts'
import { PAYMENTS } from './written/payments.ts'
import { PAYOUTS } from './written/payouts.ts'
import { PEOPLE } from './written/people.ts'
import { PLATFORM } from './written/platform.ts'
import { REQUESTS } from './written/requests.ts'
import type { Written } from './written/situation.ts'
import { VENUES } from './written/venues.ts'

/** Cases that were written by hand, because what the simulator does does not lead to them. */
export const WRITTEN: readonly Written[] = [
  ...PEOPLE,
  ...PLATFORM,
  ...REQUESTS,
  ...PAYMENTS,
  ...PAYOUTS,
  ...LEDGER,
  ...CHECKPOINTS,
  ...INVESTING,
  ...VENUES,
]
