import { DAY_MS } from '../../../../src/time.ts'
import { newDevice } from '../../../http/device.ts'
import { newReferralCode } from '../../../identity/signIn/register.ts'
import { openBooks } from '../../../ledger/accounts.ts'
import { hashPassword } from '../../../lib/crypto/password.ts'
import { newId } from '../../../lib/crypto/tokens.ts'
import { openVault } from '../../../lib/crypto/vault.ts'
import { type Database, runBatch, type Statement } from '../../../lib/database.ts'
import type { Env } from '../../../lib/env.ts'
import { buildFoldedNames, foldName } from '../../../lib/foldName.ts'
import { devices, secondFactors, users } from '../../../lib/tables/people.ts'
import { SAMPLE_PASSWORD, SAMPLE_TOTP_SECRET } from '../sampleKeys.ts'

/** Somebody of the busy day, or an operator of the ordinary seed. */
export interface BusyPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly deviceHash: string | null
  readonly ip: string
}

interface Sample {
  readonly name: string
  readonly country: string
  readonly joinedDaysAgo: number
  /** Whether a second factor has been on since the account was opened. */
  readonly hasFactor?: boolean
  /** The first name of who referred them, in lower case. These share a network. */
  readonly referrer?: string
}

// Invented people: each surname is the word for "sample" or "example" in some language.
const SAMPLES: readonly Sample[] = [
  // Identified.
  { name: 'Anna Muster', country: 'Switzerland', joinedDaysAgo: 210 },
  { name: 'Beto Ejemplo', country: 'Spain', joinedDaysAgo: 180, hasFactor: true },
  { name: 'Chiara Esempio', country: 'Italy', joinedDaysAgo: 160 },
  { name: 'Daan Voorbeeld', country: 'Netherlands', joinedDaysAgo: 150, hasFactor: true },
  { name: 'Elsa Exempel', country: 'Sweden', joinedDaysAgo: 120 },
  { name: 'Felix Exemple', country: 'France', joinedDaysAgo: 100 },
  { name: 'Greta Probka', country: 'Poland', joinedDaysAgo: 90, hasFactor: true },
  { name: 'Hale Ornek', country: 'Turkey', joinedDaysAgo: 60, referrer: 'anna' },
  { name: 'Ines Amostra', country: 'Portugal', joinedDaysAgo: 45 },
  { name: 'Jan Vzorek', country: 'Czech Republic', joinedDaysAgo: 30, referrer: 'anna' },
  { name: 'Kaisa Näyte', country: 'Finland', joinedDaysAgo: 25 },
  { name: 'Liam Sampla', country: 'Ireland', joinedDaysAgo: 24 },
  // With a passport that waits.
  { name: 'Mara Primjer', country: 'Croatia', joinedDaysAgo: 15 },
  { name: 'Nils Eksempel', country: 'Norway', joinedDaysAgo: 13 },
  { name: 'Olga Priklad', country: 'Slovakia', joinedDaysAgo: 9 },
  { name: 'Piet Specimen', country: 'Belgium', joinedDaysAgo: 6 },
  { name: 'Rosa Mostra', country: 'Spain', joinedDaysAgo: 5 },
  { name: 'Sami Malli', country: 'Finland', joinedDaysAgo: 4 },
  { name: 'Tess Sample', country: 'United Kingdom', joinedDaysAgo: 3 },
  { name: 'Ugo Campione', country: 'Italy', joinedDaysAgo: 3 },
  { name: 'Vera Obrazec', country: 'North Korea', joinedDaysAgo: 2 },
  { name: 'Wim Staal', country: 'Netherlands', joinedDaysAgo: 2 },
  { name: 'Xenia Deigma', country: 'Greece', joinedDaysAgo: 1 },
  { name: 'Yuri Pryklad', country: 'Ukraine', joinedDaysAgo: 1 },
  // Without a document.
  { name: 'Zoé Spécimen', country: 'France', joinedDaysAgo: 8 },
  { name: 'Aron Minta', country: 'Hungary', joinedDaysAgo: 1 },
  { name: 'Bela Pelda', country: 'Hungary', joinedDaysAgo: 70 },
  { name: 'Cora Paraugs', country: 'Latvia', joinedDaysAgo: 20 },
]

/** Opens the accounts of the 28 people. Returns them by first name, in lower case. */
export async function seedBusyPeople(
  env: Env,
  db: Database,
  nowMs: number,
): Promise<ReadonlyMap<string, BusyPerson>> {
  const passwordHash = await hashPassword(SAMPLE_PASSWORD)
  const people = new Map<string, BusyPerson>()
  const statements: Statement[] = []
  const samples = SAMPLES.toSorted((a, b) => b.joinedDaysAgo - a.joinedDaysAgo)
  for (const { name, country, joinedDaysAgo, hasFactor, referrer } of samples) {
    const [id, atMs, key] = [newId(), nowMs - joinedDaysAgo * DAY_MS, foldName(name.split(' ')[0] ?? '')]
    const email = `${foldName(name).replace(' ', '.')}@busy.example`
    const { hash: deviceHash } = await newDevice()
    const ip = referrer === undefined ? `203.0.113.${people.size + 1}` : '203.0.113.200'
    people.set(key, { id, name, email, deviceHash, ip })
    statements.push(
      db.insert(users).values({
        id,
        role: 'investor',
        email,
        fullname: name.toLowerCase(),
        displayName: name,
        ...buildFoldedNames({ fullname: name, displayName: name }),
        phone: '+41 79 555 01 23',
        country,
        passwordHash,
        emailVerifiedAt: atMs,
        createdAt: atMs,
        referralCode: newReferralCode(),
        referredBy: referrer === undefined ? null : (people.get(referrer)?.id ?? null),
      }),
      openBooks(db, id),
      db.insert(devices).values({ userId: id, deviceHash, firstSeenAt: atMs, lastSeenAt: atMs }),
    )
    if (hasFactor) {
      const secretSealed = await openVault(env.VAULT_KEYS).sealSmall(SAMPLE_TOTP_SECRET, `totp:${id}`)
      statements.push(
        db.insert(secondFactors).values({ userId: id, secretSealed, createdAt: atMs, enabledAt: atMs }),
      )
    }
  }
  await runBatch(db, statements)
  return people
}
