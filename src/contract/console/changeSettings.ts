import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS } from '../identity/factorProof.ts'
import { proposal } from './proposals.ts'
import { settingChanges } from './settingRules.ts'
import { settings } from './settings.ts'

export const patchSettings = endpoint({
  method: 'PATCH',
  path: '/operator/settings',
  scope: 'operator:settings.write',
  summary:
    'Change settings: lists of reasons at once (200), all others as a proposal (202), which takes a second factor',
  status: 200,
  statusAwaiting: 202,
  body: settingChanges,
  answer: z.union([settings, proposal]),
  idempotent: true,
  asksFactor: true,
  refusals: [...FACTOR_REFUSALS],
  audit: ['settings.changed', 'proposal.created'],
})
