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
