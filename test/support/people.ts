import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { ROLES } from '../../src/contract/roles.ts'
import { DAY_MS } from '../../src/time.ts'
import { openSession } from '../../worker/identity/signIn/openSession.ts'
import { newReferralCode } from '../../worker/identity/signIn/register.ts'
import { openBooks } from '../../worker/ledger/accounts.ts'
import { hashPassword } from '../../worker/lib/crypto/password.ts'
import { generateText, newId, newRef, UNAMBIGUOUS } from '../../worker/lib/crypto/tokens.ts'
import { newTotpSecret } from '../../worker/lib/crypto/totp.ts'
import { openVault } from '../../worker/lib/crypto/vault.ts'
import { type Database, openDatabase, runBatch, type Statement } from '../../worker/lib/database.ts'
import { findDatabaseRefusal } from '../../worker/lib/errors.ts'
import { buildFoldedNames } from '../../worker/lib/foldName.ts'
import { kycSubmissions } from '../../worker/lib/tables/kyc.ts'
import { operatorInvitations, proposals } from '../../worker/lib/tables/operators.ts'
import { registrations, secondFactors, users } from '../../worker/lib/tables/people.ts'
import { totpCode } from './codes.ts'
import { creditInvestor } from './money.ts'
import { decideProposal } from './proposals.ts'

const PASSWORD = 'a-password-for-tests'
const PASSWORD_HASH = await hashPassword(PASSWORD)

const FACTOR_AGE_MS = 4 * DAY_MS

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly name: string
  /** A live session's bearer token. */
  readonly token: string
  readonly referralCode: string
}

export interface Operator extends Person {
  /** The second factor's secret for `totpCode`. Null if it is off. */
  readonly secret: string | null
}

export interface InvestorOptions {
  readonly name?: string
  /** False: only registered, the mailed link was not opened, and no other option applies. Default true. */
  readonly verified?: boolean
  /** Default approved. */
  readonly kyc?: 'none' | 'pending' | 'approved' | 'rejected'
  /** The amount credited by a deposit that two operators approved. Default 0. */
  readonly availableCents?: number
  readonly frozen?: boolean
  /** The second factor has been on for four days, with this secret. */
  readonly totpSecret?: string
  /** Ids of the operators who decide what these options need. Default: new ones. */
  readonly operators?: readonly [first: string, second: string]
}

/** An investor with a session, in the requested state. Created by SQL where the API would only be slower. */
export async function newInvestor(options: InvestorOptions = {}): Promise<Person> {
  const { verified = true, kyc = 'approved', availableCents = 0, operators } = options
  const db = openDatabase(env.DB)
  if (!verified) return newRegistration(db, options.name ?? 'Ana Torres')
  const person = await newPerson(db, 'investor', options.name ?? 'Ana Torres', '')
  const statements: Statement[] = [...person.statements]
  if (options.totpSecret !== undefined)
    statements.push(...(await enabledFactor(db, person.about.id, options.totpSecret)))
  await runBatch(db, statements)
  if (kyc !== 'none') await identify(db, person.about.id, kyc, operators?.[0])
  if (availableCents > 0) await creditInvestor(person.about.id, availableCents, operators)
  if (options.frozen) {
    await env.DB.prepare("UPDATE users SET frozen_at = ?, frozen_reason = 'A test' WHERE id = ?")
      .bind(Date.now(), person.about.id)
      .run()
  }
  return person.about
}

export interface OperatorOptions {
  readonly name?: string
  /** Default: all. */
  readonly roles?: readonly (typeof ROLES)[number][]
  /** Default true. */
  readonly twoFactor?: boolean
}

/** An operator with a session and, by default, a second factor and every role. Invited as the database requires. */
export async function newOperator(options: OperatorOptions = {}): Promise<Operator> {
  const { roles = ROLES, twoFactor = true } = options
  const db = openDatabase(env.DB)
  const person = await newPerson(db, 'operator', options.name ?? 'Olu Bello', roles.join(' '))
  const secret = twoFactor ? newTotpSecret() : null
  const statements = [
    ...person.statements,
    ...(secret === null ? [] : await enabledFactor(db, person.about.id, secret)),
  ]
  try {
    await runBatch(db, statements)
  } catch (error) {
    // Two administrators are active by now and invite all others.
    if (findDatabaseRefusal(error)?.code !== 'second_operator_required') throw error
    const { id, email, name } = person.about
    const invitation = await acceptedInvitation(db, { id, email, name, roles: roles.join(' ') })
    await runBatch(db, [...invitation, ...statements])
  }
  return { ...person.about, secret }
}

