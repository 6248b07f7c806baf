import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '../src/contract/console/settingList.ts'
import { deleteAddress, savedAddress } from '../src/contract/money/destinations.ts'

const root = resolve(import.meta.dirname, '..')
const policy = readFileSync(join(root, 'src/content/legal/privacy-policy.mdx'), 'utf8')
const named = [...policy.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort()

/** The source texts of a folder, without tests. */
function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|astro)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
}

function constants(texts: readonly string[], name: RegExp): string[] {
  return texts.flatMap((text) => [...text.matchAll(name)].map(([, value = '']) => value))
}

test('the Privacy Policy names every cookie and every key of browser storage, and no other', () => {
  const cookies = constants(sources('worker'), /_COOKIE = '([^']+)'/g)
  const storing = sources('src').filter((text) => /localStorage|sessionStorage/.test(text))
  const keys = constants(storing, /KEY = '([^']+)'/g)
  expect(cookies).toHaveLength(2)
  expect([...cookies, ...keys].sort()).toEqual(named)
})

test('the Privacy Policy says how long all automatically deleted data is kept', () => {
  const cleanUp = readFileSync(join(root, 'worker/platform/cleanUp.ts'), 'utf8')
  const rules = [...cleanUp.matchAll(/\{ table: '(\w+)', column: '\w+', keepMs: ([^}]+) \}/g)]
  expect(Object.fromEntries(rules.map(([, table, kept]) => [table, kept]))).toEqual({
    rate_counters: 'DAY_MS',
    sign_in_failures: '30 * DAY_MS',
    idempotency: '25 * HOUR_MS',
    withdrawal_codes: 'DAY_MS',
    factor_recoveries: 'DAY_MS',
    passkey_challenges: 'DAY_MS',
    email_tokens: '7 * DAY_MS',
    registrations: 'DAY_MS',
    email_changes: '7 * DAY_MS',
    operator_invitations: '30 * DAY_MS',
    newsletter_tokens: '0',
    newsletter_subscribers: '0',
    code_failures: '8 * DAY_MS',
    activity: '90 * DAY_MS',
    handover_notes: '90 * DAY_MS',
    sessions: '30 * DAY_MS',
    devices: '365 * DAY_MS',
  })
  // These tables keep 0 ms beyond a deadline stored in the row. The deadline comes from these constants.
  expect(constants(sources('worker/outreach/newsletter'), /_MS = (\d+) \* DAY_MS/g).sort()).toEqual([
    '30',
    '7',
  ])
  for (const words of [
    /Sessions: 30 days after they expire/,
    /Your activity log: each line 90 days after it was written, and all of it at once when you turn it off/,
    /hash is deleted seven\s+days\s+later/,
    /locks your account works for seven days, and is not stored/,
    /A change of e-mail address[\s\S]*seven\s+days\s+after\s+its\s+links\s+expired/,
    /hash is deleted a day later/,
    /hash of a device: a year after you last signed in/,
    /what a passkey was asked to sign: a day after/,
    /Counters of tries: a day after/,
    /Wrong codes of your authenticator app, by the time of each: after eight days/,
    /after 25 hours/,
    /as an operator: 30 days after it was written/,
    /never confirmed: after seven days/,
    /as soon as you unsubscribe/,
    /goes 30 days later/,
  ]) {
    expect(policy).toMatch(words)
  }
})

test('the Privacy Policy says how long the rest of a closed account is kept', () => {
  const documentDays: number = SETTINGS['retention.documentDays'].default
  const personDays = SETTINGS['retention.personDays'].default
  const rejectedDocumentDays = SETTINGS['retention.rejectedDocumentDays'].default
  expect(documentDays).toBe(personDays)
  expect(policy).toContain(
    `- ${personDays.toLocaleString('en')} days (five years) later your identity documents`,
  )
  expect(policy).toContain(`${rejectedDocumentDays} days after it was rejected`)
  expect(policy).toContain(
    `periods of ${personDays.toLocaleString('en')} and ${rejectedDocumentDays} days are a sample`,
  )
})

test('the Privacy Policy names the address book, and that its owner can empty it', () => {
  const book = Object.keys(savedAddress.shape).filter(
    (name) => !['_id', 'type', 'network', 'usableFrom', 'provedAt', 'plans'].includes(name),
  )
  expect(book).toEqual(['label', 'address', 'createdAt'])
  expect(policy).toMatch(/wallet addresses, the names you gave them, and when you saved them/)
  expect(policy).toMatch(/the message that you signed, its signature and the date/)
  expect(deleteAddress).toMatchObject({ method: 'DELETE', scope: 'signed-in' })
  expect(policy).toMatch(/Addresses in your address book are deleted when you delete them/)
})

test('the Privacy Policy names stops, compared pictures and names, and every rule that stops a decision', () => {
  for (const words of [
    /\*\*Your strategies\*\*:[^*]*your stops/,
    /\*\*Your identity document\*\*:[^*]*whether another person sent the same/,
    /\*\*Comparisons with a sanctions list\*\*:[^*]*all identified customers with each new list/,
    /stop approvals and payouts while you\s+may be on a sanctions list, and the approval of a document that is on another account/,
  ])
    expect(policy).toMatch(words)
})
