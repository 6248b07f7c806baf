import { eq } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { DAY_MS } from '../../../src/time.ts'
import { buildDocumentContext } from '../../identity/kyc/submit.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { type Database, openDatabase, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { kycLooks, kycSubmissions } from '../../lib/tables/kyc.ts'
import { proposals, settings } from '../../lib/tables/operators.ts'
import { drawSamplePicture, seedHistory } from './history.ts'
import { type SeededPeople, seedPeople } from './people.ts'
import { seedReviewerKeys, seedWallets } from './reviewerKeys.ts'
import { SAMPLE_SDN } from './sampleSdn.ts'
import { seedStrategies } from './strategies.ts'
import { seedThread } from './thread.ts'

/** Seeds an empty development database with five accounts, five wallets and some history. Leaves any other database alone. */
export async function seedWhenEmpty(env: Env, nowMs: number): Promise<{ seeded: boolean }> {
  const db = openDatabase(env.DB)
  const row = await env.DB.prepare("SELECT EXISTS (SELECT 1 FROM users WHERE id <> 'system') AS any").first<{
    any: number
  }>()
  if (row?.any !== 0) return { seeded: false }
  const { people, statements } = await seedPeople(env, db, nowMs - 60 * DAY_MS)
  // One batch, so that a killed start leaves the database empty, not half full.
  await runBatch(db, [
    ...statements,
    ...seedWallets(db, people, nowMs - 60 * DAY_MS),
    ...seedLimits(db, people, nowMs - 60 * DAY_MS),
    ...(await seedReviewerKeys(db, people, nowMs - 60 * DAY_MS)),
    ...(await seedApprovedIdentity(env, db, people, nowMs - 58 * DAY_MS)),
    ...(await seedHistory({ env, db, people }, nowMs)),
    ...seedThread(db, people, nowMs),
  ])
  if (env.SCREENING_LIST) await env.FILES.put(env.SCREENING_LIST, SAMPLE_SDN)
  await seedStrategies(db, people.investor, nowMs)
  return { seeded: true }
}

/** Limits with which the practice reviewer credits practice deposits of $10,000 to a hundred people a day. */
function seedLimits(db: Database, people: SeededPeople, atMs: number): Statement[] {
  const limits = { twoPersonLimit: 10_000_00, dailyCeilings: { creditsAlone: 1_000_000_00 } }
  const proposal = newId()
  return [
    db.insert(proposals).values({
      id: proposal,
      kind: 'settings',
      createdAt: atMs,
      proposedBy: people.operator,
      payload: JSON.stringify({
        ...limits,
        was: {
          twoPersonLimit: SETTINGS.twoPersonLimit.default,
          dailyCeilings: { creditsAlone: SETTINGS['dailyCeilings.creditsAlone'].default },
        },
      }),
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: people.operator2, decidedAt: atMs })
      .where(eq(proposals.id, proposal)),
    ...Object.entries(limits).map(([key, value]) =>
      db.insert(settings).values({ key, value: JSON.stringify(value), proposal, updatedAt: atMs }),
    ),
  ]
}

async function seedApprovedIdentity(
  env: Env,
  db: Database,
  people: SeededPeople,
  atMs: number,
): Promise<Statement[]> {
  const id = newId()
  const fileKey = `kyc/${id}`
  const document = drawSamplePicture('Sample passport', 'Not a document of any person')
  const sealed = await openVault(env.VAULT_KEYS).sealFile(
    document,
    buildDocumentContext(people.investor, fileKey),
  )
  await env.FILES.put(fileKey, sealed.ciphertext)
  return [
    db.insert(kycSubmissions).values({
      id,
      ref: newRef('KYC'),
      userId: people.investor,
      document: 'Passport',
      mediaType: 'image/svg+xml',
      fileKey,
      wrappedKey: sealed.wrappedKey,
      keyVersion: sealed.keyVersion,
      createdAt: atMs,
    }),
    db.insert(kycLooks).values({ submissionId: id, reviewer: people.operator, at: atMs + DAY_MS - 120_000 }),
    db
      .update(kycSubmissions)
      .set({ status: 'approved', decidedBy: people.operator, decidedAt: atMs + DAY_MS })
      .where(eq(kycSubmissions.id, id)),
  ]
}
