import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'

/** The closing lines of every mail that its reader may turn off. */
export const MAILS_OFF = {
  words: 'To stop getting mails like this one, turn them off in your profile or with this link:',
  label: 'Turn these mails off',
} as const

/** Splits an announcement into paragraphs at blank lines. */
export function splitParagraphs(text: string): string[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
}

/** Renders an announcement as plain text. `link` is the reader's own unsubscribe link. */
export function renderAnnouncement(text: string, { brand, name, link }: ReaderDetails): string {
  return [
    `Hello ${name},`,
    ...splitParagraphs(text),
    MAILS_OFF.words,
    `${MAILS_OFF.label}: ${link}`,
    brand,
  ].join('\n\n')
}

interface ReaderDetails {
  brand: string
  name: string
  link: string
}

/** The readers of an announcement are counted up to this many. */
export const MOST_READERS = 10_000

export const getAnnouncementReach = endpoint(
  'GET',
  '/operator/announcements/reach',
  'operator:proposals.read',
  {
    summary: `How many people would get a mail on a topic if it were approved now, counted up to ${MOST_READERS}`,
    query: z.object({
      topic: z.enum(NEWS_TOPICS, { error: 'topic is one of salesNews, features, tips' }),
    }),
    answer: z.object({ readers: z.number() }),
  },
)
