// `npm run operator -- <command>`: manages operators directly in the database: to appoint the first two administrators, or if
// fewer than two can act. Once two can act, the database refuses all commands except `list` and `disable`
// (migrations/0003_operators.sql).
//   invite you@example.org [--name "Your Name"] [--roles "reviewer treasurer"]   prints a link that works once, for three days
//   list                                 operators and open invitations
//   disable other@example.org            ends their access and their sessions
//   restore other@example.org            gives a disabled operator access again, with a new password and second factor
//   -- … --remote                        the deployed database instead of the local one (STATE_DIR, `.state` by default)
//   -- … --origin https://example.org    the site's address, for the link
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { parseRoles, ROLES } from '../src/contract/roles.ts'
import { dummyHash } from '../worker/lib/crypto/dummyHash.ts'
import { toSqlLiteral } from './backup/rows.ts'
import { getDatabaseOptions, queryDatabase } from './database.mjs'
import { readSettings } from './settingsFile.mjs'
import { isMain, root, runCommand } from './toolchain.mjs'

const INVITATION_MS = 72 * 3_600_000
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9-]+\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/

/**
 * The statement of `invite`. The database audits it. It refuses it if two administrators can act, or if the address has an
 * account. Only the hash of the link's token is stored.
 *
 * @param {{ email: string, name: string, roles: string, token: string, nowMs: number }} invitation
 */
export function insertInvitationSql({ email, name, roles, token, nowMs }) {
  const hash = createHash('sha256').update(token).digest('hex')
  const values = [randomUUID(), email, name, roles, nowMs, hash, nowMs + INVITATION_MS].map(toSqlLiteral)
  return `INSERT INTO operator_invitations (id, email, name, roles, created_at, token_hash, expires_at) VALUES (${values.join(', ')})`
}

/**
 * The statement of `disable`. The database also ends the sessions, and refuses it for the last administrator who can act.
 *
 * @param {{ email: string, nowMs: number }} whom
 */
export function updateDisabledSql({ email, nowMs }) {
  return `UPDATE users SET disabled_at = ${toSqlLiteral(nowMs)}, disabled_by = 'owner'
    WHERE email = ${toSqlLiteral(email)} AND role = 'operator' AND id <> 'system' AND disabled_at IS NULL`
}

/**
 * The statement of `restore`. The database also removes the second factor. No password matches the new hash, so the owner has to
 * reset it by mail.
 *
 * @param {{ email: string }} whom
 */
export function restoreOperatorSql({ email }) {
  return `UPDATE users SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL, password_hash = ${toSqlLiteral(dummyHash)}
    WHERE email = ${toSqlLiteral(email)} AND role = 'operator' AND disabled_at IS NOT NULL`
}

const OPERATORS = `
  SELECT u.email, u.display_name AS name, u.operator_roles AS roles, u.disabled_at IS NOT NULL AS disabled,
    u.id IN (SELECT id FROM active_administrators) AS acts
  FROM users u WHERE u.role = 'operator' AND u.id <> 'system' ORDER BY u.seq`
const INVITATIONS = `
  SELECT i.email, i.name, i.roles, i.expires_at AS expiresAt FROM operator_invitations i
  WHERE i.accepted_at IS NULL AND i.expires_at > ${Date.now()} ORDER BY i.seq`

/** Messages for the database's refusals. @type {readonly [pattern: RegExp, words: string][]} */
const REFUSALS = [
  [
    /second_operator_required/,
    'Two administrators can act: from now on they alone decide who operates, under Operators in the console.',
  ],
  [/: conflict/, 'This address has an account already. An operator’s account takes an address of its own.'],
  [/last_administrator/, 'This is the last administrator who can act. Invite another one first.'],
]

