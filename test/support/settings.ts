import { env } from 'cloudflare:workers'
import { newId } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import { proposals, settings } from '../../worker/lib/tables/operators.ts'
import { newOperator } from './people.ts'
import { decideProposal } from './proposals.ts'

/** Daily ceilings in cents that no test reaches, for tests of something else that decide a lot. */
export const NO_CEILINGS = {
  creditsAlone: 1_000_000_000_000,
  payoutsAlone: 1_000_000_000_000,
  credits: 1_000_000_000_000,
  payouts: 1_000_000_000_000,
}

/** For tests of what one operator does alone: no case has a high risk, which takes two. */
export const acceptEveryRisk = () => setSetting('risk', { highFrom: 1000 })

/** Changes one setting by two operators. Settings are global, so a test that needs one has its own file. */
export async function setSetting(key: string, value: unknown): Promise<void> {
  const [first, second] = await Promise.all([newOperator(), newOperator()])
  const db = openDatabase(env.DB)
  const updatedAt = Date.now()
  const proposal = newId()
  const row = { value: JSON.stringify(value), proposal, updatedAt }
  await runBatch(db, [
    db.insert(proposals).values({
      id: proposal,
      kind: 'settings',
      createdAt: updatedAt,
      proposedBy: first.id,
      payload: JSON.stringify({ [key]: value, was: {} }),
    }),
    decideProposal(db, proposal, second.id, updatedAt),
    db
      .insert(settings)
      .values({ key, ...row })
      .onConflictDoUpdate({ target: settings.key, set: row }),
  ])
}
