import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'

/** The topic of service notices. They reach every investor. The other topics reach people who chose them. */
export const SERVICE = 'service'
export const ANNOUNCEMENT_TOPICS = [...NEWS_TOPICS, SERVICE] as const
export type AnnouncementTopic = (typeof ANNOUNCEMENT_TOPICS)[number]

/** The closing lines of every mail that its reader may turn off. */
export const MAILS_OFF = {
  words: 'To stop getting mails like this one, turn them off in your profile or with this link:',
  label: 'Turn these mails off',
} as const

/** The closing line of a service notice, which nobody can turn off. */
export const NOTICE_REASON =
  'You get this mail because you have an account with us. It is about our service, so we send it to every investor.'

/** Splits an announcement into paragraphs at blank lines. */
export function splitParagraphs(text: string): string[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
}

/** Renders an announcement as plain text. `link` is the reader's own unsubscribe link, null in a service notice. */
export function renderAnnouncement(text: string, { brand, name, link }: ReaderDetails): string {
  return [
    `Hello ${name},`,
    ...splitParagraphs(text),
    ...(link === null ? [NOTICE_REASON] : [MAILS_OFF.words, `${MAILS_OFF.label}: ${link}`]),
    brand,
  ].join('\n\n')
}

interface ReaderDetails {
  brand: string
  name: string
  link: string | null
}

/** The readers of an announcement are counted up to this many. */
export const MOST_READERS = 10_000

export const getAnnouncementReach = endpoint(
  'GET',
  '/operator/announcements/reach',
  'operator:proposals.read',
  {
    summary: `How many people would get an announcement if it were approved now, counted up to ${MOST_READERS}. The topic \`${SERVICE}\` is a service notice, which reaches every investor`,
    query: z.object({
      topic: z.enum(ANNOUNCEMENT_TOPICS, { error: `topic is one of ${ANNOUNCEMENT_TOPICS.join(', ')}` }),
    }),
    answer: z.object({ readers: z.number() }),
  },
)
