import type { Schedule } from '../../../src/contract/investing/planDates.ts'
import { describePlan } from '../../../src/contract/investing/plans.ts'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { hashContext } from '../../identity/factors/challenges.ts'
import { CODE_MINUTES, splitLongNumbers } from '../../identity/mailedCodes/codes.ts'
import type { Statement } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import type { savedAddresses } from '../../lib/tables/requests.ts'
import { assertFields, assertUnlocked } from '../../money/withdrawals/decide.ts'
import { buildWalletDestination, type Destination } from '../../money/withdrawals/destination.ts'
import {
  assertMayTry,
  type NewWithdrawal,
  type ProofFields,
  readFacts,
  readProofSubject,
} from '../../money/withdrawals/facts.ts'
import type { buildCodeMail } from '../../money/withdrawals/mails.ts'
import { confirm } from '../../money/withdrawals/proof.ts'
import { serializeOnward } from '../allocations/onwardWithdrawals.ts'
import { getNameOrNull } from './plan.ts'

/** A plan that withdraws, as it is to be. `plan` is its id, or `new`. */
interface StandingWithdrawal {
  readonly plan: string
  readonly amount: number
  readonly schedule: Schedule
  readonly redeemFrom: string | null
  readonly destination: Destination
}

interface ConfirmedDestination {
  /** The destination with its proof, as `plans.destination` keeps it. */
  readonly stored: string
  readonly statements: readonly Statement[]
}

/**
 * Takes the proof of a withdrawal for a plan, always: it pays out again without its owner. The proof confirms exactly this plan, and
 * makes the destination known as a withdrawal's does. Refuses as `confirm` does.
 */
export async function confirmDestination(
  call: ActorCall & { readonly body: ProofFields },
  { plan, amount, schedule, redeemFrom, destination }: StandingWithdrawal,
): Promise<ConfirmedDestination> {
  const { db, env, actor, nowMs, body } = call
  const { rhythm, starts, day, zone } = schedule
  const terms = ['plan', plan, rhythm, starts, String(day), zone, redeemFrom ?? ''] as const
  const change = await hashContext(...terms, destination.hash)
  const bound = { investor: actor.id, amountCents: amount, destinationHash: change }
  const withdrawal: NewWithdrawal = {
    ...{ kind: 'withdrawal', amountCents: amount, destination },
    ...(await readProofSubject(bound, body)),
  }
  const facts = await readFacts(db, env, withdrawal, nowMs)
  assertMayTry(facts.tries, nowMs)
  assertFields(withdrawal, facts)
  assertUnlocked(withdrawal, facts, nowMs)
  const proof = await confirm(call, withdrawal, facts, {
    reason: 'plan',
    buildMail: (to, asked, code, link) => {
      const words = {
        kind: 'withdraw',
        amount: toUsd(amount),
        redeemFromName: getNameOrNull(redeemFrom),
      } as const
      return buildPlanCodeMail(to, describePlan(words, asked.destination.words), rhythm, code, link)
    },
  })
  return { stored: serializeOnward(withdrawal, proof, actor.session.id), statements: proof.statements }
}

/** `splitLongNumbers` keeps other numbers from looking like the code. */
function buildPlanCodeMail(
  to: Parameters<typeof buildCodeMail>[0],
  words: string,
  rhythm: Schedule['rhythm'],
  code: string,
  link: Parameters<typeof buildCodeMail>[3],
) {
  return composeMail(to.email, 'Confirm your recurring plan', splitLongNumbers(to.displayName), [
    `You asked for a recurring plan: ${splitLongNumbers(words)}, ${rhythm}.`,
    `The code is ${code}`,
    `The code works once, within ${CODE_MINUTES} minutes, and for this plan only. Nobody from ${site.brand} will ever ask you for it.`,
    'Or confirm it with this link, then go back and send the plan again unchanged. Opening the link confirms nothing yet.',
    link,
    `If you did not ask for this, neither share the code nor confirm. Change your password and write to ${splitLongNumbers(site.supportEmail)}.`,
  ])
}

/** The destination of a saved address of the actor's. Refuses a missing one with the message. */
export async function buildSavedDestination(
  saved: Pick<typeof savedAddresses.$inferSelect, 'network' | 'address'> | undefined,
  msg: string | null = null,
): Promise<Destination> {
  if (saved === undefined)
    return refuseField('address', msg ?? 'There is no such address in your address book')
  return buildWalletDestination({ ...saved, type: getCoinOfNetwork(saved.network) })
}
