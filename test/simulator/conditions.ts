import type { Change } from './change.ts'
import type { ConditionsOfFile } from './conditions/condition.ts'
import { CONSOLE_CONDITIONS } from './conditions/console.ts'
import { INVESTING_CONDITIONS } from './conditions/investing.ts'
import { LEDGER_CONDITIONS } from './conditions/ledger.ts'
import { MONEY_CONDITIONS } from './conditions/money.ts'
import { WITHDRAWAL_CONDITIONS } from './conditions/withdrawals.ts'

/** A changed condition of the money code. */
interface Condition extends Change {
  readonly tests: readonly string[]
  readonly equivalent?: string
}

const FILES: readonly ConditionsOfFile[] = [
  ...WITHDRAWAL_CONDITIONS,
  ...MONEY_CONDITIONS,
  ...LEDGER_CONDITIONS,
  ...CONSOLE_CONDITIONS,
  ...INVESTING_CONDITIONS,
]

/** Conditions that decide about money. `npm run mutate -- conditions` changes one after the other. */
export const CONDITIONS: readonly Condition[] = FILES.flatMap(({ file, tests, changes }) =>
  changes.map((change) => ({ ...change, file, tests })),
)
