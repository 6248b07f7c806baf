import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'

/** How a mail that its reader may turn off ends. */
export const MAILS_OFF = {
  words: 'If you don’t want mails like this one, turn them off in your profile or with this link:',
  label: 'Turn these mails off',
} as const

/** The paragraphs of an announcement: a blank line begins one. */
export function paragraphsOf(text: string): string[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
}

/** An announcement as its reader gets it in plain text; `link` stands for their own. */
export function announcementText(text: string, { brand, name, link }: Reading): string {
  return [
    `Hello ${name},`,
    ...paragraphsOf(text),
    MAILS_OFF.words,
    `${MAILS_OFF.label}: ${link}`,
    brand,
  ].join('\n\n')
}

interface Reading {
  brand: string
  name: string
  link: string
}

export const getAnnouncementReach = endpoint(
  'GET',
  '/operator/announcements/reach',
  'operator:proposals.read',
  {
    summary: 'How many people would get a mail on a topic, were it approved now',
    query: z.object({
      topic: z.enum(NEWS_TOPICS, { error: 'topic is one of salesNews, features, tips' }),
    }),
    answer: z.object({ readers: z.number() }),
  },
)
