import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { proposal } from './proposals.ts'
import { settingChanges } from './settingRules.ts'
import { settings } from './settings.ts'

export const patchSettings = endpoint({
  method: 'PATCH',
  path: '/operator/settings',
  scope: 'operator:settings.write',
  summary: 'Change settings: contact details and reasons at once (200), all others as a proposal (202)',
  status: 200,
  statusAwaiting: 202,
  body: settingChanges,
  answer: z.union([settings, proposal]),
  idempotent: true,
  audit: ['settings.changed', 'proposal.created'],
})
