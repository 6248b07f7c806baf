import { expect } from '@playwright/test'
import { callApi } from './http.ts'

interface Mail {
  subject: string
  text: string
}

/** Waits for a mail to this address with a matching subject, and returns the newest. `after` is the number of such mails before. */
export async function waitForMail(address: string, subject: RegExp, after = 0): Promise<Mail> {
  let mails: Mail[] = []
  await expect
    .poll(
      async () => {
        mails = (await mailsTo(address)).filter((mail) => subject.test(mail.subject))
        return mails.length
      },
      { message: `mail to ${address}: ${subject}` },
    )
    .toBeGreaterThan(after)
  const [newest] = mails
  if (newest === undefined) throw new Error('No mail arrived')
  return newest
}

/** Every mail to an address, newest first. */
export function mailsTo(address: string): Promise<Mail[]> {
  return callApi('GET', `/dev/mailbox?to=${encodeURIComponent(address)}`)
}

/** Returns the link in a mail to this path of the site. */
export function linkIn({ subject, text }: Mail, path: string): URL {
  const link = (text.match(/https?:\/\/\S+/g) ?? []).find((each) => new URL(each).pathname === path)
  if (link === undefined) throw new Error(`The mail "${subject}" has no link to ${path}`)
  return new URL(link)
}

/** Returns the six-digit code in a mail, which must be its only one. */
export function codeIn({ subject, text }: Mail): string {
  const [code, ...others] = text.match(/\b\d{6}\b/g) ?? []
  if (code === undefined || others.length > 0)
    throw new Error(`The mail "${subject}" has no code, or more than one`)
  return code
}
