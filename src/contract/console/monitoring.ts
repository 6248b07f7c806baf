import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../fields.ts'
import { noBody, stepsField } from './cases.ts'
import { operatorOverview } from './overview.ts'

const monitoring = z.object({
  at: isoTime,
  /** Whether nothing is wrong: `problems` is empty. */
  ok: z.boolean(),
  /** In words: "mail fails since 2026-01-31T09:00:00.000Z". Without names of people, amounts or findings. */
  problems: z.array(z.string()),
  queues: operatorOverview.shape.waiting,
  mail: z.object({ waiting: z.number(), oldest: z.nullable(isoTime), failing: z.number() }),
  /** When the scheduled work last completed. */
  cronAt: z.nullable(isoTime),
  pricesAt: z.nullable(isoTime),
})

export const getMonitoring = endpoint('GET', '/monitoring', 'monitoring', {
  summary:
    'The platform’s health and the lengths of the queues, for a monitoring program with a token of its own (`Authorization: Bearer monitoring_…`)',
  answer: monitoring,
  limit: { name: 'monitoring', per: 'address', max: 60, windowSeconds: 60 },
})

const monitoringToken = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastUsedAt: z.nullable(isoTime),
  revokedAt: z.nullable(isoTime),
  steps: stepsField,
  /** Only in the answer that creates it. Only its hash is stored. */
  token: z.optional(z.string()),
})
export type MonitoringToken = z.output<typeof monitoringToken>

export const listMonitoringTokens = endpoint(
  'GET',
  '/operator/monitoring-tokens',
  'operator:operators.read',
  { summary: 'The newest 50 tokens of monitoring programs', answer: z.array(monitoringToken) },
)

export const TOKEN_DAYS = ['30', '90', '365'] as const

export const newTokenBody = z.object({
  name: requiredText('Please name the program that uses it', 60),
  days: z.enum(TOKEN_DAYS, { error: 'days is 30, 90 or 365' }),
})

export const createMonitoringToken = endpoint(
  'POST',
  '/operator/monitoring-tokens',
  'operator:operators.write',
  {
    summary:
      'Create a token for a monitoring program. It reads `GET /monitoring` and nothing else. At most 20 are valid at a time',
    status: 201,
    body: newTokenBody,
    answer: monitoringToken,
    refusals: ['conflict'],
    audit: ['monitoring_token.created'],
  },
)

export const revokeMonitoringToken = endpoint(
  'POST',
  '/operator/monitoring-tokens/:id/revoke',
  'operator:operators.write',
  {
    summary: 'Revoke a token of a monitoring program: it stops working at once',
    body: noBody,
    answer: monitoringToken,
    refusals: ['already_decided'],
    audit: ['monitoring_token.revoked'],
  },
)
