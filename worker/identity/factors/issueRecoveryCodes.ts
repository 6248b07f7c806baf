import { eq } from 'drizzle-orm'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { newRecoveryCodes } from '../../lib/crypto/totp.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { recoveryCodes } from '../../lib/tables/people.ts'

/** Ten new recovery codes, to be answered this once, and what puts their hashes in the place of all earlier ones. */
export async function issueRecoveryCodes(
  db: Database,
  userId: string,
  nowMs: number,
): Promise<{ readonly codes: string[]; readonly statements: readonly Statement[] }> {
  const codes = newRecoveryCodes()
  const stored = await Promise.all(
    codes.map(async (code) => ({ userId, codeHash: await sha256Hex(code), createdAt: nowMs })),
  )
  return {
    codes,
    statements: [
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      db.insert(recoveryCodes).values(stored),
    ],
  }
}