// Proposed by one active administrator, approved by another, and accepted, in one batch.
async function acceptedInvitation(
  db: Database,
  invited: { readonly id: string; readonly email: string; readonly name: string; readonly roles: string },
): Promise<Statement[]> {
  const { results } = await env.DB.prepare('SELECT id FROM active_administrators LIMIT 2').all<{
    id: string
  }>()
  const [first, second] = results
  if (first === undefined || second === undefined) throw new Error('Nobody can invite an operator.')
  const [id, proposal, nowMs] = [newId(), newId(), Date.now()]
  const { email, name, roles } = invited
  return [
    db.insert(proposals).values({
      id: proposal,
      kind: 'operator',
      createdAt: nowMs,
      proposedBy: first.id,
      payload: JSON.stringify({ action: 'invite', roles, invitation: id }),
    }),
    db.insert(operatorInvitations).values({ id, proposal, email, name, roles, createdAt: nowMs }),
    decideProposal(db, proposal, second.id, nowMs),
    db
      .update(operatorInvitations)
      .set({ tokenHash: id, expiresAt: nowMs + 1 })
      .where(eq(operatorInvitations.id, id)),
    db
      .update(operatorInvitations)
      .set({ acceptedAt: nowMs, operator: invited.id })
      .where(eq(operatorInvitations.id, id)),
  ]
}

/** A code of the operator's app that works now, even after others were used: storing the secret again resets them. */
export async function freshCode({ id, secret }: Pick<Operator, 'id' | 'secret'>): Promise<string> {
  if (secret === null) throw new Error('This operator has no authenticator app.')
  const sealed = await openVault(env.VAULT_KEYS).sealSmall(secret, `totp:${id}`)
  await env.DB.prepare('UPDATE second_factors SET secret_sealed = ?, last_step = 0 WHERE user_id = ?')
    .bind(sealed, id)
    .run()
  return totpCode(secret)
}

/** Another session of a person, in another browser. */
export async function anotherSession(person: { readonly id: string }): Promise<string> {
  const db = openDatabase(env.DB)
  const session = await sessionOf(db, person.id)
  await runBatch(db, [session.statement])
  return session.token
}

async function newPerson(
  db: Database,
  role: 'investor' | 'operator',
  name: string,
  operatorRoles: string,
): Promise<{ about: Person; statements: Statement[] }> {
  const id = newId()
  const email = `${role}-${generateText(10, UNAMBIGUOUS)}@example.com`
  const referralCode = newReferralCode()
  const nowMs = Date.now()
  const session = await sessionOf(db, id)
  const statements = [
    db.insert(users).values({
      id,
      role,
      operatorRoles,
      email,
      fullname: name.toLowerCase(),
      displayName: name,
      ...buildFoldedNames({ fullname: name, displayName: name }),
      phone: '+41 79 123 45 67',
      country: 'Switzerland',
      passwordHash: PASSWORD_HASH,
      emailVerifiedAt: nowMs,
      createdAt: nowMs,
      referralCode,
    }),
    openBooks(db, id),
    session.statement,
  ]
  return { about: { id, email, password: PASSWORD, name, token: session.token, referralCode }, statements }
}

/** Somebody who registered and has not opened the mailed link yet. Has no session. */
async function newRegistration(db: Database, name: string): Promise<Person> {
  const id = newId()
  const email = `investor-${generateText(10, UNAMBIGUOUS)}@example.com`
  await runBatch(db, [
    db.insert(registrations).values({
      id,
      email,
      fullname: name.toLowerCase(),
      displayName: name,
      phone: '+41 79 123 45 67',
      country: 'Switzerland',
      passwordHash: PASSWORD_HASH,
      deviceHash: 'a browser',
      network: '203.0.113.1',
      createdAt: Date.now(),
    }),
  ])
  return { id, email, password: PASSWORD, name, token: '', referralCode: '' }
}

function sessionOf(db: Database, userId: string) {
  return openSession(env, db, {
    userId,
    nowMs: Date.now(),
    deviceHash: null,
    ip: '203.0.113.1',
    userAgent: 'test',
    // As after a sign-in with the authenticator app.
    factorBy: 'totp',
  })
}

// In an array, because awaiting a bare statement would run it.
async function enabledFactor(db: Database, userId: string, secret: string): Promise<Statement[]> {
  const secretSealed = await openVault(env.VAULT_KEYS).sealSmall(secret, `totp:${userId}`)
  // Long enough ago to lift the delay of a new destination.
  const at = Date.now() - FACTOR_AGE_MS
  return [db.insert(secondFactors).values({ userId, secretSealed, createdAt: at, enabledAt: at })]
}

// A document as the database requires it, decided by an operator. It has no file.
async function identify(
  db: Database,
  userId: string,
  kyc: 'pending' | 'approved' | 'rejected',
  decidedBy?: string,
): Promise<void> {
  const id = newId()
  const nowMs = Date.now()
  const submit = db.insert(kycSubmissions).values({
    id,
    ref: newRef('KYC'),
    userId,
    document: 'Passport',
    mediaType: 'image/png',
    fileKey: `test/${id}`,
    createdAt: nowMs,
  })
  await runBatch(db, [submit])
  if (kyc === 'pending') return
  const operator = decidedBy ?? (await newOperator()).id
  await env.DB.prepare(
    'UPDATE kyc_submissions SET status = ?, decided_by = ?, decided_at = ?, reason = ? WHERE id = ?',
  )
    .bind(kyc, operator, nowMs, kyc === 'rejected' ? 'The picture is blurred' : null, id)
    .run()
}
