import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const health = endpoint('GET', '/health', 'public', {
  summary: 'Reads the database. Answers ok, or 503 if that fails',
  answer: z.object({ status: z.literal('ok') }),
  refusals: ['unavailable'],
})

export const openApiDocument = endpoint('GET', '/openapi.json', 'public', {
  summary: 'This document: OpenAPI 3.1 of every endpoint',
  answer: z.record(z.string(), z.unknown()),
})

export const apiDocs = endpoint('GET', '/docs', 'public', {
  summary: 'A page to browse this document',
  answerType: 'text/html',
})

/** A public setting with its text: `minimums.deposit`, 20, `$20.00`. */
const condition = z.object({
  setting: z.string(),
  value: z.union([z.number(), z.boolean()]),
  words: z.string(),
})

export const listConditions = endpoint('GET', '/conditions', 'public', {
  summary:
    'The current public settings: smallest amounts, fees, the limit above which two operators decide, whether identity is required, and how long documents are kept',
  answer: z.array(condition),
})
