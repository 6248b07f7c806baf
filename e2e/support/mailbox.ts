import { expect } from '@playwright/test'
import { ask } from './http.ts'

interface Mail {
  subject: string
  text: string
}

/** The newest mail to an address whose subject matches, once it is there. `after` mails of that kind are known already. */
export async function mailTo(address: string, subject: RegExp, after = 0): Promise<Mail> {
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
  if (newest === undefined) throw new Error('unreachable: there is a mail')
  return newest
}

/** Every mail to an address, newest first. */
export function mailsTo(address: string): Promise<Mail[]> {
  return ask('GET', `/dev/mailbox?to=${encodeURIComponent(address)}`)
}

/** The link in a mail that leads to this path of the site. */
export function linkIn({ subject, text }: Mail, path: string): URL {
  const link = (text.match(/https?:\/\/\S+/g) ?? []).find((each) => new URL(each).pathname === path)
  if (link === undefined) throw new Error(`The mail "${subject}" has no link to ${path}`)
  return new URL(link)
}

/** The code of six digits in a mail: the only such number in it. */
export function codeIn({ subject, text }: Mail): string {
  const [code, ...others] = text.match(/\b\d{6}\b/g) ?? []
  if (code === undefined || others.length > 0)
    throw new Error(`The mail "${subject}" holds no code, or several`)
  return code
}
