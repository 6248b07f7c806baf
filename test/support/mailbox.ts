import { env } from 'cloudflare:workers'
import { decryptContent } from '../../worker/lib/mail/outbox.ts'
import type { outbox } from '../../worker/lib/tables/platform.ts'

export interface SentMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** The mails to an address, newest first. */
export async function mailsTo(address: string, database = env.DB): Promise<SentMail[]> {
  const { results } = await database
    .prepare('SELECT id, subject, sealed FROM outbox WHERE recipient = ? ORDER BY seq DESC')
    .bind(address)
    .all<typeof outbox.$inferSelect>()
  return Promise.all(
    results.map(async (row) => ({ subject: row.subject, ...(await decryptContent(env, row)) })),
  )
}

/** The newest mail to an address with a matching subject. Waits up to two seconds for it. */
export async function mailTo(address: string, subject = /./, database = env.DB): Promise<SentMail> {
  for (let tries = 0; tries < 80; tries++) {
    const mail = (await mailsTo(address, database)).find((each) => subject.test(each.subject))
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`No mail to ${address} has a subject like ${subject}`)
}

/** The first link in a mail that contains `path`. */
export function linkIn(mail: SentMail, path = ''): URL {
  const link = (mail.text.match(/https?:\/\/\S+/g) ?? []).find((each) => each.includes(path))
  if (link === undefined) throw new Error(`The mail "${mail.subject}" has no link with "${path}"`)
  return new URL(link)
}
