import { callApi, send } from './http.ts'
import { codeIn, mailsTo } from './mailbox.ts'

/** Saves an address in somebody's address book, with the mailed code. */
export async function saveAddress(
  { email, token }: { email: string; token: string },
  json: Readonly<Record<string, unknown>>,
): Promise<void> {
  await send('POST', '/users/addresses', { token, json })
  const mail = (await mailsTo(email)).find(({ subject }) =>
    /^Confirm a change of your address book$/.test(subject),
  )
  if (mail === undefined) throw new Error('No code was mailed')
  await callApi('POST', '/users/addresses', { token, json: { ...json, code: codeIn(mail) } })
}
