import { type EmailChange, getEmail } from '../../../contract/identity/emailChange.ts'
import { getUserInfo, type UserInfo } from '../../../contract/identity/profile.ts'
import { call } from '../../lib/api.ts'
import { amendSession, currentSession } from '../../lib/session.ts'

export const ITEMS = [
  { name: 'fullname', label: 'Full Name' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone Number' },
  { name: 'address', label: 'Address' },
  { name: 'country', label: 'Country' },
  { name: 'maritalStatus', label: 'Marital Status' },
  { name: 'gender', label: 'Gender' },
] as const

export type Item = (typeof ITEMS)[number]['name']

/** Unknown items are blank. */
export type Person = Readonly<Record<Item, string>>

export interface Profile {
  person: Person
  /** The pending change of the e-mail address. */
  emailChange: EmailChange | null
}

/** Loads the profile, and updates the session if the e-mail address has changed since. */
export async function loadProfile(): Promise<Profile> {
  const asked = currentSession()
  const [info, emailChange] = await Promise.all([
    call(getUserInfo, { query: { fields: ITEMS.map(({ name }) => name).join(' ') } }),
    // The profile is shown even if this call fails.
    call(getEmail).then(
      ({ change }) => change,
      () => null,
    ),
  ])
  const person = personOf(info)
  // Another tab may have signed in another person meanwhile.
  const isSame = asked !== null && currentSession()?.token === asked.token
  if (isSame && asked.email !== person.email) amendSession({ email: person.email })
  return { person, emailChange }
}

function personOf(info: Partial<UserInfo>): Person {
  return Object.fromEntries(ITEMS.map(({ name }) => [name, info[name] ?? ''])) as Record<Item, string>
}

/** The name with its capitals: the profile has it in lower case, the session as typed. */
export function nameAsWritten(fullname: string, sessionName: string | undefined): string {
  return sessionName?.toLowerCase() === fullname.toLowerCase() ? sessionName : fullname
}

/**
 * What is sent for the form: only what is filled in and differs from what is there, the name in lower case as the API
 * has always been given it, and as typed beside it, for greetings and statements.
 */
export function changesOf(
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
