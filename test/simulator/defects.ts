import { planting } from './change.ts'
import { CONDITIONS } from './conditions.ts'
import { ACCOUNT_DEFECTS } from './defects/accounts.ts'
import { CHAIN_DEFECTS } from './defects/chain.ts'
import { DATABASE_DEFECTS } from './defects/database.ts'
import type { Defect } from './defects/defect.ts'
import { INVESTING_DEFECTS } from './defects/investing.ts'
import { MONEY_DEFECTS } from './defects/money.ts'
import { PLATFORM_DEFECTS } from './defects/platform.ts'
import { VENUE_DEFECTS } from './defects/venues.ts'
import type { Rewrite } from './lane/load.ts'

/** Mistakes that somebody could make while changing the code. `npm run mutate` plants one after the other. */
export const DEFECTS: readonly Defect[] = [
  ...MONEY_DEFECTS,
  ...INVESTING_DEFECTS,
  ...PLATFORM_DEFECTS,
  ...ACCOUNT_DEFECTS,
  ...DATABASE_DEFECTS,
  ...VENUE_DEFECTS,
  ...CHAIN_DEFECTS,
]

/** Plants a defect or a changed condition by its name. Throws for an unknown name, and if its text is not in the file exactly once. */
export function planted(name: string): Rewrite {
  const change = [...DEFECTS, ...CONDITIONS].find((each) => each.name === name)
  if (change === undefined) throw new Error(`There is no defect or condition named ${name}`)
  return planting(change)
}
