import { eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  getTaxDetails as reading,
  saveTaxDetails as saving,
  TaxDetails,
} from '../../../src/contract/identity/tax.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { taxDetails } from '../../lib/tables/people.ts'

/** Where the actor pays taxes. */
export async function showTaxDetails({ db, env, actor }: CallOf<typeof reading>) {
  const [row] = await db.select().from(taxDetails).where(eq(taxDetails.investor, actor.id))
  if (row === undefined) return ok({ details: null, changedAt: null })
  return ok({ details: await openTaxDetails(env, row), changedAt: toIso(row.changedAt) })
}

/** Stores where the actor pays taxes, encrypted. */
export async function saveTaxDetails(call: CallOf<typeof saving>): Promise<Answer<Message>> {
  const { actor, db, env, nowMs, body } = call
  if (actor.role !== 'investor') refuse('forbidden')
  const sealed = await openVault(env.VAULT_KEYS).sealSmall(JSON.stringify(body), `tax:${actor.id}`)
  const row = { sealed, changedAt: nowMs }
  await call.commit({
    statements: [
      db
        .insert(taxDetails)
        .values({ investor: actor.id, ...row })
        .onConflictDoUpdate({ target: taxDetails.investor, set: row }),
    ],
    audit: [{ action: 'tax_details.saved', subject: actor.id }],
  })
  return ok({ msg: 'Your tax residence was saved.' })
}

/** Decrypts a row. Throws a VaultError if it was altered. */
export async function openTaxDetails(
  env: Env,
  row: { readonly investor: string; readonly sealed: string },
): Promise<TaxDetails> {
  const bytes = await openVault(env.VAULT_KEYS).openSmall(row.sealed, `tax:${row.investor}`)
  // Only `saveTaxDetails` writes it, after its schema has checked it.
  return JSON.parse(new TextDecoder().decode(bytes)) as TaxDetails
}
