import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  scope: 'public',
  summary: 'Ok after a real read of the database, 503 otherwise',
  status: 200,
  answer: z.object({ status: z.literal('ok') }),
  refusals: ['unavailable'],
})

export const openApiDocument = endpoint({
  method: 'GET',
  path: '/openapi.json',
  scope: 'public',
  summary: 'This document: OpenAPI 3.1 of every call',
  status: 200,
  answer: z.record(z.string(), z.unknown()),
})

export const apiDocs = endpoint({
  method: 'GET',
  path: '/docs',
  scope: 'public',
  summary: 'A page to browse this document',
  status: 200,
  answerType: 'text/html',
})

/** What holds for everybody, each with its words: `minimums.deposit`, 20, `$20.00`. */
const condition = z.object({
  setting: z.string(),
  value: z.union([z.number(), z.boolean()]),
  words: z.string(),
})

export const listConditions = endpoint({
  method: 'GET',
  path: '/conditions',
  scope: 'public',
  summary:
    'The settings that everybody may know, as they stand now: smallest amounts, fees, the limit above which two operators decide, whether identity is required, and how long documents are kept',
  status: 200,
  answer: z.array(condition),
})
