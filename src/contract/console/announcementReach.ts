import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'

export const getAnnouncementReach = endpoint({
  method: 'GET',
  path: '/operator/announcements/reach',
  scope: 'operator:proposals.read',
  summary: 'How many people would get a mail on a topic, were it approved now',
  status: 200,
  query: z.object({
    topic: z.enum(NEWS_TOPICS, { error: 'topic is one of salesNews, features, tips' }),
  }),
  answer: z.object({ readers: z.number() }),
})
