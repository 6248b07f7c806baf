import type { World } from './lane/world.ts'
import type { Model } from './model.ts'
import { ACCOUNT_RULES } from './rules/accounts.ts'
import { CUSTODY_RULES } from './rules/custody.ts'
import { ledgerRules } from './rules/ledger.ts'
import { MAIL_RULES } from './rules/mails.ts'
import { OPERATOR_RULES } from './rules/operators.ts'
import { PAYOUT_RULES } from './rules/payouts.ts'
import { PLAN_RULES } from './rules/plans.ts'
import { poolRules } from './rules/pools.ts'
import { PROMISE_RULES } from './rules/promises.ts'
import { recordRules } from './rules/records.ts'
import { REFERRAL_RULES } from './rules/referrals.ts'
import { type Checked, JOURNALS, type Journal, type Rules } from './rules/rule.ts'
import { STOP_RULES } from './rules/stops.ts'
import { Broken } from './watch.ts'

/** Checks what must hold at every moment. What the people see themselves is checked where they see it: `people/`. */
export interface Inspector {
  /** Checks all rules, those of journals on new rows. Throws `Broken` for the first broken one. Returns how many hold. */
  check(): Promise<number>
  /** Reads everything again at the next check, because a backup was restored. */
  restored(): void
  /** Checks all rules on all rows, and what must hold once a run is over. */
  checkAll(): Promise<number>
}

/** Clocks are set back, and a step's requests take time. */
const OVERLAP_MS = 3_600_000

export function openInspector(world: World, model: Model): Inspector {
  let after = nothingRead()
  let afterMs = 0
  let rules = rulesOf()
  const checkSince = async (isLast: boolean): Promise<number> => {
    const at: Checked = { world, model, after, afterMs, isLast }
    const read = await lastRows(world)
    for (const [name, rule] of Object.entries(rules)) {
      const finding = await rule(at)
      if (finding !== null) throw new Broken(name, finding)
    }
    after = read
    afterMs = world.now() - OVERLAP_MS
    return Object.keys(rules).length
  }
  const forget = (): void => {
    after = nothingRead()
    afterMs = 0
    rules = rulesOf()
  }
  return {
    check: () => checkSince(false),
    restored: forget,
    checkAll: () => {
      forget()
      return checkSince(true)
    },
  }
}

/** Some rules keep what they read, so that a week costs no more in the tenth year. */
function rulesOf(): Rules {
  return {
    ...ledgerRules(),
    ...CUSTODY_RULES,
    ...OPERATOR_RULES,
    ...poolRules(),
    ...PAYOUT_RULES,
    ...PLAN_RULES,
    ...PROMISE_RULES,
    ...REFERRAL_RULES,
    ...STOP_RULES,
    ...ACCOUNT_RULES,
    ...MAIL_RULES,
    ...recordRules(),
  }
}

function nothingRead(): Record<Journal, number> {
  return Object.fromEntries(JOURNALS.map((journal) => [journal, 0])) as Record<Journal, number>
}

async function lastRows({ database }: World): Promise<Record<Journal, number>> {
  const last = nothingRead()
  for (const journal of JOURNALS) {
    const [row] = await database.rows<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${journal}`)
    last[journal] = row?.seq ?? 0
  }
  return last
}
