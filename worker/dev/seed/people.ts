import { ROLES, type Role } from '../../../src/contract/roles.ts'
import { newReferralCode } from '../../identity/signIn/register.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import type { Database, Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildFoldedNames } from '../../lib/foldName.ts'
import { secondFactors, users } from '../../lib/tables/people.ts'
import { SAMPLE_PASSWORD, SAMPLE_TOTP_SECRET } from './sampleKeys.ts'

/** The seeded accounts by purpose. */
export interface SeededPeople {
  readonly investor: string
  readonly newcomer: string
  readonly auditor: string
  readonly support: string
  readonly compliance: string
  readonly operator: string
  readonly operator2: string
}

// In order of creation: once two administrators can act, the database accepts operators only by invitation.
const NAMES: Record<keyof SeededPeople, string> = {
  investor: 'Sample Investor',
  newcomer: 'Sample Newcomer',
  auditor: 'Sample Auditor',
  support: 'Sample Support',
  compliance: 'Sample Compliance',
  operator: 'Sample Operator',
  operator2: 'Second Operator',
}

const OPERATOR_ROLES: Partial<Record<keyof SeededPeople, readonly Role[]>> = {
  auditor: ['auditor'],
  support: ['support'],
  compliance: ['compliance'],
  operator: ROLES,
  operator2: ROLES,
}

/** Creates the seeded accounts, verified; operators have a second factor. */
export async function seedPeople(
  env: Env,
  db: Database,
  sinceMs: number,
): Promise<{ people: SeededPeople; statements: Statement[] }> {
  const passwordHash = await hashPassword(SAMPLE_PASSWORD)
  const vault = openVault(env.VAULT_KEYS)
  const people: SeededPeople = {
    investor: newId(),
    newcomer: newId(),
    auditor: newId(),
    support: newId(),
    compliance: newId(),
    operator: newId(),
    operator2: newId(),
  }
  const statements: Statement[] = []
  for (const key of Object.keys(NAMES) as (keyof SeededPeople)[]) {
    const id = people[key]
    const roles = OPERATOR_ROLES[key]
    const role = roles ? 'operator' : 'investor'
    statements.push(
      db.insert(users).values({
        id,
        role,
        operatorRoles: roles?.join(' ') ?? '',
        email: `${key}@example.com`,
        fullname: NAMES[key].toLowerCase(),
        displayName: NAMES[key],
        ...buildFoldedNames({ fullname: NAMES[key], displayName: NAMES[key] }),
        phone: '+41 79 555 01 23',
        country: 'Switzerland',
        passwordHash,
        emailVerifiedAt: sinceMs,
        createdAt: sinceMs,
        referralCode: newReferralCode(),
      }),
      openBooks(db, id),
    )
    if (role === 'operator') {
      const secretSealed = await vault.sealSmall(SAMPLE_TOTP_SECRET, `totp:${id}`)
      statements.push(
        db.insert(secondFactors).values({ userId: id, secretSealed, createdAt: sinceMs, enabledAt: sinceMs }),
      )
    }
  }
  return { people, statements }
}
