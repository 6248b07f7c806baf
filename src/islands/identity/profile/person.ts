import { type EmailChange, getEmail } from '../../../contract/identity/emailChange.ts'
import { getUserInfo, type UserInfo } from '../../../contract/identity/userInfo.ts'
import { call } from '../../lib/api.ts'
import { getSession, updateSession } from '../../lib/session.ts'

export const ITEMS = [
  { name: 'fullname', label: 'Full Name' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone Number' },
  { name: 'address', label: 'Address' },
  { name: 'country', label: 'Country' },
  { name: 'maritalStatus', label: 'Marital Status' },
  { name: 'gender', label: 'Gender' },
] as const

/** The query for them. */
export const FIELDS = { fields: ITEMS.map(({ name }) => name).join(' ') }

export type Item = (typeof ITEMS)[number]['name']

/** Unknown items are blank. */
export type Person = Readonly<Record<Item, string>>

export interface Profile {
  person: Person
  emailChange: EmailChange | null
}

/** Loads the profile, and updates the session if the e-mail address has changed since. */
export async function loadProfile(): Promise<Profile> {
  const session = getSession()
  const [info, emailChange] = await Promise.all([
    call(getUserInfo, { query: FIELDS }),
    // The profile does not depend on this call.
    call(getEmail).then(
      ({ change }) => change,
      () => null,
    ),
  ])
  const person = toPerson(info)
  // Another tab may have signed in with another account in the meantime.
  const isSame = session !== null && getSession()?.token === session.token
  if (isSame && session.email !== person.email) updateSession({ email: person.email })
  return { person, emailChange }
}

function toPerson(info: Partial<UserInfo>): Person {
  return Object.fromEntries(ITEMS.map(({ name }) => [name, info[name] ?? ''])) as Record<Item, string>
}

/** Restores the capitals of the name: the profile has it in lower case, the session as typed. */
export function restoreName(fullname: string, sessionName: string | undefined): string {
  return sessionName?.toLowerCase() === fullname.toLowerCase() ? sessionName : fullname
}

/**
 * The body to send: only filled-in values that have changed. The API expects the name in lower case; `displayName` keeps
 * it as typed, for greetings and statements.
 */
export function collectChanges(
  person: Person,
  typed: Readonly<Partial<Record<Item, string>>>,
): Record<string, string> {
  const changes: Record<string, string> = {}
  for (const { name } of ITEMS) {
    const value = typed[name]?.trim() ?? ''
    if (name === 'email' || value === '' || value === person[name]) continue
    changes[name] = name === 'fullname' ? value.toLowerCase() : value
    if (name === 'fullname') changes.displayName = value
  }
  return changes
}