async function main() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: 'boolean' },
      name: { type: 'string' },
      roles: { type: 'string' },
      origin: { type: 'string' },
    },
  })
  const [what = '', address = ''] = positionals
  const where = getDatabaseOptions(options.remote)
  if (what === 'list') return list(where)
  const email = address.trim().toLowerCase()
  if (!['invite', 'disable', 'restore'].includes(what) || !EMAIL.test(email))
    throw new Error('Say what to do, and with whom: npm run operator -- invite you@example.org')
  const nowMs = Date.now()
  if (what === 'invite') return createInvitation(where, email, options, nowMs)
  const isDisabling = what === 'disable'
  const sql = isDisabling ? updateDisabledSql({ email, nowMs }) : restoreOperatorSql({ email })
  await execute(where, sql)
  // Read again, because an UPDATE that matches no row does not fail.
  const operator = (await execute(where, OPERATORS)).find((candidate) => candidate.email === email)
  if (operator === undefined) throw new Error('No operator has this address.')
  if (Boolean(operator.disabled) !== isDisabling) throw new Error('Nothing was changed. Please try again.')
  console.log(
    isDisabling
      ? `${email} is let in no more, and every session has ended.`
      : `${email} is let in again. They choose a new password under Forgot password, sign in and turn on a new second factor.`,
  )
}

/**
 * @param {string[]} where
 * @param {string} email
 * @param {{ remote?: boolean, name?: string, roles?: string, origin?: string }} options
 * @param {number} nowMs
 */
async function createInvitation(where, email, options, nowMs) {
  const roles = parseRoles(options.roles ?? 'reviewer treasurer administrator').join(' ')
  if (roles === '') throw new Error(`--roles takes some of ${ROLES.join(', ')}.`)
  const name = (options.name ?? email.split('@')[0] ?? email).trim().slice(0, 100)
  const token = randomBytes(32).toString('base64url')
  await execute(where, insertInvitationSql({ email, name, roles, token, nowMs }))
  const link = new URL('/accept-invitation', options.origin ?? getSiteOrigin(options.remote ?? false))
  link.searchParams.set('token', token)
  console.log(
    [
      `${name} is invited as ${roles.replaceAll(' ', ', ')}. Give them this link yourself, by a way that nobody else reads. It works once,`,
      `until ${new Date(nowMs + INVITATION_MS).toISOString().slice(0, 16).replace('T', ' ')} UTC, and is written down nowhere:`,
      '',
      `  ${link}`,
      '',
      'They choose a password, sign in and turn on a second factor: without one, no page for operators opens.',
    ].join('\n'),
  )
}

/** @param {string[]} where */
async function list(where) {
  const [operators, invitations] = [await execute(where, OPERATORS), await execute(where, INVITATIONS)]
  for (const { email, name, roles, disabled, acts } of operators)
    console.log(
      `${email}  ${name}  ${roles}${disabled ? '  disabled' : acts ? '  can act as administrator' : ''}`,
    )
  for (const { email, name, roles, expiresAt } of invitations)
    console.log(`${email}  ${name}  ${roles}  invited, until ${new Date(Number(expiresAt)).toISOString()}`)
  if (operators.length + invitations.length === 0)
    console.log('Nobody operates yet: npm run operator -- invite you@example.org')
}

/** @param {boolean} isRemote */
function getSiteOrigin(isRemote) {
  if (!isRemote) return `http://localhost:${process.env.PORT || 8787}`
  const { PUBLIC_ORIGIN: origin } = readSettings(root).vars
  if (typeof origin !== 'string') throw new Error('wrangler.toml names no PUBLIC_ORIGIN: give --origin.')
  return origin
}

/** @param {string[]} where @param {string} sql @returns {Promise<Record<string, unknown>[]>} */
async function execute(where, sql) {
  try {
    const [rows = []] = await queryDatabase(where, [sql])
    return rows
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const words = REFUSALS.find(([pattern]) => pattern.test(message))?.[1]
    throw words === undefined ? error : new Error(words)
  }
}

if (isMain(import.meta.url)) await runCommand(main)
